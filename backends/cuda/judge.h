/* judge.h - the supervisor's end of the CUDA judge: a child (aisp-judge-cuda) that owns a context, makes the device memory of a
 * session, exports it by descriptor, and fills, poisons, reads and checks it. Workers import the descriptors; the supervisor itself
 * never opens the driver, so a device that is lost ends the judge and not the run.
 * What is queued (fill, poison, write) is done in order by the next call that returns a status.
 * Errors, of all: AISP_E_DEVICE with the driver's own words (AISP_E_NO_MEMORY for memory); the judge died: AISP_E_DEVICE. */
#ifndef AISP_CUDA_JUDGE_H
#define AISP_CUDA_JUDGE_H

#include <aisp/problem.h>

#include "core/base/err.h"
#include "core/judge/fill.h"

struct cuda_judge;

struct cuda_card {
    char name[96], uuid[48];            /* "GPU-..." or "MIG-..." as nvidia-smi prints it */
    int driver, major, minor, n_sms, memory_khz, bus_bits;
    int64_t total_bytes, free_bytes, l2_bytes, granularity;
};

/* One buffer of device memory: [data_offset, data_offset + bytes) of a mapping of map_bytes (a multiple of the granularity). What
 * is not data is canary, written when it is made. */
struct cuda_place { uint64_t map_bytes, data_offset, bytes; };

/* What a buffer holds between two fills, to be made again and compared. */
struct cuda_contents { struct aisp_filling what; int64_t first, n; };

/* `library` NULL: libcuda.so.1. Errors: AISP_E_UNAVAILABLE with one line: no driver, no device, an old driver, a stub, built without
 * nvcc, the program is missing. */
enum aisp_status cuda_judge_start(struct cuda_judge **judge, const char *library, struct cuda_card *card, struct aisp_err *err);
void cuda_judge_stop(struct cuda_judge *judge);                   /* NULL is fine; a judge that does not answer is killed */
enum aisp_status cuda_judge_free_bytes(struct cuda_judge *judge, int64_t *bytes, struct aisp_err *err);

/* Makes the buffers of a session, all at once; fd[i] is buffer i's descriptor, the caller closes them. A judge has one session. */
enum aisp_status cuda_judge_allocate(struct cuda_judge *judge, const struct cuda_place *place, int n, int *fd, struct aisp_err *err);
enum aisp_status cuda_judge_release(struct cuda_judge *judge, struct aisp_err *err);

/* Elements [first, first + n): by a kernel where the kind allows (the same bits as aisp_fill()), else made here and copied. */
void cuda_judge_fill(struct cuda_judge *judge, int buffer, const struct aisp_filling *what, int64_t first, int64_t n);
void cuda_judge_poison(struct cuda_judge *judge, int buffer, enum aisp_dtype dtype, const struct aisp_philox *key);
void cuda_judge_write(struct cuda_judge *judge, int buffer, size_t offset, const void *bytes, size_t n);
enum aisp_status cuda_judge_flush(struct cuda_judge *judge, struct aisp_err *err);

/* took_ns, or NULL: how long the device took to answer; a kernel that still runs makes it milliseconds. */
enum aisp_status cuda_judge_read(struct cuda_judge *judge, int buffer, size_t offset, size_t n, void *to, int64_t *took_ns,
                                 struct aisp_err *err);
/* One tiny kernel and one tiny copy: how long an idle device takes. */
enum aisp_status cuda_judge_probe(struct cuda_judge *judge, int64_t *took_ns, struct aisp_err *err);

/* The canaries of all n buffers named: bad[i] = offset in the mapping of the first byte that changed in buffer[i], or -1. What is
 * found changed is written again: the next finding is another's. */
enum aisp_status cuda_judge_canaries(struct cuda_judge *judge, const int *buffer, int n, int64_t *bad, struct aisp_err *err);
/* Does the buffer still hold what was filled? *bad = first element that differs, or -1. Kinds without a kernel: read and compared here. */
enum aisp_status cuda_judge_holds(struct cuda_judge *judge, int buffer, const struct cuda_contents *contents, int n_contents,
                                  int64_t *bad, struct aisp_err *err);

/* Reads so many bytes of the judge's own (queued, as a fill is): nothing else lies then in a cache of a third of that. */
void cuda_judge_sweep(struct cuda_judge *judge, uint64_t bytes);
/* took[i]: cycles until line i of a draw had come, of a buffer's data; buffer -1: of the first `span` bytes of what was swept. */
enum { CUDA_MOST_LINES = 1024 };
enum aisp_status cuda_judge_lines(struct cuda_judge *judge, int buffer, uint64_t span, uint64_t seed, uint32_t *took, int n,
                                  struct aisp_err *err);

/* The problem's own kernel of the truth (include/aisp/reference.h): rows [first, first + n) of output `out`, as doubles or int64_t, to
 * `to`. view[t]: the buffer of tensor t, -1 for outputs. Errors: AISP_E_REFUSED (the file is none). */
struct cuda_truth {
    const char *path;                   /* .../reference.cuda.so; loaded once */
    const int64_t *param;
    int n_params, n_tensors, out;
    int view[64];
    int64_t first, n, row_elements;
};
enum aisp_status cuda_judge_truth(struct cuda_judge *judge, const struct cuda_truth *truth, void *to, struct aisp_err *err);

/* Tests start another program than the one beside the running one; NULL: that one again. Borrowed. */
void cuda_judge_set_program(const char *path);
/* And wait for an answer that long; 0: as long as ever (a minute, ten for a truth). */
void cuda_judge_set_timeout(int64_t ns);

#endif
