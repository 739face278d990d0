/* run_scene.h - a small problem and a plan on the scripted device, for tests of core/run and backends/fake. */
#ifndef TESTS_RUN_SCENE_H
#define TESTS_RUN_SCENE_H

#include "backends/fake/fake.h"
#include "core/run/run.h"

static void scene_reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cols = in->param[1];
    const float *x = in->tensor[0], *w = in->tensor[1];
    double *y = to;

    (void)out;
    for (int64_t i = first * cols; i < (first + n) * cols; i++)
        *y++ = (double)x[i] * (double)w[i % cols];
}

/* y *= w: every call uses its slot up. */
static void scene_reference_inout(const struct aisp_view *in, int out, int64_t first, int64_t n,
                                  void *to)
{
    (void)out;
    scene_reference(in, 0, first, n, to);
}

static const struct aisp_param scene_params[] = {
    { "rows", 24, 6, 0, 8, 40, 4 },
    { "cols", 16, 8, 0, 8, 32, 8 },
    { 0 },
};

static const struct aisp_tensor scene_tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_UNIFORM, 0.5, 1.5 } },
    { "w", AISP_WEIGHT, AISP_F32, "cols", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static const struct aisp_tensor scene_tensors_inout[] = {
    { "y", AISP_INOUT, AISP_F32, "rows, cols", { AISP_UNIFORM, 0.5, 1.5 } },
    { "w", AISP_WEIGHT, AISP_F32, "cols", { AISP_UNIFORM, 0.5, 1.5 } },
    { 0 },
};

#define SCENE_PROBLEM(tensors, truth)                                                              \
    {                                                                                              \
        .abi = AISP_ABI, .title = "Scale", .teaches = "nothing", .goal = AISP_SPEED,               \
        .param = scene_params, .tensor = tensors, .bytes = "8*rows*cols", .flops = "rows*cols",    \
        .tolerance = { .ulps = 2, .why = "one product" }, .reference = truth                       \
    }
static const struct aisp_problem scene_problem = SCENE_PROBLEM(scene_tensors, scene_reference);
static const struct aisp_problem scene_problem_inout =
    SCENE_PROBLEM(scene_tensors_inout, scene_reference_inout);

static const struct aisp_variant_ref scene_baseline = { .name = "baseline", .device = "fake" };
static const struct aisp_variant_ref scene_optimized = { .name = "optimized", .device = "fake" };

/* Baseline 10 us a call, 0.2 % noise a window and 0.1 % a pair; optimized as asked. */
static inline struct aisp_fake_script scene_script(double optimized_ns)
{
    return (struct aisp_fake_script){
        .seed = 1,
        .variant = { { .name = "baseline",
                       .call_ns = 10000,
                       .noise = 0.002,
                       .pair_noise = 0.001,
                       .slack_ns = 400 },
                     { .name = "optimized",
                       .call_ns = optimized_ns,
                       .noise = 0.002,
                       .pair_noise = 0.001,
                       .slack_ns = 400 } },
    };
}

static inline struct aisp_plan scene_plan(const struct aisp_problem *problem)
{
    struct aisp_plan plan = {
        .target = "scene:scale",
        .problem = problem,
        .size = "default",
        .variant = { &scene_baseline, &scene_optimized },
        .backend = aisp_backend_find("fake"),
        .n_threads = 1,
        .time_limit_ns = INT64_C(60000000000),
        .secret = { { 42 } },
    };

    if (aisp_instance_init(&plan.inst, problem, AISP_SIZE_DEFAULT, NULL, 0, NULL))
        plan.problem = NULL; /* aisp_run then refuses the plan */
    return plan;
}

static inline int scene_count(const struct aisp_evidence *ev, enum aisp_seen what, int side)
{
    int n = 0;

    for (size_t i = 0; i < ev->n_observations; i++)
        n += ev->observation[i].what == what && ev->observation[i].side == side;
    return n;
}

#endif
