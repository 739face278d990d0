/* run.c - the order of the phases, and the facts around them. */
#include "core/run/run.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/turn.h"
#include "core/goal.h"
#include "core/run/rig.h"
#include "core/scan.h"

static const int64_t CALL_TIMEOUT_NS = INT64_C(10000000000),
                     SETUP_TIMEOUT_NS = INT64_C(60000000000);
static const int64_t TIME_LIMIT_NS = INT64_C(10000000000), PROGRESS_EVERY_NS = 100000000;
/* For another aisp to end its comparison. After that both go on, and what each sees of the other is background noise. */
static const int64_t PATIENCE_NS = INT64_C(60000000000);

bool aisp_course_stopped(const struct aisp_course *course)
{
    return course->plan->stop && *course->plan->stop;
}

/* The ratio so far: for the eye, decides nothing. */
static double ratio_so_far(const struct aisp_evidence *ev)
{
    struct aisp_estimate estimate;
    double *m, ratio = 0;
    int n, n_control;

    aisp_evidence_pairs(ev, &m, &n, NULL, &n_control);
    if (n > 0 && aisp_estimate_pairs(m, (size_t)n, 0.05, &estimate, NULL) == AISP_OK)
        ratio = exp(estimate.centre);
    free(m);
    return ratio;
}

void aisp_course_progress(struct aisp_course *course, enum aisp_phase phase, int pairs_done)
{
    const struct aisp_plan *plan = course->plan;
    const int64_t now = aisp_now_ns();
    struct aisp_progress p = { .phase = phase, .pairs_done = pairs_done, .limit_ns = plan->time_limit_ns };

    if (!course->plan->progress || now - course->last_progress_ns < PROGRESS_EVERY_NS)
        return;
    course->last_progress_ns = now;
    p.elapsed_ns = now - (course->pairs_start_ns ? course->pairs_start_ns : course->start_ns);
    if (p.elapsed_ns > p.limit_ns && plan->first_look_ns > p.limit_ns) /* it goes on to the first look */
        p.limit_ns = plan->first_look_ns;
    p.ratio = pairs_done ? ratio_so_far(course->ev) : 0;
    course->plan->progress(course->plan->progress_context, &p);
}

static int usable_cpus(const struct aisp_environment *env)
{
    cpu_set_t set;

    if (env->n_usable > 0)
        return env->n_usable;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

static enum aisp_status variant_facts(const struct aisp_variant_ref *ref,
                                      struct aisp_variant_facts *facts, struct aisp_err *err)
{
    snprintf(facts->name, sizeof facts->name, "%s", ref->name);
    facts->decl = ref->decl;
    return ref->path ? aisp_hash_file(ref->path, facts->sha256, err) : AISP_OK;
}

static void facts_of_service(const struct aisp_instance *inst, struct aisp_service *service)
{
    if (!inst->serving.requests)
        return;
    service->process = (int32_t)inst->problem->serving->process;
    service->figure = (int32_t)inst->problem->serving->figure;
    service->n_requests = inst->serving.requests;
    service->per_second = inst->serving.per_second;
    service->ttft_slo_ns = inst->serving.ttft_slo_ns;
    service->tpot_slo_ns = inst->serving.tpot_slo_ns;
}

static enum aisp_status facts_before(struct aisp_course *course, struct aisp_err *err)
{
    const struct aisp_plan *plan = course->plan;
    struct aisp_evidence *ev = course->ev;
    enum aisp_status st;

    snprintf(ev->target, sizeof ev->target, "%s", plan->target);
    snprintf(ev->device, sizeof ev->device, "%s", plan->backend->name);
    snprintf(ev->size, sizeof ev->size, "%s", plan->size ? plan->size : "custom");
    ev->n_params = plan->inst.n_params;
    for (int i = 0; i < ev->n_params; i++) {
        snprintf(ev->param_name[i], sizeof ev->param_name[i], "%s", plan->problem->param[i].name);
        ev->param[i] = plan->inst.param[i];
    }
    ev->goal = plan->problem->goal;
    ev->bytes = plan->inst.bytes;
    ev->flops = plan->inst.flops;
    ev->flops_is_floor = plan->inst.flops_is_floor;
    ev->arithmetic = (int32_t)aisp_arithmetic_of(plan->inst.problem->tensor, plan->inst.n_declared);
    ev->n_threads = plan->n_threads;
    ev->time_limit_ns = plan->time_limit_ns;
    if (plan->calibration)
        ev->calibration = *plan->calibration;
    aisp_hold_begin(course);
    if (plan->backend->limits)
        plan->backend->limits(&ev->limits);
    if (!aisp_defends(plan->policy, AISP_ROOFLINE_FLOOR) || *ev->limits.card) { /* those are of the machine's own cores */
        ev->calibration.peak_f32_gflops = ev->calibration.peak_f64_gflops = 0;
        ev->calibration.peak_bf16_gflops = ev->calibration.peak_i8_gops = 0;
        memset(ev->calibration.peak_read_gbps, 0, sizeof ev->calibration.peak_read_gbps);
    }
    facts_of_service(&plan->inst, &ev->service);
    aisp_environment_probe(&ev->before, "/");
    aisp_host_probe(&ev->machine.before, "/");
    if (plan->card || *ev->limits.card)
        course->watch = aisp_watch_open(&ev->machine.card, plan->card ? plan->card : ev->limits.card);
    course->n_usable = usable_cpus(&ev->before);
    aisp_ranks_begin(&ev->ranks, &plan->inst);
    ev->spinning = course->spin =
        course->n_usable > plan->n_threads * (ev->ranks.n_ranks > 1 ? ev->ranks.n_ranks : 1);
    AISP_TRY(variant_facts(plan->variant[AISP_A], &ev->variant[AISP_A], err));
    AISP_TRY(variant_facts(plan->variant[AISP_B], &ev->variant[AISP_B], err));
    aisp_watched_find(&ev->watched[AISP_WATCHED_PROBLEM], plan->problem);
    aisp_watched_find(&ev->watched[AISP_WATCHED_HARNESS], (const void *)(uintptr_t)facts_before);
    for (int side = AISP_A; side <= AISP_B; side++)
        if (plan->variant[side]->path) {
            char *path = realpath(plan->variant[side]->path, NULL);

            snprintf(ev->process[side].variant_path, sizeof ev->process[side].variant_path, "%s",
                     path ? path : "");
            free(path);
            aisp_scan(plan->variant[side]->path, &ev->process[side].scan);
        }
out:
    return st;
}

/* What the record says of itself, to be held against its windows whenever it is read again. */
static void make_claim(struct aisp_evidence *ev)
{
    struct aisp_claim *claim = &ev->machine.claim;
    struct aisp_look_result look;

    if (!ev->n_pairs || aisp_run_verdict(ev, &look, NULL))
        return;
    snprintf(claim->verdict, sizeof claim->verdict, "%s", aisp_verdict_name(look.verdict));
    claim->ratio = look.ratio;
    claim->n_pairs = (int32_t)look.n_pairs;
}

static void facts_after(struct aisp_course *course)
{
    struct aisp_evidence *ev = course->ev;

    for (int side = AISP_A; side <= AISP_B; side++) {
        const char *path = course->plan->variant[side]->path;

        /* A file that is gone leaves the field empty: not the same as before, and that is what is to be seen. */
        if (path)
            aisp_hash_file(path, ev->variant[side].sha256_after, NULL);
    }
    aisp_watch_close(course->watch);
    course->watch = NULL;
    for (int i = 0; i < AISP_N_WATCHED; i++)
        aisp_watched_after(&ev->watched[i]);
    aisp_environment_probe(&ev->after, "/");
    aisp_host_probe(&ev->machine.after, "/");
    aisp_evidence_chain(ev, ev->chain);
    aisp_service_chain(&ev->service, ev->service.chain);
    make_claim(ev);
    ev->elapsed_ns = aisp_now_ns() - course->start_ns;
}

/* Variants that the catalogue refused are not started at all. */
static bool are_loadable(struct aisp_course *course)
{
    bool all = true;

    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_variant_ref *ref = course->plan->variant[side];
        struct aisp_observation seen = { .what = AISP_SEEN_REFUSED,
                                         .side = (int8_t)side,
                                         .phase = AISP_PHASE_LOAD,
                                         AISP_NOWHERE };

        if (!*ref->refused)
            continue;
        snprintf(seen.detail, sizeof seen.detail, "%.*s", (int)sizeof seen.detail - 1,
                 ref->refused);
        aisp_evidence_observe(course->ev, &seen);
        all = false;
    }
    return all;
}

/* A class that was never calibrated takes the floor of the next slower one that was. */
static double calibrated_floor(const struct aisp_calibration *cal, int level)
{
    while (level < 3 && !(cal->aa_floor[level] > 0))
        level++;
    return cal->aa_floor[level];
}

static enum aisp_status set_rules(struct aisp_course *course, struct aisp_err *err)
{
    struct aisp_evidence *ev = course->ev;
    const int level = aisp_evidence_level(ev, ev->working_set_bytes);
    const double floor = aisp_goal_floor(ev->goal, calibrated_floor(&ev->calibration, level));
    struct aisp_verdict_rules rules = aisp_course_rules(ev->cache_level, floor, course->plan->band);

    if (!(course->plan->band > 0))
        rules.band = aisp_goal_band(ev->goal, rules.band);
    ev->floor = rules.floor;
    ev->band = rules.band;
    if (rules.band <= rules.floor)
        return aisp_fail(
            err, AISP_E_USAGE,
            "a band of %.2f %% is not above this machine's floor of %.2f %%; ask for a wider one",
            100 * rules.band, 100 * rules.floor);
    return AISP_OK;
}

static enum aisp_status check_plan(const struct aisp_plan *plan, struct aisp_err *err)
{
    if (!plan->target || !plan->problem || !plan->backend || !plan->variant[AISP_A] ||
        !plan->variant[AISP_B])
        return aisp_fail(err, AISP_E_USAGE,
                         "a plan needs a target, a problem, a backend and two variants");
    if (plan->n_threads < 1 || plan->time_limit_ns < 0 || plan->max_pairs < 0 || !(plan->band >= 0))
        return aisp_fail(err, AISP_E_USAGE,
                         "%s: threads, time, pairs or band of the plan are negative", plan->target);
    if (plan->scope == AISP_SCOPE_KERNEL && !plan->backend->hold)
        return aisp_fail(err, AISP_E_UNAVAILABLE, "the device %s has no kernel scope: what is called there is what is run",
                         plan->backend->name);
    return plan->backend->probe(err);
}

/* The pairs have given an answer, and what comes after them can only add to it: where that fails, the record says so, and has
 * what there is. The user's interrupt ends all. */
static enum aisp_status after_the_pairs(struct aisp_course *course, const char *what,
                                        enum aisp_status (*phase)(struct aisp_course *, struct aisp_err *), struct aisp_err *err)
{
    struct aisp_evidence *ev = course->ev;
    struct aisp_look_result look;
    struct aisp_err why = { 0 };
    const enum aisp_status st = phase(course, &why);

    if (!st)
        return AISP_OK;
    if (st == AISP_E_INTERRUPTED || !ev->n_pairs || aisp_run_verdict(ev, &look, NULL))
        return aisp_fail(err, st, "%s", why.text);
    aisp_claim_unfinished(&ev->machine.claim, what, &why);
    return AISP_OK;
}

static enum aisp_status timed_phases(struct aisp_course *course, struct aisp_err *err)
{
    enum aisp_status st;
    bool go_on;

    do {
        AISP_TRY(aisp_trial(course, &go_on, err));
        if (!go_on)
            return AISP_OK;
        AISP_TRY(set_rules(course, err));
        AISP_TRY(aisp_pairs(course, err));
    } while (course->is_plan_short);
    AISP_TRY(after_the_pairs(course, "energy", aisp_energy, err));
    st = after_the_pairs(course, "secret points", aisp_holdout_time, err);
out:
    return st;
}

static enum aisp_status phases(struct aisp_course *course, struct aisp_err *err)
{
    const struct aisp_backend *backend = course->plan->backend;
    enum aisp_status st;
    bool go_on;
    int turn;

    AISP_TRY(aisp_verify(course, &go_on, err));
    if (!go_on || course->plan->verify_only)
        return AISP_OK;
    if (course->plan->problem->goal == AISP_MEMORY)
        AISP_TRY(aisp_footprint_take(course, &go_on, err));
    if (!go_on)
        return AISP_OK;
    turn = backend->is_scripted ? -1 : aisp_turn_take(backend->name, PATIENCE_NS, course->plan->stop);
    st = timed_phases(course, err);
    aisp_turn_give(turn);
out:
    return st;
}

enum aisp_status aisp_run(const struct aisp_plan *asked, struct aisp_evidence *ev,
                          struct aisp_err *err)
{
    struct aisp_plan plan = *asked;
    struct aisp_course course = { .plan = &plan, .ev = ev };
    enum aisp_status st;

    *ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    AISP_TRY(check_plan(&plan, err));
    plan.call_timeout_ns = plan.call_timeout_ns ? plan.call_timeout_ns : CALL_TIMEOUT_NS;
    plan.setup_timeout_ns = plan.setup_timeout_ns ? plan.setup_timeout_ns : SETUP_TIMEOUT_NS;
    plan.time_limit_ns = plan.time_limit_ns ? plan.time_limit_ns : TIME_LIMIT_NS;
    course.start_ns = aisp_now_ns();
    AISP_TRY(facts_before(&course, err));
    if (are_loadable(&course))
        st = phases(&course, err);
    if (st == AISP_OK && !aisp_evidence_has_doubts(ev))
        st = after_the_pairs(&course, "the device's audit", aisp_device_audit, err);
    ev->incomplete = st != AISP_OK;
    facts_after(&course);
out:
    return st;
}
