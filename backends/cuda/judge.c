/* judge.c - what judge.h promises, as operations of the judge.
 * Not here: how they get there (judge_talk.c), what the judge makes of them (judge_cuda/).
 * What a kernel cannot make (zipf, text, permutations) is made here, right in the mirror. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/cuda/judge_inside.h"
#include "core/base/buf.h"
#include "core/instance.h"
#include "core/judge/fill_inside.h"

static const int64_t stop_ns = 5000000000, truth_ns = 600000000000;
enum { TIMED_BYTES = 1 << 16, TEMPORARY_BYTES = 4 << 20 };
static const struct judge_wish nothing;

static struct cuda_place *place_of(struct cuda_judge *j, int buffer, uint64_t offset, uint64_t n)
{
    if (buffer < 0 || buffer >= j->n_places || offset > j->place[buffer].bytes ||
        n > j->place[buffer].bytes - offset)
        AISP_BUG("bytes [%llu, +%llu) of buffer %d of %d", (unsigned long long)offset,
                 (unsigned long long)n, buffer, j->n_places);
    return &j->place[buffer];
}

enum aisp_status cuda_judge_start(struct cuda_judge **judge, const char *library,
                                  struct cuda_card *card, struct aisp_err *err)
{
    struct cuda_judge *j = aisp_xcalloc(1, sizeof *j);
    struct aisp_err why;
    enum aisp_status st;

    j->socket = j->mirror_fd = j->log_fd = j->pidfd = -1;
    st = judge_spawn(j, library, &why);
    if (!st) {
        judge_next(j, WIRE_HELLO, 0, sizeof *card,
                   (struct judge_wish){ .to = card, .n = sizeof *card });
        st = judge_finish(j, &why);
    }
    if (st) {
        cuda_judge_stop(j);
        return aisp_fail(err, st == AISP_E_DEVICE ? AISP_E_UNAVAILABLE : st, "%s", why.text);
    }
    card->name[sizeof card->name - 1] = card->uuid[sizeof card->uuid - 1] = 0;
    *judge = j;
    return AISP_OK;
}

void cuda_judge_stop(struct cuda_judge *j)
{
    char how[300];

    if (!j)
        return;
    if (j->socket >= 0) /* it leaves when nobody is there any more */
        close(j->socket);
    judge_end(j, stop_ns, how);
    if (j->mirror)
        munmap(j->mirror, WIRE_MIRROR);
    if (j->mirror_fd >= 0)
        close(j->mirror_fd);
    if (j->log_fd >= 0)
        close(j->log_fd);
    if (j->pidfd >= 0)
        close(j->pidfd);
    free(j->place);
    free(j->whole);
    free(j);
}

enum aisp_status cuda_judge_free_bytes(struct cuda_judge *j, int64_t *bytes, struct aisp_err *err)
{
    judge_next(j, WIRE_FREE_BYTES, 0, 0, (struct judge_wish){ .value = bytes });
    return judge_finish(j, err);
}

enum aisp_status cuda_judge_allocate(struct cuda_judge *j, const struct cuda_place *place, int n,
                                     int *fd, struct aisp_err *err)
{
    enum aisp_status st;

    if (j->n_places)
        AISP_BUG("the judge has a session already");
    for (int i = 0; i < n; i++)
        fd[i] = -1;
    for (int i = 0; i < n; i++) {
        if (i % WIRE_FDS == 0)
            judge_submit(j);
        judge_next(j, WIRE_ALLOCATE, i, 0, (struct judge_wish){ .fd = &fd[i] })->place = place[i];
    }
    st = judge_finish(j, err);
    if (st) {
        for (int i = 0; i < n; i++)
            if (fd[i] >= 0)
                close(fd[i]);
        cuda_judge_release(j, NULL);
        return st;
    }
    j->place = aisp_xcalloc((size_t)n + 1, sizeof *j->place);
    memcpy(j->place, place, (size_t)n * sizeof *place);
    j->n_places = n;
    return AISP_OK;
}

enum aisp_status cuda_judge_release(struct cuda_judge *j, struct aisp_err *err)
{
    free(j->place);
    j->place = NULL;
    j->n_places = 0;
    judge_next(j, WIRE_RELEASE, 0, 0, nothing);
    return judge_finish(j, err);
}

static char *whole_of(struct cuda_judge *j, size_t bytes)
{
    if (bytes > j->whole_bytes) {
        free(j->whole);
        j->whole = aisp_xmalloc(bytes);
        j->whole_bytes = bytes;
    }
    return j->whole;
}

void cuda_judge_write(struct cuda_judge *j, int buffer, size_t offset, const void *bytes, size_t n)
{
    place_of(j, buffer, offset, n);
    for (size_t done = 0, portion; done < n; done += portion) {
        struct wire_op *op;

        portion = judge_portion(j, n - done, 1);
        op = judge_next(j, WIRE_WRITE, buffer, portion, nothing);
        op->offset = offset + done;
        memcpy(judge_at(j, op), (const char *)bytes + done, portion);
    }
}

/* Without a kernel. */
static void fill_here(struct cuda_judge *j, int buffer, const struct aisp_filling *what,
                      int64_t first, int64_t n)
{
    const size_t size = aisp_dtype_bytes(what->dtype);

    if (!aisp_fill_is_chunked(&what->fill)) {
        char *whole = whole_of(j, (size_t)n * size);

        aisp_fill(what, whole, first, n);
        cuda_judge_write(j, buffer, (size_t)first * size, whole, (size_t)n * size);
        return;
    }
    for (int64_t at = first, portion; at < first + n; at += portion) {
        const size_t bytes = judge_portion(j, (uint64_t)(first + n - at) * size, 64 * size);
        struct wire_op *op = judge_next(j, WIRE_WRITE, buffer, bytes, nothing);

        op->offset = (uint64_t)at * size;
        portion = (int64_t)(bytes / size);
        aisp_fill(what, judge_at(j, op) - (size_t)at * size, at, portion);
    }
}

void cuda_judge_fill(struct cuda_judge *j, int buffer, const struct aisp_filling *what,
                     int64_t first, int64_t n)
{
    const uint64_t size = aisp_dtype_bytes(what->dtype);
    struct judge_plan plan;
    struct wire_op *op;

    place_of(j, buffer, (uint64_t)first * size, (uint64_t)n * size);
    if (first % 64)
        AISP_BUG("a fill from element %lld on", (long long)first);
    if (!judge_plan_make(what, &plan)) {
        fill_here(j, buffer, what, first, n);
        return;
    }
    op = judge_next(j, WIRE_FILL, buffer, 0, nothing);
    op->offset = (uint64_t)first;
    op->n = (uint64_t)n;
    op->plan = plan;
}

void cuda_judge_poison(struct cuda_judge *j, int buffer, enum aisp_dtype dtype,
                       const struct aisp_philox *key)
{
    struct wire_op *op;

    place_of(j, buffer, 0, 0);
    op = judge_next(j, WIRE_POISON, buffer, 0, nothing);
    aisp_poison_pattern((unsigned char *)op->tile.word, dtype, key);
}

enum aisp_status cuda_judge_flush(struct cuda_judge *j, struct aisp_err *err)
{
    return judge_finish(j, err);
}

enum aisp_status cuda_judge_read(struct cuda_judge *j, int buffer, size_t offset, size_t n,
                                 void *to, int64_t *took_ns, struct aisp_err *err)
{
    place_of(j, buffer, offset, n);
    for (size_t done = 0, portion; done < n; done += portion) {
        const bool is_timed = took_ns && done == 0;
        struct judge_wish wish = { .to = (char *)to + done };

        portion = judge_portion(j, n - done, 64);
        if (is_timed && portion > TIMED_BYTES)
            portion = TIMED_BYTES;
        wish.n = portion;
        wish.value = is_timed ? took_ns : NULL;
        judge_next(j, is_timed ? WIRE_READ_TIMED : WIRE_READ, buffer, portion, wish)->offset =
            offset + done;
    }
    return judge_finish(j, err);
}

enum aisp_status cuda_judge_probe(struct cuda_judge *j, int64_t *took_ns, struct aisp_err *err)
{
    judge_next(j, WIRE_PROBE, 0, 0, (struct judge_wish){ .value = took_ns });
    return judge_finish(j, err);
}

void cuda_judge_sweep(struct cuda_judge *j, uint64_t bytes)
{
    judge_next(j, WIRE_SWEEP, 0, 0, nothing)->offset = bytes;
}

enum aisp_status cuda_judge_lines(struct cuda_judge *j, int buffer, uint64_t span, uint64_t seed,
                                  uint32_t *took, int n, struct aisp_err *err)
{
    const size_t bytes = (size_t)n * sizeof *took;
    struct wire_op *op;

    if (buffer >= 0)
        place_of(j, buffer, 0, 0);
    op = judge_next(j, WIRE_LINES, buffer, bytes, (struct judge_wish){ .to = took, .n = bytes });
    op->offset = seed;
    op->place.bytes = span;
    return judge_finish(j, err);
}

enum aisp_status cuda_judge_canaries(struct cuda_judge *j, const int *buffer, int n, int64_t *bad,
                                     struct aisp_err *err)
{
    for (int i = 0; i < n; i++) {
        place_of(j, buffer[i], 0, 0);
        bad[i] = -1;
        judge_next(j, WIRE_CANARIES, buffer[i], 0, (struct judge_wish){ .value = &bad[i] });
    }
    return judge_finish(j, err);
}

/* Elements [at, at + n) as they are against the same made here, in `expected`; `seen` has room for
 * them. */
static enum aisp_status compare_here(struct cuda_judge *j, int buffer,
                                     const struct aisp_filling *what, int64_t at, int64_t n,
                                     char *seen, char *expected, int64_t *bad, struct aisp_err *err)
{
    const size_t size = aisp_dtype_bytes(what->dtype), bytes = (size_t)n * size;
    const enum aisp_status st =
        cuda_judge_read(j, buffer, (size_t)at * size, bytes, seen, NULL, err);
    size_t i = 0;

    if (st)
        return st;
    aisp_fill(what, expected - (size_t)at * size, at, n);
    if (!memcmp(seen, expected, bytes))
        return AISP_OK;
    while (seen[i] == expected[i])
        i++;
    *bad = at + (int64_t)(i / size);
    return AISP_OK;
}

/* Without a kernel. *bad is lowered to the first that differs. */
static enum aisp_status holds_here(struct cuda_judge *j, int buffer, const struct cuda_contents *c,
                                   int64_t *bad, struct aisp_err *err)
{
    const size_t size = aisp_dtype_bytes(c->what.dtype);
    const int64_t step =
                      aisp_fill_is_chunked(&c->what.fill) ? TEMPORARY_BYTES / (int64_t)size : c->n,
                  end = c->first + c->n;
    char *seen = whole_of(j, 2 * (size_t)step * size), *expected = seen + (size_t)step * size;

    for (int64_t at = c->first; at < end; at += step) {
        const int64_t n = end - at < step ? end - at : step;
        int64_t first = -1;
        const enum aisp_status st =
            compare_here(j, buffer, &c->what, at, n, seen, expected, &first, err);

        if (st)
            return st;
        if (first >= 0) {
            *bad = *bad < 0 || first < *bad ? first : *bad;
            break;
        }
    }
    return AISP_OK;
}

enum aisp_status cuda_judge_holds(struct cuda_judge *j, int buffer,
                                  const struct cuda_contents *contents, int n_contents,
                                  int64_t *bad, struct aisp_err *err)
{
    int64_t *first = aisp_xcalloc((size_t)n_contents + 1, sizeof *first);
    enum aisp_status st;

    *bad = -1;
    for (int i = 0; i < n_contents; i++) {
        const struct cuda_contents *c = &contents[i];
        const uint64_t size = aisp_dtype_bytes(c->what.dtype);
        struct judge_plan plan;
        struct wire_op *op;

        place_of(j, buffer, (uint64_t)c->first * size, (uint64_t)c->n * size);
        first[i] = -1;
        if (!judge_plan_make(&c->what, &plan))
            continue;
        op = judge_next(j, WIRE_HOLDS, buffer, 0, (struct judge_wish){ .value = &first[i] });
        op->offset = (uint64_t)c->first;
        op->n = (uint64_t)c->n;
        op->plan = plan;
    }
    AISP_TRY(judge_finish(j, err));
    for (int i = 0; i < n_contents; i++) {
        struct judge_plan plan;

        if (first[i] >= 0 && (*bad < 0 || first[i] < *bad))
            *bad = first[i];
        if (!judge_plan_make(&contents[i].what, &plan))
            AISP_TRY(holds_here(j, buffer, &contents[i], bad, err));
    }
out:
    free(first);
    return st;
}

enum aisp_status cuda_judge_truth(struct cuda_judge *j, const struct cuda_truth *truth, void *to,
                                  struct aisp_err *err)
{
    const size_t bytes = (size_t)truth->n * (size_t)truth->row_elements * 8;
    struct wire_truth *wire;
    struct wire_op *op;
    enum aisp_status st;

    if (truth->n_params > 16 || truth->n_tensors > 64)
        AISP_BUG("a truth of %d parameters and %d tensors", truth->n_params, truth->n_tensors);
    op = judge_next(j, WIRE_TRUTH, 0, sizeof *wire, nothing);
    wire = (struct wire_truth *)judge_at(j, op);
    memset(wire, 0, sizeof *wire);
    snprintf(wire->path, sizeof wire->path, "%s", truth->path);
    memcpy(wire->param, truth->param, (size_t)truth->n_params * sizeof *truth->param);
    for (int t = 0; t < truth->n_tensors; t++)
        wire->view[t] = truth->view[t];
    wire->n_params = truth->n_params;
    wire->n_tensors = truth->n_tensors;
    wire->out = truth->out;
    wire->first = truth->first;
    wire->n = truth->n;
    wire->row_elements = truth->row_elements;
    judge_be_patient(j, truth_ns);
    st = judge_finish(j, err);
    if (st)
        return st;
    for (size_t done = 0, portion; done < bytes; done += portion) {
        portion = judge_portion(j, bytes - done, 64);
        judge_next(j, WIRE_TRUTH_READ, 0, portion,
                   (struct judge_wish){ .to = (char *)to + done, .n = portion })
            ->offset = done;
    }
    return judge_finish(j, err);
}
