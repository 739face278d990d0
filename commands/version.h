/* version.h - the version that records carry. */
#ifndef AISP_COMMANDS_VERSION_H
#define AISP_COMMANDS_VERSION_H

const char *aisp_version(void);

#endif
