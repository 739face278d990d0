/* judge_wire.h - what the supervisor and aisp-judge-cuda say to each other. One batch of operations
 * at a time over a socket that keeps messages whole, one reply to each, in order; bulk data lie in
 * a memory file that both map, the mirror. The mirror is a page of the judge's own and two frames:
 * while the judge works on a batch whose data are in one, the supervisor fills, or empties, the
 * other. So at most two batches are under way. Both ends are ours and of one build: there is no
 * version, and sizes are those of the compiler. */
#ifndef AISP_CUDA_JUDGE_WIRE_H
#define AISP_CUDA_JUDGE_WIRE_H

#include <stdint.h>

#include "backends/cuda/judge.h"
#include "backends/cuda/judge_plan.h"

enum {
    WIRE_FD_SOCKET = 3,
    WIRE_FD_MIRROR = 4
}; /* which the judge starts with; 1 and 2 are its log */
enum { WIRE_OPS = 128, WIRE_FDS = 64, WIRE_FRAMES = 2, WIRE_MARK = 0x4a554447 };
enum {
    WIRE_PAGE = 4096,
    WIRE_FRAME = 16 << 20,
    WIRE_MIRROR = WIRE_PAGE + WIRE_FRAMES * WIRE_FRAME
};

enum wire_kind {
    WIRE_HELLO = 1,  /* puts a struct cuda_card */
    WIRE_FREE_BYTES, /* value: bytes */
    WIRE_ALLOCATE,   /* `place`; a descriptor comes with the reply, at most WIRE_FDS in one */
    WIRE_RELEASE,    /* all buffers */
    WIRE_FILL,       /* `plan`, elements [offset, offset + n) */
    WIRE_POISON,     /* `tile` */
    WIRE_WRITE,      /* n bytes, from the mirror to `offset` */
    WIRE_READ,       /* n bytes */
    WIRE_READ_TIMED, /* value: ns from when nothing of ours was left to do until they were here */
    WIRE_PROBE,      /* value: ns */
    WIRE_CANARIES,   /* value: offset, or -1; what is broken is written again */
    WIRE_HOLDS,      /* `plan`, elements [offset, offset + n); value: element, or -1 */
    WIRE_TRUTH,      /* takes a struct wire_truth; makes rows that stay on the device */
    WIRE_TRUTH_READ, /* n bytes of them */
    WIRE_SWEEP,      /* `offset`: how many bytes */
    WIRE_LINES,      /* n/4 words; `offset`: seed; buffer -1: of the first place.bytes of what is swept */
};

struct wire_op {
    uint32_t kind;
    int32_t buffer;
    uint64_t offset, n;
    uint64_t at; /* in the mirror */
    union {
        struct judge_plan plan;
        struct judge_tile tile;
        struct cuda_place place;
    };
};

struct wire_batch {
    uint32_t mark, n_ops;
    uint64_t sequence;
    struct wire_op op[WIRE_OPS]; /* n_ops are sent */
};

struct wire_reply {
    uint32_t mark, n_ops;
    uint64_t sequence;
    /* enum aisp_status of the first operation that failed; those behind it were not done */
    int32_t status;
    char text[236];
    int64_t value[WIRE_OPS];
};

struct wire_truth {
    char path[4096];
    int64_t param[16];
    int32_t n_params, n_tensors, out;
    int32_t view[64];
    int64_t first, n, row_elements;
};

#endif
