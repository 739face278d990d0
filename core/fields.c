/* fields.c - the four kinds of values, each way. */
#include "core/fields.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"

static json_t *text_to_json(const char *text)
{
    json_t *value = json_string(text), *hex;
    struct aisp_buf buf = AISP_BUF_INIT;

    if (value)
        return value;
    for (const char *p = text; *p; p++)
        aisp_buf_printf(&buf, "%02x", (unsigned char)*p);
    hex = json_pack("{s:s}", "hex", buf.s);
    aisp_buf_release(&buf);
    return hex;
}

static json_t *real_to_json(double x)
{
    if (isnan(x))
        return json_string("nan");
    if (isinf(x))
        return json_string(x > 0 ? "inf" : "-inf");
    return json_real(x);
}

static int64_t int_at(const void *at, size_t size)
{
    switch (size) {
    case 1:
        return *(const int8_t *)at;
    case 4:
        return *(const int32_t *)at;
    case 8:
        return *(const int64_t *)at;
    }
    AISP_BUG("an integer of %zu bytes", size);
}

static json_t *element_to_json(const struct aisp_field *f, const void *at)
{
    switch (f->kind) {
    case AISP_FIELD_TEXT:
        return text_to_json(at);
    case AISP_FIELD_INT:
        return json_integer(int_at(at, f->size));
    case AISP_FIELD_REAL:
        return real_to_json(*(const double *)at);
    case AISP_FIELD_BOOL:
        return json_boolean(*(const bool *)at);
    }
    AISP_BUG("field %s is of no kind", f->name);
}

static json_t *member_to_json(const struct aisp_field *f, const void *base)
{
    const char *at = (const char *)base + f->at;
    json_t *array;

    if (f->count == 1)
        return element_to_json(f, at);
    array = json_array();
    for (int i = 0; i < f->count; i++)
        json_array_append_new(array, element_to_json(f, at + (size_t)i * f->size));
    return array;
}

static bool hex_to_text(const char *hex, char *to, size_t room)
{
    const size_t n = strlen(hex) / 2;

    if (n >= room || strlen(hex) % 2 || strspn(hex, "0123456789abcdef") != 2 * n)
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned byte;

        sscanf(hex + 2 * i, "%2x", &byte);
        to[i] = (char)byte;
    }
    to[n] = 0;
    return true;
}

static bool text_from_json(const json_t *value, char *to, size_t room)
{
    const json_t *hex = json_object_get(value, "hex");

    if (json_is_string(hex))
        return hex_to_text(json_string_value(hex), to, room);
    if (!json_is_string(value) || json_string_length(value) >= room)
        return false;
    memcpy(to, json_string_value(value), json_string_length(value) + 1);
    return true;
}

static bool int_from_json(const struct aisp_field *f, const json_t *value, void *to)
{
    const int64_t x = json_integer_value(value);
    const int64_t least = f->size == 8 ? INT64_MIN : f->size == 4 ? INT32_MIN : INT8_MIN;

    if (!json_is_integer(value) || x < least || x > -(least + 1))
        return false;
    if (f->low <= f->high && (x < f->low || x > f->high))
        return false;
    switch (f->size) {
    case 1:
        *(int8_t *)to = (int8_t)x;
        break;
    case 4:
        *(int32_t *)to = (int32_t)x;
        break;
    default:
        *(int64_t *)to = x;
        break;
    }
    return true;
}

static bool real_from_json(const json_t *value, double *to)
{
    const char *word = json_string_value(value);

    if (word && !strcmp(word, "nan"))
        *to = NAN;
    else if (word && !strcmp(word, "inf"))
        *to = INFINITY;
    else if (word && !strcmp(word, "-inf"))
        *to = -INFINITY;
    else if (json_is_number(value))
        *to = json_number_value(value);
    else
        return false;
    return true;
}

static bool element_from_json(const struct aisp_field *f, const json_t *value, void *at)
{
    switch (f->kind) {
    case AISP_FIELD_TEXT:
        return text_from_json(value, at, f->size);
    case AISP_FIELD_INT:
        return int_from_json(f, value, at);
    case AISP_FIELD_REAL:
        return real_from_json(value, at);
    case AISP_FIELD_BOOL:
        *(bool *)at = json_is_true(value);
        return json_is_boolean(value);
    }
    AISP_BUG("field %s is of no kind", f->name);
}

static enum aisp_status member_from_json(const struct aisp_field *f, const json_t *value,
                                         const char *path, void *base, struct aisp_err *err)
{
    char *at = (char *)base + f->at;

    if (!value)
        return aisp_fail(err, AISP_E_IO, "%s.%s: missing", path, f->name);
    if (f->count > 1 && json_array_size(value) != (size_t)f->count)
        return aisp_fail(err, AISP_E_IO, "%s.%s: not a list of %d", path, f->name, f->count);
    for (int i = 0; i < f->count; i++) {
        const json_t *one = f->count > 1 ? json_array_get(value, (size_t)i) : value;

        if (!element_from_json(f, one, at + (size_t)i * f->size))
            return aisp_fail(err, AISP_E_IO, "%s.%s: of the wrong type or out of range", path,
                             f->name);
    }
    return AISP_OK;
}

json_t *aisp_fields_to_object(const struct aisp_field *f, int n, const void *base)
{
    json_t *json = json_object();

    for (int i = 0; i < n; i++)
        json_object_set_new(json, f[i].name, member_to_json(&f[i], base));
    return json;
}

json_t *aisp_fields_to_row(const struct aisp_field *f, int n, const void *base)
{
    json_t *json = json_array();

    for (int i = 0; i < n; i++)
        json_array_append_new(json, member_to_json(&f[i], base));
    return json;
}

enum aisp_status aisp_fields_from_object(const struct aisp_field *f, int n, const json_t *json,
                                         const char *path, void *base, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (!json_is_object(json))
        return aisp_fail(err, AISP_E_IO, "%s: missing or not an object", path);
    for (int i = 0; i < n && st == AISP_OK; i++)
        st = member_from_json(&f[i], json_object_get(json, f[i].name), path, base, err);
    return st;
}

enum aisp_status aisp_fields_from_row(const struct aisp_field *f, int n, const json_t *json,
                                      const char *path, void *base, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (json_array_size(json) != (size_t)n)
        return aisp_fail(err, AISP_E_IO, "%s: not a row of %d", path, n);
    for (int i = 0; i < n && st == AISP_OK; i++)
        st = member_from_json(&f[i], json_array_get(json, (size_t)i), path, base, err);
    return st;
}
