/* ask.c - one list of properties for each command, from its options and operands; the schema, the check and the command line walk
 * that list, so that what is described is what is taken. */
#include "doors/ask.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

enum { LONGEST_NAME = 48, MOST_PROPERTIES = 64 };

/* What one property means: an option, or an operand. */
struct property {
    char name[LONGEST_NAME];
    const struct aisp_option *option;
    const struct aisp_operand *operand;
};

struct properties { struct property of[MOST_PROPERTIES]; size_t n; };

/* ---- what is offered ---- */

bool aisp_ask_offered(const struct aisp_command *command, enum aisp_ask_right right)
{
    const unsigned refused = right == AISP_ASK_RUN ? AISP_CMD_TERMINAL
                                                   : AISP_CMD_TERMINAL | AISP_CMD_RUNS_CODE | AISP_CMD_WRITES;

    return !(command->flags & refused);
}

/* "FAMILY|ITEM" -> family-item: letters, digits and hyphens, which every client takes. */
static void add(struct properties *list, const struct aisp_option *option, const struct aisp_operand *operand)
{
    const char *name = option ? option->name : operand->name;
    struct property *p = &list->of[list->n++];

    if (list->n == MOST_PROPERTIES || strlen(name) >= sizeof p->name)
        AISP_BUG("%s: too many properties of one command, or too long a name", name);
    *p = (struct property){ .option = option, .operand = operand };
    for (size_t i = 0; name[i]; i++)
        p->name[i] = isalnum((unsigned char)name[i]) ? (char)tolower((unsigned char)name[i]) : '-';
}

static void properties_of(const struct aisp_command *command, enum aisp_ask_right right, struct properties *list)
{
    list->n = 0;
    for (const struct aisp_operand *o = command->operand; o && o->name; o++)
        if (right == AISP_ASK_RUN || o->kind != AISP_OPERAND_PATH)
            add(list, NULL, o);
    for (const struct aisp_option *o = command->option; o && o->name; o++)
        if (right == AISP_ASK_RUN || (o->kind != AISP_OPT_PATH && !o->writes && !o->runs_code))
            add(list, o, NULL);
}

static const struct property *find(const struct properties *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->of[i].name, name))
            return &list->of[i];
    return NULL;
}

static enum aisp_option_kind kind_of(const struct property *p)
{
    return p->option ? p->option->kind : AISP_OPT_TEXT;
}

static bool repeats(const struct property *p)
{
    return p->option ? p->option->repeats && p->option->kind != AISP_OPT_FLAG : p->operand->repeats;
}

/* ---- names ---- */

void aisp_ask_name(const struct aisp_command *command, char separator, struct aisp_buf *out)
{
    for (const char *c = command->path; *c; c++)
        aisp_buf_add(out, *c == ' ' || (*c == '-' && separator == '_') ? &separator : c, 1);
}

const struct aisp_command *aisp_ask_find(const char *name, char separator, enum aisp_ask_right right)
{
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    {
        struct aisp_buf own = AISP_BUF_INIT;
        bool is_it;

        aisp_ask_name(c, separator, &own);
        is_it = !strcmp(own.s, name);
        aisp_buf_release(&own);
        if (is_it && aisp_ask_offered(c, right))
            return c;
    }
    return NULL;
}

/* ---- the schema ---- */

static json_t *choices_of(const char *meta)
{
    json_t *list = json_array();

    for (const char *at = meta; *at; at += strcspn(at, "|"), at += *at == '|')
        json_array_append_new(list, json_stringn(at, strcspn(at, "|")));
    return list;
}

static json_t *preset_of(const struct aisp_option *o)
{
    switch (o->kind) {
    case AISP_OPT_INTEGER:
        return json_integer(strtoll(o->preset, NULL, 10));
    case AISP_OPT_REAL:
        return json_real(strtod(o->preset, NULL));
    default:
        return json_string(o->preset);
    }
}

static json_t *type_of(const struct property *p)
{
    const struct aisp_option *o = p->option;

    switch (kind_of(p)) {
    case AISP_OPT_FLAG:
        return json_pack("{s:s}", "type", "boolean");
    case AISP_OPT_INTEGER:
        return o->low < o->high ? json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", (json_int_t)o->low, "maximum",
                                            (json_int_t)o->high)
                                : json_pack("{s:s}", "type", "integer");
    case AISP_OPT_REAL:
        return json_pack("{s:s, s:i}", "type", "number", "exclusiveMinimum", 0);
    case AISP_OPT_DURATION:
        return json_pack("{s:s, s:s}", "type", "string", "pattern", "^[0-9.]+(ms|s|m|min|h)$");
    case AISP_OPT_CHOICE:
        return json_pack("{s:s, s:o}", "type", "string", "enum", choices_of(o->meta));
    case AISP_OPT_TEXT:
    case AISP_OPT_PATH:
        break;
    }
    return json_pack("{s:s, s:i}", "type", "string", "minLength", 1);
}

static json_t *property_schema(const struct property *p)
{
    json_t *schema = type_of(p);

    if (repeats(p)) {
        schema = json_pack("{s:s, s:o}", "type", "array", "items", schema);
        if (p->operand && !p->operand->optional)
            json_object_set_new(schema, "minItems", json_integer(1));
    }
    json_object_set_new(schema, "description", json_string(p->option ? p->option->help : p->operand->help));
    if (p->option && p->option->preset && !repeats(p))
        json_object_set_new(schema, "default", preset_of(p->option));
    return schema;
}

json_t *aisp_ask_schema(const struct aisp_command *command, enum aisp_ask_right right)
{
    struct properties list;
    json_t *properties = json_object(), *required = json_array(), *schema;

    properties_of(command, right, &list);
    for (size_t i = 0; i < list.n; i++) {
        json_object_set_new(properties, list.of[i].name, property_schema(&list.of[i]));
        if (list.of[i].operand && !list.of[i].operand->optional)
            json_array_append_new(required, json_string(list.of[i].name));
    }
    schema = json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties, "additionalProperties", 0);
    if (json_array_size(required))
        json_object_set(schema, "required", required);
    json_decref(required);
    return schema;
}

/* ---- what was asked ---- */

static enum aisp_status unknown(const struct aisp_command *command, const struct properties *list, const char *name,
                                struct aisp_err *err)
{
    const char *known[MOST_PROPERTIES], *nearest;

    for (size_t i = 0; i < list->n; i++)
        known[i] = list->of[i].name;
    nearest = aisp_nearest(name, known, list->n);
    if (nearest)
        return aisp_fail(err, AISP_E_USAGE, "\"%s\" takes no \"%s\" here: is \"%s\" meant?", command->path, name, nearest);
    return aisp_fail(err, AISP_E_USAGE, "\"%s\" takes no \"%s\" here", command->path, name);
}

/* A value that names a file of whoever asks, where one that is no file would do as well. */
static bool names_file(const struct property *p, const char *text)
{
    const size_t n = strlen(text);

    if (p->operand)
        return p->operand->kind == AISP_OPERAND_NAME_OR_PATH && strchr(text, '/');
    return p->option->may_be_path && (strchr(text, '/') || (n >= 5 && !strcmp(text + n - 5, ".json")));
}

static enum aisp_status text_of(const struct property *p, const json_t *value, enum aisp_ask_right right, struct aisp_buf *out,
                                struct aisp_err *err)
{
    const char *text = json_string_value(value);

    if (!text)
        return aisp_fail(err, AISP_E_USAGE, "\"%s\" is not a string", p->name);
    if (!*text)
        return aisp_fail(err, AISP_E_USAGE, "\"%s\" is empty", p->name);
    if (strlen(text) != json_string_length(value))
        return aisp_fail(err, AISP_E_USAGE, "\"%s\" has a zero byte in it", p->name);
    if (right != AISP_ASK_RUN && names_file(p, text))
        return aisp_fail(err, AISP_E_USAGE, "\"%s\": %s names a file, and files are not offered here", p->name, text);
    aisp_buf_puts(out, text);
    return AISP_OK;
}

/* 3.0 is a whole number in JSON Schema, and what some clients send for 3. */
static enum aisp_status integer_of(const struct property *p, const json_t *value, struct aisp_buf *out, struct aisp_err *err)
{
    const struct aisp_option *o = p->option;
    const double real = json_number_value(value);
    json_int_t whole = json_integer_value(value);

    if (json_is_real(value) && real == floor(real) && fabs(real) < 9e15)
        whole = (json_int_t)real;
    else if (!json_is_integer(value))
        return aisp_fail(err, AISP_E_USAGE, "\"%s\" is not a whole number", p->name);
    if (o->low < o->high && (whole < o->low || whole > o->high))
        return aisp_fail(err, AISP_E_USAGE, "\"%s\" must be from %lld to %lld", p->name, (long long)o->low, (long long)o->high);
    aisp_buf_printf(out, "%lld", (long long)whole);
    return AISP_OK;
}

/* One value as the text that a command line has for it. */
static enum aisp_status value_text(const struct property *p, const json_t *value, enum aisp_ask_right right, struct aisp_buf *out,
                                   struct aisp_err *err)
{
    switch (kind_of(p)) {
    case AISP_OPT_INTEGER:
        return integer_of(p, value, out, err);
    case AISP_OPT_REAL:
        if (!json_is_number(value) || json_number_value(value) <= 0)
            return aisp_fail(err, AISP_E_USAGE, "\"%s\" is not a number above 0", p->name);
        aisp_buf_printf(out, "%.17g", json_number_value(value));
        return AISP_OK;
    default:
        return text_of(p, value, right, out, err);
    }
}

/* The words of one property; an option's begin with its name, so that none can be taken for another option. */
static enum aisp_status add_value(const struct property *p, const json_t *value, enum aisp_ask_right right,
                                  struct aisp_words *words, struct aisp_err *err)
{
    struct aisp_buf word = AISP_BUF_INIT;
    enum aisp_status st;

    if (p->option)
        aisp_buf_printf(&word, "--%s=", p->name);
    st = value_text(p, value, right, &word, err);
    if (!st)
        aisp_words_add(words, word.s);
    aisp_buf_release(&word);
    return st;
}

static enum aisp_status add_flag(const struct property *p, const json_t *value, struct aisp_words *words, struct aisp_err *err)
{
    char *word;

    if (!json_is_boolean(value))
        return aisp_fail(err, AISP_E_USAGE, "\"%s\" is not true or false", p->name);
    if (json_is_false(value))
        return AISP_OK;
    word = aisp_format("--%s", p->name);
    aisp_words_add(words, word);
    free(word);
    return AISP_OK;
}

static enum aisp_status add_property(const struct property *p, const json_t *value, enum aisp_ask_right right,
                                     struct aisp_words *words, struct aisp_err *err)
{
    const json_t *item;
    enum aisp_status st = AISP_OK;
    size_t i;

    if (kind_of(p) == AISP_OPT_FLAG)
        return add_flag(p, value, words, err);
    if (!repeats(p))
        return add_value(p, value, right, words, err);
    if (!json_is_array(value))
        return aisp_fail(err, AISP_E_USAGE, "\"%s\" is not an array", p->name);
    json_array_foreach(value, i, item)
        if (!st)
            st = add_value(p, item, right, words, err);
    return st;
}

static enum aisp_status add_options(const struct properties *list, const json_t *arguments, enum aisp_ask_right right,
                                    struct aisp_words *words, struct aisp_err *err)
{
    for (size_t i = 0; i < list->n; i++) {
        const json_t *value = json_object_get(arguments, list->of[i].name);
        enum aisp_status st;

        if (!value || !list->of[i].option)
            continue;
        st = add_property(&list->of[i], value, right, words, err);
        if (st)
            return st;
    }
    return AISP_OK;
}

/* Operands have places and not names: one may be left out only if none follows. */
static enum aisp_status add_operands(const struct aisp_command *command, const struct properties *list, const json_t *arguments,
                                     enum aisp_ask_right right, struct aisp_words *words, struct aisp_err *err)
{
    const struct property *left_out = NULL;

    aisp_words_add(words, "--");
    for (size_t i = 0; i < list->n && list->of[i].operand; i++) {
        const struct property *p = &list->of[i];
        const json_t *value = json_object_get(arguments, p->name);
        const size_t before = words->n;
        enum aisp_status st = value ? add_property(p, value, right, words, err) : AISP_OK;

        if (st)
            return st;
        if (words->n == before && !p->operand->optional)
            return aisp_fail(err, AISP_E_USAGE, "\"%s\" needs \"%s\": %s", command->path, p->name, p->operand->help);
        if (words->n > before && left_out)
            return aisp_fail(err, AISP_E_USAGE, "\"%s\" without \"%s\" before it", p->name, left_out->name);
        if (words->n == before)
            left_out = p;
    }
    return AISP_OK;
}

static void add_path(const char *path, struct aisp_words *words)
{
    for (const char *at = path; *at; at += strcspn(at, " "), at += *at == ' ') {
        char *word = aisp_format("%.*s", (int)strcspn(at, " "), at);

        aisp_words_add(words, word);
        free(word);
    }
}

enum aisp_status aisp_ask_words(const struct aisp_command *command, const json_t *arguments, enum aisp_ask_right right,
                                struct aisp_words *words, struct aisp_err *err)
{
    const size_t before = words->n;
    struct properties list;
    const char *name;
    const json_t *value;
    enum aisp_status st = AISP_OK;

    if (!aisp_ask_offered(command, right))
        return aisp_fail(err, AISP_E_REFUSED, "\"%s\" is not offered here: %s", command->path,
                         command->flags & AISP_CMD_TERMINAL ? "it needs a terminal of its own" : "it runs code or writes");
    if (arguments && !json_is_object(arguments))
        return aisp_fail(err, AISP_E_USAGE, "the arguments are not an object");
    properties_of(command, right, &list);
    json_object_foreach((json_t *)(uintptr_t)arguments, name, value)
        if (!st && !find(&list, name))
            st = unknown(command, &list, name, err);
    if (!st) {
        add_path(command->path, words);
        st = add_options(&list, arguments, right, words, err);
    }
    if (!st)
        st = add_operands(command, &list, arguments, right, words, err);
    while (st && words->n > before)
        free(words->word[--words->n]);
    if (st && !before)
        aisp_words_release(words);
    return st;
}

/* ---- from text ---- */

static json_t *flag_from(const char *text)
{
    if (!*text || !strcmp(text, "true") || !strcmp(text, "1"))
        return json_true();
    return !strcmp(text, "false") || !strcmp(text, "0") ? json_false() : NULL;
}

static json_t *number_from(const char *text, bool is_whole)
{
    char *end;
    double real;
    long long whole;

    errno = 0;
    whole = strtoll(text, &end, 10);
    if (is_whole)
        return errno || end == text || *end ? NULL : json_integer(whole);
    real = strtod(text, &end);
    return end == text || *end || !isfinite(real) ? NULL : json_real(real);
}

/* NULL: it is none of that kind. */
static json_t *value_from(const struct property *p, const char *text)
{
    switch (kind_of(p)) {
    case AISP_OPT_FLAG:
        return flag_from(text);
    case AISP_OPT_INTEGER:
    case AISP_OPT_REAL:
        return number_from(text, kind_of(p) == AISP_OPT_INTEGER);
    default:
        return json_string(text);
    }
}

static enum aisp_status take(const struct property *p, const char *text, json_t *object, struct aisp_err *err)
{
    static const char *const kinds[] = { [AISP_OPT_FLAG] = "true or false", [AISP_OPT_INTEGER] = "a whole number",
                                         [AISP_OPT_REAL] = "a number" };
    json_t *value = value_from(p, text), *list = json_object_get(object, p->name);

    if (!value)
        return aisp_fail(err, AISP_E_USAGE, "\"%s\" is not %s", p->name,
                         kind_of(p) < sizeof kinds / sizeof *kinds && kinds[kind_of(p)] ? kinds[kind_of(p)] : "UTF-8");
    if (!repeats(p) && list) {
        json_decref(value);
        return aisp_fail(err, AISP_E_USAGE, "\"%s\" is given twice", p->name);
    }
    if (!repeats(p)) {
        json_object_set_new(object, p->name, value);
        return AISP_OK;
    }
    if (!list)
        json_object_set_new(object, p->name, list = json_array());
    json_array_append_new(list, value);
    return AISP_OK;
}

json_t *aisp_ask_object(const struct aisp_command *command, const char *const *name, const char *const *value, size_t n,
                        enum aisp_ask_right right, struct aisp_err *err)
{
    json_t *object = json_object();
    struct properties list;
    enum aisp_status st = AISP_OK;

    properties_of(command, right, &list);
    for (size_t i = 0; i < n && !st; i++) {
        const struct property *p = find(&list, name[i]);

        st = p ? take(p, value[i] ? value[i] : "", object, err) : unknown(command, &list, name[i], err);
    }
    if (!st)
        return object;
    json_decref(object);
    return NULL;
}
