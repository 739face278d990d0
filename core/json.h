/* json.h - members of JSON objects, some of which may be missing or of another type. */
#ifndef AISP_CORE_JSON_H
#define AISP_CORE_JSON_H

#include <jansson.h>
#include <stdbool.h>

/* The member's text, borrowed; "" where there is none. */
const char *aisp_json_text(const json_t *object, const char *name);
/* The member's number; NaN where there is none. */
double aisp_json_number(const json_t *object, const char *name);
/* Is the member this text? */
bool aisp_json_is(const json_t *object, const char *name, const char *text);

#endif
