/* home.h - where libaisp.so lies, and with it the worker and the targets. */
#ifndef AISP_API_HOME_H
#define AISP_API_HOME_H

/* /proc/self/exe is somebody else's program here. Once is enough. */
void aisp_home_find(void);

#endif
