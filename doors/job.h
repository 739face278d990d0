/* job.h - one command line, run through the command table in a child process, whose notes, progress, value and text come back
 * over a pipe.
 * Not here: what is made of them (views/, simple.c).
 * Why a child: a long command neither blocks a key nor shares its time with the drawing, can be interrupted as from a shell,
 * and a mistake of ours ends it and not the terminal's owner. */
#ifndef AISP_DOORS_JOB_H
#define AISP_DOORS_JOB_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#include "core/base/buf.h"
#include "core/base/err.h"

/* ---- words of a command line ---- */

struct aisp_words { char **word; size_t n, cap; };
#define AISP_WORDS_INIT { 0 }
void aisp_words_add(struct aisp_words *words, const char *word);
/* The list ends with NULL. */
void aisp_words_add_all(struct aisp_words *words, const char *const *list);
/* --bench-root and --artifacts-dir, which are the front-end's own in every command line. */
void aisp_words_add_folders(struct aisp_words *words, const char *bench_root, const char *artifacts_dir);
void aisp_words_release(struct aisp_words *words);
/* `from` with the options that every command line gets (names and values in turn), where it does not give them itself; before a
 * "--", behind which all is operands. */
void aisp_words_add_common(struct aisp_words *to, const struct aisp_words *from, const struct aisp_words *common);
/* "bench run -t 'ch0*'" -> words, with quotes as a shell has them. False: a quote is left open (the rest is one word then). */
bool aisp_words_split(struct aisp_words *words, const char *line);
/* And back, quoted where needed. */
void aisp_words_join(const struct aisp_words *words, struct aisp_buf *out);

/* ---- the job ---- */

/* What comes meanwhile: text of the console, or a value as in struct aisp_console's event. Lines come where text alone is wanted;
 * else all of the answer is in the value, as with --json. */
enum aisp_job_says { AISP_JOB_NOTE, AISP_JOB_PROGRESS, AISP_JOB_LINE, AISP_JOB_EVENT };
typedef void aisp_job_listener(void *context, enum aisp_job_says says, const char *text, const json_t *event);

enum { AISP_JOB_WANTS_VALUE = 1, AISP_JOB_WANTS_TEXT = 2, AISP_JOB_WANTS_COLOR = 4, AISP_JOB_WANTS_GZIP = 8 /* of the text */ };

struct aisp_answer {
    int exit_code;
    enum aisp_status status;                 /* of the error; AISP_OK: there is none, or it ended without saying */
    json_t *value;                           /* NULL: there is none, see error */
    char *text, *error;                      /* NULL: none */
    void *gzip;                              /* the text again; NULL: it was not wanted, or would not be smaller */
    size_t gzip_n;
};

struct aisp_job {
    pid_t pid;                               /* 0: not running */
    int fd, stray_fd;                        /* frames; what the command printed past its console */
    bool has_end;                            /* the exit code has come */
    int n_stops;
    struct aisp_buf in, stray;
    struct aisp_answer answer;
};
/* Of an answer: whoever asks in this way has no use for more, and it lies here several times over. */
enum { AISP_JOB_MOST_BYTES = 16 << 20 };
#define AISP_JOB_INIT { .fd = -1, .stray_fd = -1 }

/* Errors: AISP_E_IO (no process or pipe). What is wrong with the words is the job's answer. */
enum aisp_status aisp_job_start(struct aisp_job *job, const struct aisp_words *words, int wants, int columns,
                                struct aisp_err *err);
/* Take what has come, up to some MiB; true once the command has ended and job->answer is whole. Does not block. */
bool aisp_job_read(struct aisp_job *job, aisp_job_listener *listener, void *context);
/* Interrupt it: once asks, twice insists, a third time kills. */
void aisp_job_stop(struct aisp_job *job);
/* Wait until it has ended, at most so long; false: it has not. */
bool aisp_job_wait(struct aisp_job *job, int timeout_ms);
/* Who still runs is interrupted, given some seconds to end its record, and then killed. */
void aisp_job_release(struct aisp_job *job);
/* The same without patience: for commands that only read. */
void aisp_job_drop(struct aisp_job *job);
/* Too much of an answer has come already: then it was dropped, which is the job's error now. An answer comes last, when what the
 * command had to do is done. */
bool aisp_job_is_too_long(struct aisp_job *job);

#endif
