/* breaks.h - what the files of aisp-breaks share.
 * A break is one small edit of one line of a variant: a bound that is one off, a sign, a constant, a lost accumulation, a lost
 * barrier. Verification is worth what it finds of such, so they are made by the thousand, and not chosen by hand. The field
 * calls it mutation testing; a "mutant" is in this tree a changed output (core/judge/mutants.c), a break changes the source.
 *   tokens.c     a source as tokens                      operators.c  the edits that it admits
 *   program.c    programs run and waited for             objects.c    a break compiled as the build compiles variants
 *   shown.c      does it change an output at all?        verified.c   what `bench verify` says of it
 *   target.c     one target from its breaks to counts    table.c      all targets in a table
 */
#ifndef BREAKS_H
#define BREAKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/buf.h"
#include "core/catalogue.h"

/* ---- tokens.c ---- */

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_SIGN, TOKEN_TEXT };

struct token {
    enum token_kind kind;
    size_t at, n;                /* bytes of the source */
    int line;                    /* from 1 */
    int depth;                   /* of braces around it; 0: outside of functions */
    bool is_inert;               /* of a declaration to the harness: no code */
};

struct tokens {
    char *source;                /* the whole file, ended by 0 */
    struct token *item;
    size_t n, cap;
};

/* false: the file cannot be read. */
bool tokens_read(struct tokens *tokens, const char *path);
void tokens_release(struct tokens *tokens);
bool token_is(const struct tokens *tokens, size_t i, const char *text);   /* false beyond the ends as well */

/* ---- operators.c ---- */

struct edit {
    const char *operator;        /* "bound", "sync" */
    size_t at, n;                /* bytes that are replaced */
    char with[96];
    int line;
};

struct edits { struct edit *item; size_t n, cap; };

/* All edits that the source admits, by operators' order; caller frees edits->item. */
void edits_find(const struct tokens *tokens, struct edits *edits);
/* In the order in which they are tried: a random one of each operator, then a second of each, and so on. */
void edits_shuffle(struct edits *edits, uint64_t seed);

/* ---- program.c ---- */

struct program_result {
    int exit_code;               /* -1: it was ended by a signal or could not be started */
    bool is_timed_out;
    char *out;                   /* standard output; caller frees */
};

/* Standard error goes nowhere; its process group is ended after limit_s seconds. */
void program_run(const char *const *argv, int limit_s, struct program_result *result);
/* A member that is a string; "" where there is none. Borrowed. */
const char *text_of(const json_t *object, const char *key);
void folder_remove(const char *folder);

/* ---- one break, and what became of it ---- */

enum fate {
    FATE_NONE,
    FATE_LEFT_OUT,               /* enough others of the variant were shown */
    FATE_NO_COMPILE,
    FATE_EQUAL,                  /* no bit of an output changed at any size that was tried */
    FATE_WITHIN,                 /* bits changed, and all within the problem's tolerance */
    FATE_NOT_SHOWN,              /* where variants cannot be run plainly: verification saw nothing */
    FATE_SHOWN,                  /* it changes an output, crashes or hangs: what verification has to find */
    FATE_OUTPUT,                 /* found, by an output */
    FATE_CRASH,                  /* found, by its end: a crash, a hang, or an error that it returned */
    FATE_OTHER,                  /* found, by another check */
    FATE_MISSED,
    N_FATES
};

struct attempt {
    struct edit edit;
    int variant, number;         /* of the target's variants; of its objects */
    enum fate fate;
    char where[160];             /* the size at which it showed, or where it was missed; or the check that found it */
    char line[160];              /* the line as it was */
};

struct settings {
    const char *build, *bench_root, *source;   /* programs; objects; sources, chapters/ and below */
    const char *only, *work;
    int per_variant, tries, jobs;
    uint64_t seed;
    bool show_all;
};

struct job {
    const struct settings *settings;
    const struct aisp_target *target;
    char *folder;                /* of its own, below work */
    char *source;                /* chapters/ch01/dot_ilp */
    struct attempt *attempt;
    size_t n, cap;
    bool is_plain;               /* aisp-plain can run this problem */
};

/* objects.c: the break's object, FOLDER/plain/optimized_bNUMBER.so. False: it does not compile. */
bool object_make(const struct job *job, const struct tokens *tokens, const struct attempt *attempt);
/* An object of the build under another name, in a folder that is made. */
void object_copy(const char *from, const char *folder, const char *name);
char *object_path(const struct job *job, int number);

/* shown.c: settles the fates of attempts first .. n - 1 that compiled. */
void shown_settle(struct job *job, size_t first);

/* verified.c: settles FATE_SHOWN. */
void verified_settle(struct job *job);

/* target.c: all of one target; a line of JSON for each attempt goes to `to`. */
void target_run(struct job *job, FILE *to);

/* table.c: such lines, of all targets, as a table with a row a chapter, and what was missed. *n_found and *n_missed: of all. */
void table_print(const struct settings *settings, FILE *lines, int *n_found, int *n_missed);

const char *fate_name(enum fate fate);

#endif
