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
    void *truth;

    if (q->first_row < 0 || q->n_rows < 0 || q->n_rows > extent->rows - q->first_row)
        AISP_BUG("rows [%lld, +%lld) of %lld", (long long)q->first_row, (long long)q->n_rows,
                 (long long)extent->rows);
    if (problem->accept) {
        ask_problem(q, answer);
        return;
    }
    /* A truth is 8 bytes an element: a double or an int64_t. */
    c.truth = q->truth;
    if (!q->truth) {
        truth = room(scratch, (size_t)c.n * 8);
        problem->reference(&q->view, q->tensor, q->first_row, q->n_rows, truth);
        c.truth = truth;
    }
    aisp_compare(&c, answer);
}
