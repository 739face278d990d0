/* args.c - a command line into typed values, by the table alone.
 * Not here: what the values mean (each command).
 * Why everything is converted while parsing: a wrong value is told before anything was started,
 * and the accessors cannot fail. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"

const struct aisp_option aisp_common_options[] = {
    { "json", 0, AISP_OPT_FLAG, .help = "Print one JSON value instead of text" },
    { "help", 'h', AISP_OPT_FLAG, .help = "Show what the command does, with an example" },
    { "bench-root", 0, AISP_OPT_PATH, .meta = "DIR",
      .help = "Folder of built targets (default: targets beside the program)" },
    { "artifacts-dir", 0, AISP_OPT_PATH, .meta = "DIR", .help = "Folder that remembers runs",
      .preset = "artifacts" },
    { "no-color", 0, AISP_OPT_FLAG,
      .help = "No colour, also if a terminal could show it (as NO_COLOR in the environment)" },
    { 0 },
};

/* ---- conversions ---- */

static bool to_integer(const char *text, int64_t *value)
{
    char *end;
    long long v;

    errno = 0;
    v = strtoll(text, &end, 10);
    if (errno || end == text || *end || isspace((unsigned char)*text))
        return false;
    *value = v;
    return true;
}

static bool to_real(const char *text, double *value)
{
    char *end;
    double v = strtod(text, &end);

    if (end == text || *end || !isfinite(v) || v <= 0)
        return false;
    *value = v;
    return true;
}

static bool to_duration(const char *text, int64_t *ns)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {
        { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 },
    };
    char *end;
    double v = strtod(text, &end);

    if (end == text || !isfinite(v) || v <= 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(end, units[i].unit) && v * units[i].ns >= 1 && v * units[i].ns < 1e18) {
            *ns = (int64_t)(v * units[i].ns);
            return true;
        }
    return false;
}

static bool is_choice(const char *choices, const char *text)
{
    const size_t n = strlen(text);

    for (const char *at = choices; at && *at && n; at += strcspn(at, "|"), at += *at == '|')
        if (strcspn(at, "|") == n && !memcmp(at, text, n))
            return true;
    return false;
}

static enum aisp_status check_value(const struct aisp_option *o, const char *text,
                                    struct aisp_err *err)
{
    int64_t whole;
    double real;

    switch (o->kind) {
    case AISP_OPT_FLAG:
    case AISP_OPT_TEXT:
    case AISP_OPT_PATH:
        if (o->kind != AISP_OPT_FLAG && !*text)
            return aisp_fail(err, AISP_E_USAGE, "--%s: %s is empty", o->name, o->meta);
        return AISP_OK;
    case AISP_OPT_INTEGER:
        if (!to_integer(text, &whole))
            return aisp_fail(err, AISP_E_USAGE, "--%s %s: not a whole number", o->name, text);
        if (o->low < o->high && (whole < o->low || whole > o->high))
            return aisp_fail(err, AISP_E_USAGE, "--%s %s: must be from %lld to %lld", o->name, text,
                             (long long)o->low, (long long)o->high);
        return AISP_OK;
    case AISP_OPT_REAL:
        return to_real(text, &real)
                   ? AISP_OK
                   : aisp_fail(err, AISP_E_USAGE, "--%s %s: not a number above 0", o->name, text);
    case AISP_OPT_DURATION:
        return to_duration(text, &whole)
                   ? AISP_OK
                   : aisp_fail(err, AISP_E_USAGE,
                               "--%s %s: not a duration such as 500ms, 10s or 2m", o->name, text);
    case AISP_OPT_CHOICE:
        return is_choice(o->meta, text) ? AISP_OK
                                        : aisp_fail(err, AISP_E_USAGE, "--%s %s: must be one of %s",
                                                    o->name, text, o->meta);
    }
    AISP_BUG("option %s has no kind", o->name);
}

/* ---- accessors ---- */

static struct aisp_value *find_value(const struct aisp_args *args, const char *name, size_t n)
{
    for (size_t i = 0; i < args->n_values; i++)
        if (strlen(args->value[i].option->name) == n &&
            !memcmp(args->value[i].option->name, name, n))
            return &args->value[i];
    return NULL;
}

static const struct aisp_value *value_of(const struct aisp_args *args, const char *name)
{
    const struct aisp_value *v = find_value(args, name, strlen(name));

    if (!v)
        AISP_BUG("\"%s\" has no option --%s", args->command ? args->command->path : "", name);
    return v;
}

bool aisp_args_given(const struct aisp_args *args, const char *name)
{
    return value_of(args, name)->n > 0;
}

bool aisp_args_flag(const struct aisp_args *args, const char *name)
{
    return aisp_args_given(args, name);
}

const char *aisp_args_text(const struct aisp_args *args, const char *name)
{
    const struct aisp_value *v = value_of(args, name);

    return v->n ? v->text[v->n - 1] : v->option->preset;
}

int64_t aisp_args_integer(const struct aisp_args *args, const char *name)
{
    const char *text = aisp_args_text(args, name);
    int64_t value = 0;

    if (text && !to_integer(text, &value))
        AISP_BUG("--%s %s", name, text);
    return value;
}

double aisp_args_real(const struct aisp_args *args, const char *name)
{
    const char *text = aisp_args_text(args, name);
    double value = 0;

    if (text && !to_real(text, &value))
        AISP_BUG("--%s %s", name, text);
    return value;
}

int64_t aisp_args_duration_ns(const struct aisp_args *args, const char *name)
{
    const char *text = aisp_args_text(args, name);
    int64_t value = 0;

    if (text && !to_duration(text, &value))
        AISP_BUG("--%s %s", name, text);
    return value;
}

const char *const *aisp_args_list(const struct aisp_args *args, const char *name, size_t *n)
{
    const struct aisp_value *v = value_of(args, name);

    *n = v->n;
    return v->text;
}

/* ---- parsing ---- */

struct line {
    struct aisp_args *args;
    const char *const *argv;
    int argc, at;
};

static void push(struct aisp_value *v, const char *text)
{
    *(const char **)aisp_grow(&v->text, &v->n, &v->cap, sizeof *v->text) = text;
}

static void add_options(struct aisp_args *args, const struct aisp_option *option)
{
    size_t cap = args->n_values;

    for (; option && option->name; option++) {
        args->value = realloc(args->value, (args->n_values + 1) * sizeof *args->value);
        if (!args->value)
            AISP_BUG("out of memory: %zu options", cap);
        args->value[args->n_values++] = (struct aisp_value){ .option = option };
    }
}

static enum aisp_status unknown_option(const struct aisp_args *args, const char *name,
                                       struct aisp_err *err)
{
    const char **known = aisp_xcalloc(args->n_values, sizeof *known), *nearest;
    char *bare = aisp_xstrdup(name);
    enum aisp_status st;

    bare[strcspn(bare, "=")] = '\0';
    for (size_t i = 0; i < args->n_values; i++)
        known[i] = args->value[i].option->name;
    nearest = aisp_nearest(bare, known, args->n_values);
    if (nearest)
        st = aisp_fail(err, AISP_E_USAGE, "unknown option --%s of \"aisp %s\": did you mean --%s?",
                       bare, args->command->path, nearest);
    else
        st = aisp_fail(err, AISP_E_USAGE,
                       "unknown option --%s; \"aisp %s --help\" lists what there is", bare,
                       args->command->path);
    free(bare);
    free(known);
    return st;
}

static enum aisp_status take_value(struct line *line, struct aisp_value *v, const char *inline_text,
                                   struct aisp_err *err)
{
    const struct aisp_option *o = v->option;
    const char *text = inline_text;
    enum aisp_status st;

    if (o->kind == AISP_OPT_FLAG) {
        if (inline_text)
            return aisp_fail(err, AISP_E_USAGE, "--%s takes no value", o->name);
        text = "";
    } else if (!text) {
        if (line->at + 1 >= line->argc)
            return aisp_fail(err, AISP_E_USAGE, "--%s needs a value: %s", o->name, o->meta);
        text = line->argv[++line->at];
    }
    st = check_value(o, text, err);
    if (st)
        return st;
    if (v->n && !o->repeats && o->kind != AISP_OPT_FLAG)
        return aisp_fail(err, AISP_E_USAGE, "--%s is given twice: %s and %s", o->name,
                         v->text[v->n - 1], text);
    push(v, text);
    return AISP_OK;
}

static enum aisp_status take_long(struct line *line, const char *word, struct aisp_err *err)
{
    const size_t n = strcspn(word, "=");
    struct aisp_value *v = find_value(line->args, word, n);

    if (!v)
        return unknown_option(line->args, word, err);
    return take_value(line, v, word[n] ? word + n + 1 : NULL, err);
}

/* "-t ch07", "-tch07", "-h" */
static enum aisp_status take_short(struct line *line, const char *word, struct aisp_err *err)
{
    for (size_t i = 0; i < line->args->n_values; i++) {
        struct aisp_value *v = &line->args->value[i];

        if (v->option->letter == word[0])
            return take_value(line, v, word[1] ? word + 1 : NULL, err);
    }
    return aisp_fail(err, AISP_E_USAGE,
                     "unknown option -%c; \"aisp %s --help\" lists what there is", word[0],
                     line->args->command->path);
}

/* How many words of the path stand at the line's beginning; -1 if not all of them do. */
static int match_path(const char *path, int argc, const char *const *argv)
{
    int n = 0;

    while (*path) {
        const size_t word = strcspn(path, " ");

        if (n >= argc || strlen(argv[n]) != word || memcmp(argv[n], path, word))
            return -1;
        n++;
        path += word;
        path += *path == ' ';
    }
    return n;
}

static const struct aisp_command *find_command(int argc, const char *const *argv, int *n_words)
{
    const struct aisp_command *found = NULL;

    *n_words = 0;
    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    {
        const int n = match_path(c->path, argc, argv);

        if (n > *n_words) {
            *n_words = n;
            found = c;
        }
    }
    return found;
}

static bool is_beginning(const char *words)
{
    const size_t n = strlen(words);

    AISP_FOR_EACH(aisp_commands, struct aisp_command, c)
    if (!strncmp(c->path, words, n) && c->path[n] == ' ')
        return true;
    return false;
}

static enum aisp_status unknown_command(int argc, const char *const *argv, struct aisp_err *err)
{
    struct aisp_buf words = AISP_BUF_INIT;
    size_t n;
    const struct aisp_command **all = aisp_commands_sorted(&n);
    const char **known = aisp_xcalloc(n, sizeof *known), *nearest;
    char group_name[64] = "";
    enum aisp_status st;

    aisp_buf_puts(&words, argv[0]);
    if (is_beginning(argv[0]) && argc > 1)
        aisp_buf_printf(&words, " %s", argv[1]);
    for (size_t i = 0; i < n; i++)
        known[i] = all[i]->path;
    nearest = aisp_nearest(words.s, known, n);
    for (size_t i = 0; i < n && !nearest; i++) {
        const char *space = strchr(known[i], ' ');
        char *group = aisp_format("%.*s", (int)strcspn(known[i], " "), known[i]);

        /* "list-targets" means "bench list-targets", "benc run" means "bench" */
        if (space && !strcmp(space + 1, words.s))
            nearest = known[i];
        else if (space && aisp_nearest(argv[0], (const char *const *)&group, 1))
            nearest = strncpy(group_name, group, sizeof group_name - 1);
        free(group);
    }
    if (nearest)
        st = aisp_fail(err, AISP_E_USAGE, "unknown command \"%s\": did you mean \"aisp %s\"?",
                       words.s, nearest);
    else
        st = aisp_fail(err, AISP_E_USAGE,
                       "unknown command \"%s\"; \"aisp --help\" lists what there is", words.s);
    aisp_buf_release(&words);
    free(known);
    free(all);
    return st;
}

static enum aisp_status check_operands(const struct aisp_args *args, struct aisp_err *err)
{
    const struct aisp_operand *o = args->command->operand;
    size_t i = 0;

    for (; o && o->name; o++) {
        if (i >= args->n_operands && !o->optional)
            return aisp_fail(err, AISP_E_USAGE, "\"aisp %s\" needs %s: %s", args->command->path,
                             o->name, o->help);
        if (o->repeats)
            return AISP_OK;
        i++;
    }
    if (args->n_operands > i)
        return aisp_fail(err, AISP_E_USAGE, "\"aisp %s\" does not know what to do with \"%s\"%s",
                         args->command->path, args->operand[i],
                         find_value(args, "targets", 7) ? "; targets are named by -t" : "");
    return AISP_OK;
}

static enum aisp_status parse_words(struct line *line, struct aisp_err *err)
{
    bool options = true;
    enum aisp_status st;

    for (; line->at < line->argc; line->at++) {
        const char *word = line->argv[line->at];

        if (options && !strcmp(word, "--")) {
            options = false;
            continue;
        }
        if (options && word[0] == '-' && word[1] == '-')
            st = take_long(line, word + 2, err);
        else if (options && word[0] == '-' && word[1])
            st = take_short(line, word + 1, err);
        else {
            struct aisp_args *a = line->args;

            *(const char **)aisp_grow(&a->operand, &a->n_operands, &a->cap_operands,
                                      sizeof *a->operand) = word;
            st = AISP_OK;
        }
        if (st)
            return st;
    }
    return AISP_OK;
}

/* "utils --tool kv-cache -- --layers 80" means "utils kv-cache --layers 80". The same words in a list of our own, caller frees;
 * NULL: it is not spelled so. */
static const char **respelled(int *argc, const char *const *argv)
{
    const char *joined = *argc > 1 && !strncmp(argv[1], "--tool=", 7) ? argv[1] + 7 : NULL;
    const char *tool = joined ? joined : *argc > 2 && !strcmp(argv[1], "--tool") ? argv[2] : NULL;
    const char **words;
    int at = joined ? 2 : 3, n = 2;

    if (!tool || strcmp(argv[0], "utils"))
        return NULL;
    words = aisp_xcalloc((size_t)*argc + 1, sizeof *words);
    words[0] = argv[0];
    words[1] = tool;
    if (at < *argc && !strcmp(argv[at], "--"))
        at++;
    while (at < *argc)
        words[n++] = argv[at++];
    *argc = n;
    return words;
}

static enum aisp_status parse(struct aisp_args *args, int argc, const char *const *argv, const char **topic,
                              struct aisp_err *err)
{
    struct line line = { args, argv, argc, 0 };
    enum aisp_status st;
    int n_words;

    *args = (struct aisp_args){ 0 };
    *topic = "";
    if (argc == 0 || !strcmp(argv[0], "--help") || !strcmp(argv[0], "-h"))
        return AISP_OK;
    if (!strcmp(argv[0], "--version")) {
        static const char *const version[] = { "version" };

        line.argv = argv = version;
        line.argc = argc = 1;
    }
    args->command = find_command(argc, argv, &n_words);
    if (!args->command) {
        *topic = argv[0];
        if (is_beginning(argv[0]) && (argc == 1 || argv[1][0] == '-'))
            return AISP_OK;
        return unknown_command(argc, argv, err);
    }
    add_options(args, args->command->option);
    add_options(args, aisp_common_options);
    line.at = n_words;
    st = parse_words(&line, err);
    if (!st && !aisp_args_flag(args, "help"))
        st = check_operands(args, err);
    return st;
}

enum aisp_status aisp_args_parse(struct aisp_args *args, int argc, const char *const *argv,
                                 const char **topic, struct aisp_err *err)
{
    const char **words = respelled(&argc, argv);
    const enum aisp_status st = parse(args, argc, words ? words : argv, topic, err);

    free(words);
    return st;
}

void aisp_args_release(struct aisp_args *args)
{
    for (size_t i = 0; i < args->n_values; i++)
        free(args->value[i].text);
    free(args->value);
    free(args->operand);
    *args = (struct aisp_args){ 0 };
}
