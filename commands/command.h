/* command.h - what a command is: one row of a table, from which every door is made.
 *   AISP_COMMAND(bench_show) = { .path = "bench show", .sentence = "...", ..., .run = run, .render = render };
 * Parsing, errors with the nearest name, --help, man pages, completion and the reference come from the row (args.c, help.c,
 * man.c, completion.c); a front-end adds only what is its own: where text goes, what a terminal is, how it is stopped.
 * Not here: printing and exiting (cli/).
 * A command returns one JSON value and an exit code; its text form is rendered from that value alone, so the two agree. */
#ifndef AISP_COMMANDS_COMMAND_H
#define AISP_COMMANDS_COMMAND_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/section.h"

/* The first that applies is the program's: from top to bottom. */
enum aisp_exit {
    AISP_EXIT_BUG = 70,           /* our own mistake */
    AISP_EXIT_STORE = 1,          /* the store, the disk or a permission failed us */
    AISP_EXIT_INVALID = 3,        /* a variant was wrong, refused or crashed; the rest went on */
    AISP_EXIT_GATE = 4,           /* --gate: slower or unsure */
    AISP_EXIT_NOTHING = 5,        /* nothing of what was asked can run here */
    AISP_EXIT_OK = 0,
    AISP_EXIT_USAGE = 2,          /* bad input: one line says what, where, what to do */
    AISP_EXIT_INTERRUPTED = 130,
};

enum aisp_option_kind {
    AISP_OPT_FLAG,       /* no value */
    AISP_OPT_TEXT,
    AISP_OPT_PATH,       /* a file or folder of whoever asks: a door for others does not offer it (doors/ask.h) */
    AISP_OPT_INTEGER,    /* low <= value <= high, where low < high */
    AISP_OPT_REAL,       /* above 0 */
    AISP_OPT_DURATION,   /* 250ms 10s 2m 1h */
    AISP_OPT_CHOICE,     /* one of `meta`, written a|b|c */
};

struct aisp_option {
    const char *name;             /* "time-limit" */
    char letter;                  /* 't', or 0 */
    enum aisp_option_kind kind;
    bool repeats;                 /* may be given more than once, and then is a list */
    const char *meta;             /* "TARGET", or the choices "none|minimal" */
    const char *help;             /* one sentence without the full stop */
    const char *preset;           /* value if not given, or NULL */
    int64_t low, high;
    bool writes, runs_code;       /* flags that make the command one of AISP_CMD_WRITES, of AISP_CMD_RUNS_CODE */
    bool may_be_path;             /* a name that with a '/', or .json at its end, is a file of whoever asks */
};

enum aisp_operand_kind { AISP_OPERAND_NAME, AISP_OPERAND_PATH, AISP_OPERAND_NAME_OR_PATH /* with a '/' it is a path */ };

struct aisp_operand {
    const char *name, *help;
    bool optional, repeats;       /* only the last operand may repeat */
    enum aisp_operand_kind kind;
};

enum {
    AISP_CMD_READS_STORE = 1,
    AISP_CMD_RUNS_CODE = 2,       /* starts a worker or a compiler */
    AISP_CMD_LONG = 8,            /* shows progress, can be stopped */
    AISP_CMD_TERMINAL = 16,       /* talks with a user at a terminal, or is a door itself: nothing for other doors */
    AISP_CMD_WRITES = 32,         /* changes or makes files, or takes from the store; that runs are recorded is RUNS_CODE */
};

/* ---- what was asked ---- */

struct aisp_value { const struct aisp_option *option; const char **text; size_t n, cap; };

struct aisp_command;
struct aisp_args {
    const struct aisp_command *command;
    struct aisp_value *value;     /* the command's options, then the common ones */
    size_t n_values;
    const char **operand;         /* borrowed from argv */
    size_t n_operands, cap_operands;
};

/* Asking for an option that the row does not have is a bug. What is not given is the preset, else false, NULL or 0. */
bool aisp_args_given(const struct aisp_args *args, const char *name);
bool aisp_args_flag(const struct aisp_args *args, const char *name);
const char *aisp_args_text(const struct aisp_args *args, const char *name);
int64_t aisp_args_integer(const struct aisp_args *args, const char *name);
double aisp_args_real(const struct aisp_args *args, const char *name);
int64_t aisp_args_duration_ns(const struct aisp_args *args, const char *name);
const char *const *aisp_args_list(const struct aisp_args *args, const char *name, size_t *n);

/* What a front-end gives to a command. */
struct aisp_console {
    void (*note)(void *context, const char *line);         /* something the user should know meanwhile; or NULL */
    void (*progress)(void *context, const char *line);     /* replaces the line before; NULL: nobody watches */
    void *context;
    const volatile int *stop;                              /* set by an interrupt; or NULL */
    void (*line)(void *context, const char *line);         /* a part of the answer that is ready, where text is wanted; or NULL */
    /* What happens, as a value, for who draws it; or NULL:
     *   {"event": "progress", "target", "variant", "point": of a sweep or "", "phase", "done", "of", "pairs", "ratio": so far or null, "left_s": about}
     *   {"event": "result", "result": one that was kept, as in result.h} */
    void (*event)(void *context, const json_t *event);
};

struct aisp_request {
    const struct aisp_args *args;
    const char *bench_root;       /* folder of built targets */
    const char *artifacts_dir;
    const struct aisp_console *console;
    struct aisp_err *err;         /* the command's to fill when it returns a status */
};

void aisp_note(const struct aisp_request *request, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How text is shown. */
struct aisp_style { bool color; int columns; };
#define AISP_PAINT_BOLD "1"
#define AISP_PAINT_GREEN "32"
#define AISP_PAINT_RED "31"
#define AISP_PAINT_DIM "2"
/* The text padded to `width` (negative: to the right), in colour where that is wanted. */
void aisp_paint(struct aisp_buf *out, const struct aisp_style *style, const char *paint, int width, const char *text);

struct aisp_command {
    const char *path;             /* "bench show" */
    const char *sentence;         /* what it does, without the full stop */
    const char *example;          /* a whole command line, or several, one each line */
    const struct aisp_operand *operand;    /* ends with a NULL name; or NULL */
    const struct aisp_option *option;      /* ends with a NULL name; or NULL */
    unsigned flags;
    /* On AISP_OK *value is the caller's to release and *exit_code says how it went. Else *value stays NULL, and the exit
     * code follows from the status. */
    enum aisp_status (*run)(const struct aisp_request *request, json_t **value, int *exit_code);
    void (*render)(const json_t *value, const struct aisp_style *style, struct aisp_buf *out);
};

AISP_TABLE(aisp_commands, struct aisp_command);
#define AISP_COMMAND(name) AISP_ROW(aisp_commands, struct aisp_command, name)

/* ---- the table ---- */

/* All commands sorted by path; caller frees. */
const struct aisp_command **aisp_commands_sorted(size_t *n);
/* The options that every command has: --json --help --bench-root --artifacts-dir --no-color. Ends with a NULL name. */
extern const struct aisp_option aisp_common_options[];

/* Parse a command line without the program's name. *args is initialised here; release it also after an error.
 * Errors: AISP_E_USAGE, with the nearest name for what is unknown. A line that names only the beginning of commands
 * ("bench") or nothing is answered with args->command NULL and *topic: what help is wanted. */
enum aisp_status aisp_args_parse(struct aisp_args *args, int argc, const char *const *argv, const char **topic,
                                 struct aisp_err *err);
void aisp_args_release(struct aisp_args *args);

/* Run a parsed command. Fills the request's root and folder from the options. */
enum aisp_status aisp_command_run(const struct aisp_args *args, const struct aisp_console *console, json_t **value,
                                  int *exit_code, struct aisp_err *err);
enum aisp_exit aisp_exit_of(enum aisp_status status);
/* A command's value as it is to be shown: JSON if that was asked for, else its text. */
void aisp_command_text(const struct aisp_args *args, const json_t *value, const struct aisp_style *style, struct aisp_buf *out);

/* ---- what is made from it ---- */

void aisp_help_command(const struct aisp_command *command, struct aisp_buf *out);
/* All commands whose path begins with `topic` ("" = all). */
void aisp_help_topic(const char *topic, struct aisp_buf *out);
void aisp_man_page(const struct aisp_command *command, struct aisp_buf *out);       /* NULL: aisp(1) */
void aisp_reference(struct aisp_buf *out);                                          /* Markdown */
void aisp_completion_bash(struct aisp_buf *out);
/* "-t, --targets TARGET" */
void aisp_option_spelling(const struct aisp_option *option, struct aisp_buf *out);
/* "aisp bench show TARGET [options]" */
void aisp_command_usage(const struct aisp_command *command, struct aisp_buf *out);

/* The nearest of n names by edit distance; NULL if none is near (more than a third of it would have to change). */
const char *aisp_nearest(const char *name, const char *const *known, size_t n);

#endif
