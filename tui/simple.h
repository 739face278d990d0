/* simple.h - the same commands behind numbered menus on plain input and output: for dumb terminals, pipes, screen readers. */
#ifndef AISP_TUI_SIMPLE_H
#define AISP_TUI_SIMPLE_H

#include "core/base/err.h"
#include "doors/job.h"

/* Until "0" or the end of the input. `common`: options that every command line gets; `stop` is set by an interrupt.
 * Errors: AISP_E_INTERRUPTED. */
enum aisp_status aisp_simple_run(const struct aisp_words *common, const volatile int *stop, struct aisp_err *err);

#endif
