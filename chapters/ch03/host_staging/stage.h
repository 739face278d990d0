/* stage.h - the two halves of a step, which all rungs share and arrange differently: staging records and learning from them.
 * The arithmetic is as fast for the baseline as for the others: with a slow one there would be little staging to hide. */
#ifndef HOST_STAGING_STAGE_H
#define HOST_STAGING_STAGE_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8, VECTORS = OUTPUTS / LANES, GROUP = 4, LINE = 64, AHEAD = 8 };

struct job {
    const float *table;
    const int32_t *pick;
    float *y;
    int64_t rows, fields, batch, steps;
    float *w, *g;      /* fields x OUTPUTS, in the workspace: the layer and the gradient of this step */
    float *buffer[2];  /* batch records each, in the workspace */
    int is_fast;       /* there is AVX2 with FMA */
};

static inline int64_t record_of(const struct job *job)
{
    return OUTPUTS + job->fields;
}

static inline size_t workspace_for(const int64_t *param, int n_buffers)
{
    return (size_t)(2 * param[FIELDS] * OUTPUTS + n_buffers * param[BATCH] * (OUTPUTS + param[FIELDS])) * sizeof(float);
}

static inline size_t one_buffer(const int64_t *param)
{
    return workspace_for(param, 1);
}

static inline size_t two_buffers(const int64_t *param)
{
    return workspace_for(param, 2);
}

/* The job of a call, its layer as it is at the start. */
static inline struct job job_of(const struct aisp_call *call, int n_buffers)
{
    const int64_t *param = call->param, weights = param[FIELDS] * OUTPUTS;
    float *w = call->workspace, *first = w + 2 * weights;

    memcpy(w, call->tensor[START], (size_t)weights * sizeof *w);
    memset(w + weights, 0, (size_t)weights * sizeof *w);
    return (struct job){
        .table = call->tensor[TABLE],
        .pick = call->tensor[PICK],
        .y = call->tensor[Y],
        .rows = param[ROWS],
        .fields = param[FIELDS],
        .batch = param[BATCH],
        .steps = param[STEPS],
        .w = w,
        .g = w + weights,
        .buffer = { first, n_buffers > 1 ? first + param[BATCH] * (OUTPUTS + param[FIELDS]) : first },
        .is_fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
    };
}

static inline const float *picked(const struct job *job, int64_t i)
{
    return job->table + row_of(job->pick[i], job->rows) * record_of(job);
}

/* Asks for the lines of one record; `near` is where to: 3 for L1, 2 for L2. A macro, as `near` has to be a constant and a call
 * of what only prefetches is taken for one without effect. */
#define ASK(job, i, near)                                                                \
    do {                                                                                 \
        const char *const ask_at = (const char *)picked(job, i);                         \
        const int64_t ask_bytes = record_of(job) * (int64_t)sizeof(float);               \
                                                                                         \
        for (int64_t ask = 0; ask < ask_bytes; ask += LINE)                              \
            __builtin_prefetch(ask_at + ask, 0, near);                                   \
        __builtin_prefetch(ask_at + ask_bytes - 1, 0, near);                             \
    } while (0)

/* The records of a step, side by side. */
static inline void stage(const struct job *job, int64_t step, float *to)
{
    const int64_t record = record_of(job), begin = step * job->batch;

    for (int64_t i = begin; i < begin + job->batch; i++, to += record)
        memcpy(to, picked(job, i), (size_t)record * sizeof *to);
}

/* The same, each record asked for AHEAD records before its turn. */
static inline void stage_asking(const struct job *job, int64_t step, float *to)
{
    const int64_t record = record_of(job), begin = step * job->batch, end = begin + job->batch;

    for (int64_t i = begin; i < begin + AHEAD && i < end; i++)
        ASK(job, i, 3);
    for (int64_t i = begin; i < end; i++, to += record) {
        if (i + AHEAD < end)
            ASK(job, i + AHEAD, 3);
        memcpy(to, picked(job, i), (size_t)record * sizeof *to);
    }
}

static inline void learn_portable(const struct job *job, const float *record, float *y)
{
    const float *x = record + OUTPUTS;
    float sum[OUTPUTS] = { 0 };

    for (int64_t k = 0; k < job->fields; k++)
        for (int o = 0; o < OUTPUTS; o++)
            sum[o] += x[k] * job->w[k * OUTPUTS + o];
    memcpy(y, sum, sizeof sum);
    for (int o = 0; o < OUTPUTS; o++)
        sum[o] -= record[o];
    for (int64_t k = 0; k < job->fields; k++)
        for (int o = 0; o < OUTPUTS; o++)
            job->g[k * OUTPUTS + o] += x[k] * sum[o];
}

/* n records, a constant of each call site, at most GROUP: their predictions and then their parts of the gradient, both with
 * all sums or errors in registers. */
__attribute__((target("avx2,fma"), always_inline)) static inline void learn_fast(const int n, const struct job *job,
                                                                                 const float *record, float *y)
{
    const float *w = job->w, *x = record + OUTPUTS;
    const int64_t pitch = record_of(job);
    float *g = job->g;
    __m256 v[GROUP][VECTORS];

#pragma GCC unroll 4
    for (int r = 0; r < n; r++)
#pragma GCC unroll 2
        for (int j = 0; j < VECTORS; j++)
            v[r][j] = _mm256_setzero_ps();
    for (int64_t k = 0; k < job->fields; k++, w += OUTPUTS)
#pragma GCC unroll 4
        for (int r = 0; r < n; r++)
#pragma GCC unroll 2
            for (int j = 0; j < VECTORS; j++)
                v[r][j] = _mm256_fmadd_ps(_mm256_broadcast_ss(x + r * pitch + k), _mm256_loadu_ps(w + j * LANES), v[r][j]);
#pragma GCC unroll 4
    for (int r = 0; r < n; r++)
#pragma GCC unroll 2
        for (int j = 0; j < VECTORS; j++) {
            _mm256_storeu_ps(y + r * OUTPUTS + j * LANES, v[r][j]);
            v[r][j] = _mm256_sub_ps(v[r][j], _mm256_loadu_ps(record + r * pitch + j * LANES));
        }
    for (int64_t k = 0; k < job->fields; k++, g += OUTPUTS) {
        __m256 in[GROUP];

#pragma GCC unroll 4
        for (int r = 0; r < n; r++)
            in[r] = _mm256_broadcast_ss(x + r * pitch + k);
#pragma GCC unroll 2
        for (int j = 0; j < VECTORS; j++) {
            __m256 sum = _mm256_loadu_ps(g + j * LANES);

#pragma GCC unroll 4
            for (int r = 0; r < n; r++)
                sum = _mm256_fmadd_ps(in[r], v[r][j], sum);
            _mm256_storeu_ps(g + j * LANES, sum);
        }
    }
}

__attribute__((target("avx2,fma"))) static void learn_group(const struct job *job, const float *record, float *y)
{
    learn_fast(GROUP, job, record, y);
}

__attribute__((target("avx2,fma"))) static void learn_one(const struct job *job, const float *record, float *y)
{
    learn_fast(1, job, record, y);
}

/* From records [b, b + GROUP) of a step, as far as there are so many. */
static inline void learn_from(const struct job *job, int64_t step, int64_t b, const float *staged)
{
    const float *record = staged + b * record_of(job);
    float *y = job->y + (step * job->batch + b) * OUTPUTS;

    if (job->is_fast && b + GROUP <= job->batch) {
        learn_group(job, record, y);
        return;
    }
    for (int64_t end = b + GROUP < job->batch ? b + GROUP : job->batch; b < end; b++) {
        if (job->is_fast)
            learn_one(job, record, y);
        else
            learn_portable(job, record, y);
        record += record_of(job);
        y += OUTPUTS;
    }
}

/* The end of a step: the layer moves, the gradient is empty again. */
static inline void move(const struct job *job)
{
    const float rate = (float)(RATE / (double)job->batch);

    for (int64_t i = 0; i < job->fields * OUTPUTS; i++) {
        job->w[i] -= rate * job->g[i];
        job->g[i] = 0;
    }
}

/* A step on staged records. */
static inline void learn(const struct job *job, int64_t step, const float *staged)
{
    for (int64_t b = 0; b < job->batch; b += GROUP)
        learn_from(job, step, b, staged);
    move(job);
}

#endif
