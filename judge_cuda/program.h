/* program.h - the judge's program: the device, its memory, and what it does in one batch.
 *   main.c      batches in, replies out
 *   device.c    driver, context, kernels, launches
 *   memory.c    the buffers of a session
 *   ops.c       one function for each operation of judge_wire.h
 *   truth.c     a problem's own reference kernel
 *   image.c     the compiled kernels
 *   kernels.h, kernels.cu   what they do
 * One thread, one context, one stream: what is asked first is done first. */
#ifndef AISP_JUDGE_CUDA_PROGRAM_H
#define AISP_JUDGE_CUDA_PROGRAM_H

#include "backends/cuda/driver.h"
#include "backends/cuda/judge_wire.h"

enum judge_kernel {
    KERNEL_FILL,
    KERNEL_HOLDS,
    KERNEL_TILE,
    KERNEL_TILE_CHECK,
    KERNEL_PROBE,
    KERNEL_SWEEP,
    KERNEL_LINES,
    N_KERNELS
};

struct judge_buffer {
    struct cuda_place place;
    cu_pointer map; /* 0: there is none */
};

struct judge_library {
    char *path;
    const struct aisp_reference *reference;
};

struct judge {
    struct cuda_driver cu;
    cu_device device;
    cu_context context;
    cu_stream stream;
    cu_function kernel[N_KERNELS];
    struct cuda_card card;
    enum aisp_status status; /* of what is being done, or of the start for ever; `text` says why */
    char text[236];
    char *mirror;
    struct judge_tile canary;
    cu_pointer answers; /* a word for each operation of a batch, on the device */
    int64_t *seen;      /* and in the mirror's first page */
    struct judge_buffer *buffer;
    int n_buffers;
    cu_pointer rows; /* the truth's, on the device */
    size_t rows_bytes;
    cu_pointer swept; /* zeros, read to empty the cache */
    size_t swept_bytes;
    cu_pointer lines; /* how long each took */
    struct judge_library *library;
    int n_libraries;
};

/* Notes the failure and returns true if `error` is one; `call` is the driver's name of what was
 * called. */
bool judge_failed(struct judge *j, const char *call, int error);
void judge_refuse(struct judge *j, enum aisp_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* device.c. Errors, here and below: j->status. */
void judge_open(struct judge *j, const char *library);
/* So many threads as there are pieces, or as the device has room for. */
bool judge_launch(struct judge *j, enum judge_kernel kernel, int64_t n_pieces, void **arguments);
bool judge_wait(struct judge *j); /* for the stream */

/* memory.c */
bool judge_allocate(struct judge *j, int index, const struct cuda_place *place, int *fd);
void judge_release(struct judge *j);
bool judge_tiles(struct judge *j, const struct judge_tile *tile, cu_pointer base, uint64_t from,
                 uint64_t to);
bool judge_make_room(struct judge *j, size_t bytes); /* in `rows` */
bool judge_make_swept(struct judge *j, size_t bytes);

/* ops.c: all of a batch, and waits. fd[]: what was exported. */
void judge_do(struct judge *j, const struct wire_batch *batch, struct wire_reply *reply,
              int fd[WIRE_FDS], int *n_fds);

/* truth.c */
bool judge_truth(struct judge *j, const struct wire_truth *truth);

/* image.c */
extern const char judge_image[];
extern const bool judge_has_image;

#endif
