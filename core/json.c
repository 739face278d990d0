/* json.c - the functions of json.h. */
#include "core/json.h"

#include <math.h>
#include <string.h>

const char *aisp_json_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

double aisp_json_number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

bool aisp_json_is(const json_t *object, const char *name, const char *text)
{
    return !strcmp(aisp_json_text(object, name), text);
}
