/* show.h - a result as a row of the table or an object of the JSON array. */
#ifndef AISP_PLAIN_SHOW_H
#define AISP_PLAIN_SHOW_H

#include "plain/plain.h"

void plain_show_row(const struct plain_options *o, const struct aisp_target *target, const char *name, const struct plain_result *result,
                    bool is_first);
void plain_show_json(const struct plain_options *o, const struct aisp_target *target, const char *name,
                     const struct plain_result *result, bool is_first, bool is_last);

#endif
