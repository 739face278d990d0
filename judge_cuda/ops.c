/* ops.c - what the judge does for each operation of judge_wire.h. Most are only put on the stream;
 * a batch is waited for at its end. Answers of checks are words on the device, one for each
 * operation, all ones (-1) until a kernel lowers them; they come back in one copy. A batch without
 * a check puts nothing of its own on the stream: what is timed is then the first that the device is
 * asked since a variant said that it had ended, and a kernel which that left behind is not waited
 * for by something that nobody times. */
#include <string.h>

#include "core/base/clock.h"
#include "judge_cuda/program.h"

struct doing {
    struct judge *j;
    const struct wire_op *op;
    struct judge_buffer *b; /* where the operation has one */
    int64_t *value;
    cu_pointer answer;
    bool has_answer; /* the device gives the value */
    bool has_any;    /* or has given one to an operation before */
    int *fd, n_fds;
};

static cu_pointer data_of(const struct doing *d, uint64_t offset)
{
    return d->b->map + d->b->place.data_offset + offset;
}

static bool hello(struct doing *d)
{
    memcpy(d->j->mirror + d->op->at, &d->j->card, sizeof d->j->card);
    return true;
}

static bool free_bytes(struct doing *d)
{
    size_t free, total;

    if (judge_failed(d->j, "cuMemGetInfo", d->j->cu.memory_info(&free, &total)))
        return false;
    *d->value = (int64_t)free;
    return true;
}

static bool allocate(struct doing *d)
{
    if (d->n_fds == WIRE_FDS) {
        judge_refuse(d->j, AISP_E_DEVICE, "more than %d buffers in one batch", WIRE_FDS);
        return false;
    }
    d->fd[d->n_fds] = -1;
    return judge_allocate(d->j, d->op->buffer, &d->op->place, &d->fd[d->n_fds++]);
}

static bool release(struct doing *d)
{
    judge_release(d->j);
    return !d->j->status;
}

/* Elements of a fill, of what size ever, must lie in the buffer. */
static bool fits(struct doing *d, uint64_t size)
{
    const uint64_t most = d->b->place.bytes / size;

    if (d->op->offset <= most && d->op->n <= most - d->op->offset)
        return true;
    judge_refuse(d->j, AISP_E_DEVICE, "[%llu, +%llu) of buffer %d",
                 (unsigned long long)d->op->offset, (unsigned long long)d->op->n, d->op->buffer);
    return false;
}

static uint64_t element_bytes(const struct judge_plan *plan)
{
    static const unsigned char bytes[] = {
        [JUDGE_F64] = 8, [JUDGE_F32] = 4, [JUDGE_SMALL16] = 2, [JUDGE_SMALL8] = 1,
        [JUDGE_I64] = 8, [JUDGE_I32] = 4, [JUDGE_I16] = 2,     [JUDGE_I8] = 1
    };

    return bytes[plan->element & 7];
}

static bool expect_answer(struct doing *d)
{
    struct judge *j = d->j;

    if (!d->has_any &&
        judge_failed(j, "cuMemsetD8Async",
                     j->cu.set_bytes(j->answers, 0xff, WIRE_OPS * sizeof *j->seen, j->stream)))
        return false;
    d->has_answer = d->has_any = true;
    return true;
}

static bool fill_or_compare(struct doing *d, enum judge_kernel kernel)
{
    struct judge_plan plan = d->op->plan;
    const uint64_t size = element_bytes(&plan);
    cu_pointer at = data_of(d, 0);
    int64_t first = (int64_t)d->op->offset, n = (int64_t)d->op->n;
    void *arguments[] = { &plan, &at, &first, &n, &d->answer };

    return fits(d, size) &&
           judge_launch(d->j, kernel, size == 8 ? (n + 1) / 2 : (n + 3) / 4, arguments);
}

static bool fill(struct doing *d)
{
    return fill_or_compare(d, KERNEL_FILL);
}

static bool holds(struct doing *d)
{
    return expect_answer(d) && fill_or_compare(d, KERNEL_HOLDS);
}

static bool poison(struct doing *d)
{
    return judge_tiles(d->j, &d->op->tile, data_of(d, 0), 0, d->b->place.bytes);
}

static bool write(struct doing *d)
{
    return fits(d, 1) &&
           !judge_failed(d->j, "cuMemcpyHtoDAsync",
                         d->j->cu.copy_to_device(data_of(d, d->op->offset),
                                                 d->j->mirror + d->op->at, d->op->n, d->j->stream));
}

static bool read(struct doing *d)
{
    return fits(d, 1) &&
           !judge_failed(d->j, "cuMemcpyDtoHAsync",
                         d->j->cu.copy_to_host(d->j->mirror + d->op->at, data_of(d, d->op->offset),
                                               d->op->n, d->j->stream));
}

static bool read_timed(struct doing *d)
{
    int64_t start;

    if (!judge_wait(d->j))
        return false;
    start = aisp_now_ns();
    if (!read(d) || !judge_wait(d->j))
        return false;
    *d->value = aisp_now_ns() - start;
    return true;
}

static bool probe(struct doing *d)
{
    struct judge *j = d->j;
    uint64_t value;
    void *arguments[] = { &d->answer, &value };

    if (!judge_wait(j))
        return false;
    value = (uint64_t)aisp_now_ns();
    if (!judge_launch(j, KERNEL_PROBE, 1, arguments) ||
        judge_failed(j, "cuMemcpyDtoHAsync",
                     j->cu.copy_to_host(j->seen, d->answer, sizeof value, j->stream)) ||
        !judge_wait(j))
        return false;
    *d->value = aisp_now_ns() - (int64_t)value;
    if ((uint64_t)j->seen[0] == value)
        return true;
    judge_refuse(j, AISP_E_DEVICE, "a kernel that writes one word wrote another");
    return false;
}

static bool sweep(struct doing *d)
{
    int64_t n = (int64_t)d->op->offset;
    void *arguments[] = { &d->j->swept, &n, &d->j->answers };

    return judge_make_swept(d->j, (size_t)n) && judge_launch(d->j, KERNEL_SWEEP, n / 16, arguments);
}

/* Of a buffer's data, or of the beginning of what is swept. */
static bool time_lines(struct doing *d)
{
    struct judge *j = d->j;
    const int32_t buffer = d->op->buffer;
    const bool is_ours = buffer < 0;
    cu_pointer base = is_ours ? j->swept : 0;
    uint64_t bytes = d->op->place.bytes, seed = d->op->offset;
    int64_t n = (int64_t)(d->op->n / sizeof(uint32_t));
    void *arguments[] = { &base, &bytes, &seed, &n, &j->lines };

    if (n > CUDA_MOST_LINES || (is_ours && bytes > j->swept_bytes) ||
        (!is_ours && (buffer >= j->n_buffers || !j->buffer[buffer].map))) {
        judge_refuse(j, AISP_E_DEVICE, "%lld lines of buffer %d", (long long)n, buffer);
        return false;
    }
    if (!is_ours) {
        base = j->buffer[buffer].map + j->buffer[buffer].place.data_offset;
        bytes = j->buffer[buffer].place.bytes;
    }
    return judge_launch(j, KERNEL_LINES, 1, arguments) &&
           !judge_failed(j, "cuMemcpyDtoHAsync",
                         j->cu.copy_to_host(j->mirror + d->op->at, j->lines, d->op->n, j->stream));
}

static bool check_canary(struct doing *d, uint64_t from, uint64_t to)
{
    void *arguments[] = { &d->j->canary, &d->b->map, &from, &to, &d->answer };

    return judge_launch(d->j, KERNEL_TILE_CHECK, to > from ? (int64_t)((to - from) / 16 + 2) : 0,
                        arguments);
}

static bool canaries(struct doing *d)
{
    const struct cuda_place *place = &d->b->place;

    return expect_answer(d) && check_canary(d, 0, place->data_offset) &&
           check_canary(d, place->data_offset + place->bytes, place->map_bytes);
}

static bool truth(struct doing *d)
{
    struct wire_truth *t = (struct wire_truth *)(d->j->mirror + d->op->at);

    t->path[sizeof t->path - 1] = 0;
    return judge_truth(d->j, t);
}

static bool truth_read(struct doing *d)
{
    const struct wire_op *op = d->op;

    if (op->offset > d->j->rows_bytes || op->n > d->j->rows_bytes - op->offset) {
        judge_refuse(d->j, AISP_E_DEVICE, "there are %zu bytes of the truth", d->j->rows_bytes);
        return false;
    }
    return !judge_failed(
        d->j, "cuMemcpyDtoHAsync",
        d->j->cu.copy_to_host(d->j->mirror + op->at, d->j->rows + op->offset, op->n, d->j->stream));
}

static const struct {
    bool (*run)(struct doing *d);
    bool has_buffer, has_bytes; /* of the mirror */
} operation[] = {
    [WIRE_HELLO] = { hello, false, true },
    [WIRE_FREE_BYTES] = { free_bytes, false, false },
    [WIRE_ALLOCATE] = { allocate, false, false },
    [WIRE_RELEASE] = { release, false, false },
    [WIRE_FILL] = { fill, true, false },
    [WIRE_POISON] = { poison, true, false },
    [WIRE_WRITE] = { write, true, true },
    [WIRE_READ] = { read, true, true },
    [WIRE_READ_TIMED] = { read_timed, true, true },
    [WIRE_PROBE] = { probe, false, false },
    [WIRE_CANARIES] = { canaries, true, false },
    [WIRE_HOLDS] = { holds, true, false },
    [WIRE_TRUTH] = { truth, false, true },
    [WIRE_TRUTH_READ] = { truth_read, false, true },
    [WIRE_SWEEP] = { sweep, false, false },
    [WIRE_LINES] = { time_lines, false, true },
};
enum { N_OPERATIONS = sizeof operation / sizeof *operation };

static bool run(struct doing *d)
{
    const struct wire_op *op = d->op;
    struct judge *j = d->j;

    if (op->kind >= N_OPERATIONS || !operation[op->kind].run) {
        judge_refuse(j, AISP_E_DEVICE, "operation %u is none", op->kind);
        return false;
    }
    if (operation[op->kind].has_buffer) {
        if (op->buffer < 0 || op->buffer >= j->n_buffers || !j->buffer[op->buffer].map) {
            judge_refuse(j, AISP_E_DEVICE, "buffer %d of %d", op->buffer, j->n_buffers);
            return false;
        }
        d->b = &j->buffer[op->buffer];
    }
    if (operation[op->kind].has_bytes && (op->at > WIRE_MIRROR || op->n > WIRE_MIRROR - op->at)) {
        judge_refuse(j, AISP_E_DEVICE, "bytes outside of the mirror");
        return false;
    }
    return operation[op->kind].run(d);
}

/* Once found, the next finding is another's. */
static bool mend(struct judge *j, const struct wire_op *op)
{
    const struct judge_buffer *b = &j->buffer[op->buffer];

    return judge_tiles(j, &j->canary, b->map, 0, b->place.data_offset) &&
           judge_tiles(j, &j->canary, b->map, b->place.data_offset + b->place.bytes,
                       b->place.map_bytes) &&
           judge_wait(j);
}

static void answer(struct judge *j, const struct wire_batch *batch, const bool *has_answer,
                   struct wire_reply *reply)
{
    for (uint32_t i = 0; i < batch->n_ops; i++) {
        if (has_answer[i])
            reply->value[i] = j->seen[i];
        if (has_answer[i] && batch->op[i].kind == WIRE_CANARIES && j->seen[i] >= 0 &&
            !mend(j, &batch->op[i]))
            return;
    }
}

void judge_do(struct judge *j, const struct wire_batch *batch, struct wire_reply *reply,
              int fd[WIRE_FDS], int *n_fds)
{
    const size_t bytes = batch->n_ops * sizeof *j->seen;
    bool has_answer[WIRE_OPS] = { 0 };
    struct doing d = { .j = j, .fd = fd };

    for (uint32_t i = 0; i < batch->n_ops; i++) {
        bool ok;

        d.op = &batch->op[i];
        d.value = &reply->value[i];
        d.answer = j->answers + i * sizeof *j->seen;
        d.has_answer = false;
        ok = run(&d);
        *n_fds = d.n_fds;
        has_answer[i] = d.has_answer;
        if (!ok)
            return;
    }
    if (d.has_any && judge_failed(j, "cuMemcpyDtoHAsync",
                                  j->cu.copy_to_host(j->seen, j->answers, bytes, j->stream)))
        return;
    if (judge_wait(j))
        answer(j, batch, has_answer, reply);
}
