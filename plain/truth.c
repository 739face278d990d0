/* truth.c - is a call right? The whole output by the problem's reference where the CPU can afford it; else rows here and there by
 * the CPU, and the whole by the problem's kernel of the truth (reference.cu) where there is one.
 * Also: are the two truths one? */
#include "plain/plain.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/judge/compare.h"
#include "core/run/ranges.h"

enum { BUDGET_NS = 1000000000, PROBE_ROWS = 8, ROOM_BYTES = 64 << 20 };
/* Two sums of the same terms in f64 differ by their order alone: for a million terms by about 1e-10 of their magnitude. */
static const double TRUTHS_AGREE = 1e-9;

static enum aisp_status load_reference(struct plain_truth *truth, struct aisp_err *err)
{
    char *path = aisp_format("%s/reference.cuda.so", truth->rig->options->folder);
    enum aisp_status st = AISP_OK;
    size_t row_bytes = 8;

    if (access(path, F_OK))
        goto out;
    truth->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!truth->handle)
        AISP_TRY(aisp_fail(err, AISP_E_REFUSED, "%.400s", dlerror()));
    truth->reference = dlsym(truth->handle, "aisp_reference");
    if (!truth->reference || truth->reference->abi != AISP_ABI || !truth->reference->rows)
        AISP_TRY(aisp_fail(err, AISP_E_REFUSED, "reference.cuda.so has no aisp_reference of this version"));
    for (int t = 0; t < truth->rig->inst.n_tensors; t++)
        if (aisp_role_is_output(truth->rig->inst.problem->tensor[t].role) &&
            8 * (size_t)truth->rig->inst.extent[t].row_elements > row_bytes)
            row_bytes = 8 * (size_t)truth->rig->inst.extent[t].row_elements;
    AISP_TRY(plain_allocate(&truth->rig->machine, row_bytes > ROOM_BYTES ? row_bytes : ROOM_BYTES, PLAIN_DEVICE, &truth->room, err));
out:
    free(path);
    return st;
}

enum aisp_status plain_truth_init(struct plain_truth *truth, struct plain_rig *rig, struct aisp_err *err)
{
    const struct aisp_key key = aisp_key_derive(&rig->key, "rows", 0, 0, 0, 0);
    enum aisp_status st = AISP_OK;

    memset(truth, 0, sizeof *truth);
    truth->rig = rig;
    truth->budget_ns = BUDGET_NS / plain_n_contents(rig);
    aisp_dice_init(&truth->dice, &key);
    for (int t = 0; t < rig->inst.n_tensors; t++)
        if (rig->inst.problem->tensor[t].role == AISP_INOUT)
            truth->got[t] = aisp_xmalloc(rig->inst.extent[t].bytes + 1);
        else if (rig->inst.problem->tensor[t].role == AISP_OUT)
            truth->got[t] = rig->host[t];
    if (rig->machine.is_cuda)
        AISP_TRY(load_reference(truth, err));
out:
    return st;
}

void plain_truth_release(struct plain_truth *truth)
{
    for (int t = 0; truth->rig && t < truth->rig->inst.n_tensors; t++)
        if (truth->rig->inst.problem->tensor[t].role == AISP_INOUT)
            free(truth->got[t]);
    for (int t = 0; truth->rig && t < truth->rig->inst.n_tensors; t++)
        plain_free(&truth->rig->machine, &truth->before[t]);
    if (truth->rig)
        plain_free(&truth->rig->machine, &truth->room);
    if (truth->handle)
        dlclose(truth->handle);
    aisp_buf_release(&truth->scratch);
    memset(truth, 0, sizeof *truth);
}

static int64_t ask_ns(const struct plain_truth *truth, const struct aisp_view *view, int t, int64_t rows)
{
    const struct aisp_instance *inst = &truth->rig->inst;
    double *to = aisp_xmalloc((size_t)(rows * inst->extent[t].row_elements) * 8);
    const int64_t start = aisp_now_ns();

    inst->problem->reference(view, t, inst->extent[t].rows - rows, rows, to);
    free(to);
    return aisp_now_ns() - start + 1;
}

/* Rows within the budget. A question costs something by itself and something for each row: asked once for one, once for eight. */
static int64_t affordable_rows(const struct plain_truth *truth, const struct aisp_view *view, int t)
{
    const int64_t rows = truth->rig->inst.extent[t].rows, probe = rows < PROBE_ROWS ? rows : PROBE_ROWS;
    int64_t one, row, n;

    if (truth->rig->inst.problem->accept || rows == 1)
        return rows;
    one = ask_ns(truth, view, t, 1);
    if (one * rows < truth->budget_ns)
        return rows;
    if (one * probe > truth->budget_ns)
        return truth->budget_ns / one < 1 ? 1 : truth->budget_ns / one;
    row = (ask_ns(truth, view, t, probe) - one) / (probe > 1 ? probe - 1 : 1);
    row = row < 1 ? 1 : row > one ? one : row;
    if (one + row * rows < truth->budget_ns)
        return rows;
    n = (truth->budget_ns - AISP_MAX_RANGES * (one - row)) / row;
    return n < 1 ? 1 : n < rows ? n : rows - 1;
}

/* `part` is of later rows than what `all` holds. */
static void add_comparison(struct aisp_comparison *all, const struct aisp_comparison *part)
{
    const int64_t compared = all->n_compared + part->n_compared, wrong = all->n_wrong + part->n_wrong;
    const int64_t unwritten = all->n_unwritten + part->n_unwritten;
    const double worst = all->worst > part->worst ? all->worst : part->worst;

    if (all->kind == AISP_RIGHT)
        *all = *part;
    all->n_compared = compared;
    all->n_wrong = wrong;
    all->n_unwritten = unwritten;
    all->worst = worst;
}

static void judge_by_host(struct plain_truth *truth, const struct aisp_view *view, int t, int64_t rows, struct aisp_comparison *answer)
{
    const struct aisp_instance *inst = &truth->rig->inst;
    const size_t row_bytes = (size_t)inst->extent[t].row_elements * aisp_dtype_bytes(inst->problem->tensor[t].dtype);
    const bool is_poisoned = inst->problem->tensor[t].role == AISP_OUT && !truth->rig->options->no_poison;
    struct aisp_question q = { .inst = inst, .view = *view, .tensor = t, .all_out = truth->all_out,
                               .poison = is_poisoned ? &truth->rig->poison[t] : NULL };
    struct aisp_range range[AISP_MAX_RANGES];
    const int n = aisp_ranges_draw(&truth->dice, inst->extent[t].rows, rows, range);
    struct aisp_comparison part;

    for (int i = 0; i < n; i++) {
        q.first_row = range[i].first;
        q.n_rows = range[i].n;
        q.got = (const char *)truth->got[t] + (size_t)range[i].first * row_bytes;
        aisp_judge(&q, &truth->scratch, &part);
        add_comparison(answer, &part);
    }
}

/* Rows of the device's truth, 8 bytes an element, to `to`; n rows have room. */
static enum aisp_status ask_device(struct plain_truth *truth, int slot, int t, const struct aisp_range *rows, void *to,
                                   struct aisp_err *err)
{
    struct plain_rig *rig = truth->rig;
    const void *tensor[AISP_MAX_TENSORS];
    const struct aisp_device_view view = { tensor, rig->inst.param, rig->machine.stream };
    enum aisp_status st;

    for (int i = 0; i < rig->inst.n_tensors; i++)
        tensor[i] = rig->inst.problem->tensor[i].role == AISP_OUT     ? NULL
                    : rig->inst.problem->tensor[i].role == AISP_INOUT ? truth->before[i].at
                                                                      : rig->address[slot][i];
    st = truth->reference->rows(&view, t, rows->first, rows->n, truth->room.at);
    if (st)
        return aisp_fail(err, st, "reference.cu returned %s", aisp_status_name(st));
    AISP_TRY(plain_synchronize(&rig->machine, "rows of reference.cu", err));
    AISP_TRY(plain_read(&rig->machine, &truth->room, 0, (size_t)(rows->n * rig->inst.extent[t].row_elements) * 8, to, err));
out:
    return st;
}

static int64_t rows_in_room(const struct plain_truth *truth, int t)
{
    const int64_t rows = (int64_t)truth->room.bytes / (8 * truth->rig->inst.extent[t].row_elements);

    return rows < truth->rig->inst.extent[t].rows ? rows : truth->rig->inst.extent[t].rows;
}

static enum aisp_status judge_by_device(struct plain_truth *truth, int slot, int t, struct aisp_comparison *answer,
                                        struct aisp_err *err)
{
    const struct aisp_instance *inst = &truth->rig->inst;
    const struct aisp_extent *extent = &inst->extent[t];
    const enum aisp_dtype dtype = inst->problem->tensor[t].dtype;
    const bool is_poisoned = inst->problem->tensor[t].role == AISP_OUT && !truth->rig->options->no_poison;
    const int64_t each = rows_in_room(truth, t);
    void *room = aisp_xmalloc((size_t)(each * extent->row_elements) * 8);
    enum aisp_status st = AISP_OK;

    for (int64_t first = 0; first < extent->rows; first += each) {
        const struct aisp_range rows = { first, extent->rows - first < each ? extent->rows - first : each };
        struct aisp_comparing c = {
            .dtype = dtype,
            .got = (const char *)truth->got[t] + (size_t)(first * extent->row_elements) * aisp_dtype_bytes(dtype),
            .truth = room,
            .n = rows.n * extent->row_elements,
            .first = first * extent->row_elements,
            .relative = aisp_tolerance_relative(inst, dtype),
            .norm = aisp_tolerance_norm(inst, dtype),
            .poison = is_poisoned ? &truth->rig->poison[t] : NULL,
        };
        struct aisp_comparison part = { 0 };

        AISP_TRY(ask_device(truth, slot, t, &rows, room, err));
        aisp_compare(&c, &part);
        add_comparison(answer, &part);
    }
out:
    free(room);
    return st;
}

/* The device's truth reads what a call changes as it was before. */
static enum aisp_status keep_before(struct plain_truth *truth, struct aisp_err *err)
{
    struct plain_rig *rig = truth->rig;
    enum aisp_status st = AISP_OK;

    for (int t = 0; truth->reference && t < rig->inst.n_tensors; t++) {
        if (rig->inst.problem->tensor[t].role != AISP_INOUT)
            continue;
        if (!truth->before[t].at)
            AISP_TRY(plain_allocate(&rig->machine, rig->inst.extent[t].bytes, PLAIN_DEVICE, &truth->before[t], err));
        AISP_TRY(plain_write(&rig->machine, &truth->before[t], rig->host[t], err));
    }
out:
    return st;
}

static enum aisp_status take_outputs(struct plain_truth *truth, int slot, struct aisp_err *err)
{
    struct plain_rig *rig = truth->rig;
    enum aisp_status st = AISP_OK;
    int n = 0;

    for (int t = 0; t < rig->inst.n_tensors; t++) {
        if (!truth->got[t])
            continue;
        AISP_TRY(plain_read(&rig->machine, &rig->slot[slot][t], 0, rig->inst.extent[t].bytes, truth->got[t], err));
        truth->all_out[n++] = truth->got[t];
    }
    st = keep_before(truth, err);
out:
    return st;
}

static void note_rows(struct plain_result *result, int64_t n, int64_t of)
{
    if (!result->of_rows || (double)n / (double)of < (double)result->n_rows / (double)result->of_rows) {
        result->n_rows = n;
        result->of_rows = of;
    }
}

enum aisp_status plain_truth_judge(struct plain_truth *truth, int slot, struct plain_result *result, struct aisp_err *err)
{
    const struct aisp_instance *inst = &truth->rig->inst;
    const void *tensor[AISP_MAX_TENSORS];
    const struct aisp_view view = { tensor, inst->param };
    enum aisp_status st = AISP_OK;

    plain_view(truth->rig, tensor);
    AISP_TRY(take_outputs(truth, slot, err));
    for (int t = 0; t < inst->n_tensors && result->end != PLAIN_WRONG; t++) {
        struct aisp_comparison answer = { .kind = AISP_RIGHT, .first_wrong = -1 };
        int64_t rows;

        if (!truth->got[t])
            continue;
        rows = affordable_rows(truth, &view, t);
        judge_by_host(truth, &view, t, rows, &answer);
        if (answer.kind == AISP_RIGHT && rows < inst->extent[t].rows && truth->reference) {
            AISP_TRY(judge_by_device(truth, slot, t, &answer, err));
            result->by_device = true;
        }
        note_rows(result, rows, inst->extent[t].rows);
        result->worst = answer.worst > result->worst ? answer.worst : result->worst;
        if (answer.kind == AISP_RIGHT)
            continue;
        result->end = PLAIN_WRONG;
        result->first_wrong = answer;
        snprintf(result->tensor, sizeof result->tensor, "%s", inst->problem->tensor[t].name);
    }
out:
    return st;
}

void plain_truth_hash(const struct plain_truth *truth, struct plain_result *result)
{
    const struct aisp_instance *inst = &truth->rig->inst;

    for (int t = 0; t < inst->n_tensors; t++) {
        char all[130] = "";

        if (!truth->got[t])
            continue;
        memcpy(all, result->outputs, 64);
        aisp_hash_bytes(truth->got[t], inst->extent[t].bytes, all + 64);
        aisp_hash_bytes(all, 128, result->outputs);
    }
}

/* The first element at which the two differ by more than order of summation does, or -1; *worst: the largest difference seen,
 * as a share of the larger of the element and the rows' root mean square. */
static int64_t first_difference(const void *host, const void *device, int64_t n, bool is_float, double *worst)
{
    const double *h = host, *d = device;
    double squares = 0, rms, share;
    int64_t first = -1;

    if (!is_float) {
        for (int64_t i = 0; i < n; i++)
            if (((const int64_t *)host)[i] != ((const int64_t *)device)[i])
                return i;
        return -1;
    }
    for (int64_t i = 0; i < n; i++)
        squares += isfinite(h[i]) ? h[i] * h[i] : 0;
    rms = sqrt(squares / (double)n);
    for (int64_t i = 0; i < n; i++) {
        if (h[i] == d[i] || (isnan(h[i]) && isnan(d[i])))
            continue;
        share = fabs(h[i] - d[i]) / fmax(fabs(h[i]), rms);
        if (!(share <= *worst))
            *worst = share;
        if (!(share <= TRUTHS_AGREE) && first < 0)
            first = i;
    }
    return first;
}

static enum aisp_status compare_truths(struct plain_truth *truth, int slot, int t, const struct aisp_range *rows,
                                       struct plain_result *result, struct aisp_err *err)
{
    const struct aisp_instance *inst = &truth->rig->inst;
    const int64_t n = rows->n * inst->extent[t].row_elements;
    const bool is_float = aisp_dtype_is_float(inst->problem->tensor[t].dtype);
    const void *tensor[AISP_MAX_TENSORS];
    const struct aisp_view view = { tensor, inst->param };
    void *host = aisp_xmalloc((size_t)n * 8), *device = aisp_xmalloc((size_t)n * 8);
    enum aisp_status st;
    int64_t at;

    plain_view(truth->rig, tensor);
    inst->problem->reference(&view, t, rows->first, rows->n, host);
    AISP_TRY(ask_device(truth, slot, t, rows, device, err));
    at = first_difference(host, device, n, is_float, &result->worst);
    if (at >= 0) {
        result->end = PLAIN_WRONG;
        result->first_wrong = (struct aisp_comparison){
            .kind = AISP_WRONG_VALUE,
            .first_wrong = rows->first * inst->extent[t].row_elements + at,
            .seen = is_float ? ((double *)device)[at] : (double)((int64_t *)device)[at],
            .expected = is_float ? ((double *)host)[at] : (double)((int64_t *)host)[at],
        };
        snprintf(result->tensor, sizeof result->tensor, "%s", inst->problem->tensor[t].name);
    }
out:
    free(host);
    free(device);
    return st;
}

enum aisp_status plain_truth_agree(struct plain_truth *truth, int slot, struct plain_result *result, struct aisp_err *err)
{
    const struct aisp_instance *inst = &truth->rig->inst;
    const void *tensor[AISP_MAX_TENSORS];
    const struct aisp_view view = { tensor, inst->param };
    struct aisp_range range[AISP_MAX_RANGES];
    enum aisp_status st = AISP_OK;

    plain_view(truth->rig, tensor);
    AISP_TRY(keep_before(truth, err));
    for (int t = 0; t < inst->n_tensors; t++) {
        int64_t rows, most;
        int n;

        if (!truth->got[t])
            continue;
        most = rows_in_room(truth, t);
        rows = affordable_rows(truth, &view, t);
        rows = rows < most ? rows : most;
        note_rows(result, rows, inst->extent[t].rows);
        n = aisp_ranges_draw(&truth->dice, inst->extent[t].rows, rows, range);
        for (int i = 0; i < n && result->end != PLAIN_WRONG; i++)
            AISP_TRY(compare_truths(truth, slot, t, &range[i], result, err));
    }
out:
    return st;
}
