/* judge.c - ask the problem for the truth, and compare.
 * Not here: the comparison (compare.c); whether the problem can tell right from wrong at all
 * (mutants.c). */
#include "core/judge/judge.h"

#include "core/base/err.h"
#include "core/judge/compare.h"
#include "core/judge/fill.h"

const char *aisp_wrong_name(enum aisp_wrong kind)
{
    static const char *const name[] = {
        [AISP_RIGHT] = "right",
        [AISP_WRONG_VALUE] = "value outside tolerance",
        [AISP_WRONG_NORM] = "norm outside tolerance",
        [AISP_WRONG_UNWRITTEN] = "not written",
        [AISP_WRONG_STALE] = "right answer to earlier contents",
        [AISP_WRONG_CONSTANT] = "one value everywhere",
        [AISP_WRONG_NAN] = "NaN",
        [AISP_WRONG_INF] = "Inf",
        [AISP_WRONG_REJECTED] = "rejected by the problem",
    };

    return (unsigned)kind < sizeof name / sizeof *name ? name[kind] : "?";
}

static void *room(struct aisp_buf *scratch, size_t bytes)
{
    if (scratch->cap < bytes) {
        aisp_buf_release(scratch);
        scratch->s = aisp_xmalloc(bytes);
        scratch->cap = bytes;
    }
    scratch->len = 0;
    return scratch->s;
}

/* How many elements of `got`, rows of q, are still the poison. */
static int64_t count_poison(const struct aisp_question *q, enum aisp_dtype dtype, int64_t n,
                            int64_t first)
{
    const size_t size = aisp_dtype_bytes(dtype);
    unsigned char pattern[64];
    int64_t count = 0;

    aisp_poison(pattern, sizeof pattern, dtype, q->poison);
    for (int64_t i = 0; i < n; i++)
        count += !__builtin_memcmp((const char *)q->got + (size_t)i * size,
                                   pattern + (size_t)(first + i) * size % 64, size);
    return count;
}

/* accept() sees whole outputs. Where it says no, an element still poisoned is the better
 * explanation. */
static void ask_problem(const struct aisp_question *q, struct aisp_comparison *answer)
{
    const struct aisp_problem *problem = q->inst->problem;
    const struct aisp_extent *extent = &q->inst->extent[q->tensor];
    const enum aisp_dtype dtype = problem->tensor[q->tensor].dtype;
    const int64_t first = q->first_row * extent->row_elements, n = q->n_rows * extent->row_elements;
    int64_t wrong;

    if (!q->all_out)
        AISP_BUG("accept() of %s without the whole outputs", problem->title);
    *answer = (struct aisp_comparison){ .kind = AISP_RIGHT, .n_compared = n, .first_wrong = -1 };
    wrong = problem->accept(&q->view, q->all_out, answer->why, sizeof answer->why);
    answer->why[sizeof answer->why - 1] = '\0';
    if (wrong == 0)
        return;
    answer->kind = AISP_WRONG_REJECTED;
    answer->n_wrong = 1;
    answer->first_wrong = wrong - 1;
    if (!q->poison)
        return;
    answer->n_unwritten = count_poison(q, dtype, n, first);
    if (aisp_dtype_bytes(dtype) > 1 ? answer->n_unwritten > 0 : answer->n_unwritten > n / 8 + 1) {
        answer->kind = AISP_WRONG_UNWRITTEN;
        answer->n_wrong = answer->n_unwritten;
    }
}

void aisp_judge_measure_rows(const struct aisp_extent *extent, int64_t *first, int64_t *n)
{
    const int64_t each = extent->row_elements > 0 ? extent->row_elements : 1;
    const int64_t least = (AISP_JUDGE_LEAST_ELEMENTS + each - 1) / each;

    if (*n >= least)
        return;
    *first -= (least - *n) / 2;
    *n = least < extent->rows ? least : extent->rows;
    *first = *first < 0 ? 0 : *first > extent->rows - *n ? extent->rows - *n : *first;
}

/* The truth of the rows asked about, and in *rms what is usual around them where those alone would be their own measure: an answer
 * near zero has no smaller error than its neighbours. */
static const void *ask_truth(const struct aisp_question *q, bool is_float, struct aisp_buf *scratch, double *rms)
{
    const struct aisp_problem *problem = q->inst->problem;
    const struct aisp_extent *extent = &q->inst->extent[q->tensor];
    int64_t first = q->first_row, n = q->n_rows;
    char *truth;

    if (is_float)
        aisp_judge_measure_rows(extent, &first, &n);
    truth = room(scratch, (size_t)(n * extent->row_elements) * 8);
    problem->reference(&q->view, q->tensor, first, n, truth);
    if (n > q->n_rows)
        *rms = aisp_compare_rms(false, (const double *)truth, n * extent->row_elements);
    return truth + (size_t)((q->first_row - first) * extent->row_elements) * 8;
}

void aisp_judge(const struct aisp_question *q, struct aisp_buf *scratch,
                struct aisp_comparison *answer)
{
    const struct aisp_problem *problem = q->inst->problem;
    const struct aisp_extent *extent = &q->inst->extent[q->tensor];
    const enum aisp_dtype dtype = problem->tensor[q->tensor].dtype;
    struct aisp_comparing c = {
        .dtype = dtype,
        .got = q->got,
        .n = q->n_rows * extent->row_elements,
        .poison = q->poison,
        .first = q->first_row * extent->row_elements,
        .relative = aisp_tolerance_relative(q->inst, dtype),
        .norm = aisp_tolerance_norm(q->inst, dtype),
    };

    if (q->first_row < 0 || q->n_rows < 0 || q->n_rows > extent->rows - q->first_row)
        AISP_BUG("rows [%lld, +%lld) of %lld", (long long)q->first_row, (long long)q->n_rows,
                 (long long)extent->rows);
    if (problem->accept) {
        ask_problem(q, answer);
        return;
    }
    /* A truth is 8 bytes an element: a double or an int64_t. */
    c.least_rms = q->truth ? q->least_rms : 0;
    c.truth = q->truth ? q->truth : ask_truth(q, aisp_dtype_is_float(dtype), scratch, &c.least_rms);
    aisp_compare(&c, answer);
}
