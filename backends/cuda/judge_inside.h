/* judge_inside.h - the supervisor's end of the judge, as its three files share it:
 *   judge.c         what judge.h promises, in operations
 *   judge_talk.c    batches, frames, replies
 *   judge_spawn.c   the process */
#ifndef AISP_CUDA_JUDGE_INSIDE_H
#define AISP_CUDA_JUDGE_INSIDE_H

#include <stdbool.h>
#include <sys/types.h>

#include "backends/cuda/judge_wire.h"

/* What is done with an operation's answer; any may be NULL. */
struct judge_wish {
    void *to; /* n bytes of the mirror go there */
    size_t n;
    int64_t *value;
    int *fd;
};

struct judge_frame {
    char *data;      /* in the mirror */
    size_t at, used; /* offset there, bytes taken */
    bool is_under_way;
    struct wire_batch batch;
    struct judge_wish wish[WIRE_OPS];
    int64_t patience_ns; /* where that is more than for others */
};

struct cuda_judge {
    pid_t pid;
    int pidfd, socket, mirror_fd, log_fd;
    off_t log_told; /* what of its log was made use of */
    char *mirror;
    bool is_dead;            /* `failure` says why, whatever is asked */
    struct aisp_err failure; /* the first that nobody was told yet; status AISP_OK: none */
    uint64_t sequence;
    int current; /* the frame that is being filled */
    struct judge_frame frame[WIRE_FRAMES];
    struct cuda_place *place;
    int n_places;
    char *whole; /* a tensor that only the host can make, or look at, in one piece */
    size_t whole_bytes;
};

/* judge_spawn.c. Errors: AISP_E_UNAVAILABLE, AISP_E_NO_MEMORY. */
enum aisp_status judge_spawn(struct cuda_judge *j, const char *library, struct aisp_err *err);
/* Ends it, if it lives, after `grace_ns` for an end of its own; `how` gets "signal 9", "exit status
 * 1", or that and what it logged last. */
void judge_end(struct cuda_judge *j, int64_t grace_ns, char how[300]);
/* The last line that it logged since it was asked before; empty if there is none. */
void judge_last_words(struct cuda_judge *j, char words[200]);

/* judge_talk.c. The next operation, with n bytes of the mirror (at most WIRE_FRAME); where the
 * frame is full it is sent first. */
struct wire_op *judge_next(struct cuda_judge *j, enum wire_kind kind, int buffer, size_t n,
                           struct judge_wish wish);
char *judge_at(struct cuda_judge *j, const struct wire_op *op); /* its bytes */
/* How many bytes of `n` the next operation should carry, a multiple of `unit` or all that are
 * left. */
size_t judge_portion(struct cuda_judge *j, uint64_t n, size_t unit);
void judge_be_patient(struct cuda_judge *j, int64_t ns); /* with the batch that is being filled */
void judge_submit(struct cuda_judge *j);
enum aisp_status judge_finish(struct cuda_judge *j, struct aisp_err *err);

#endif
