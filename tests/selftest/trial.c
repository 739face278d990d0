/* trial.c - prepare what a fixture asks for, run it, and see what the checks say. */
#include "tests/selftest/trial.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/catalogue.h"
#include "core/device_trace.h"
#include "tests/selftest/place.h"
#include "tests/selftest/world.h"

enum { TIMEOUT_NS = 1500000000, DEATH_TIMEOUT_NS = 400000000 };
/* A card's worker opens a driver first; a pair of workers takes a second and more. */
static const int64_t CARD_SETUP_NS = 20000000000, CARD_CALL_NS = 3000000000, CARD_VERDICT_NS = 30000000000,
                     CARD_FEW_PAIRS_NS = 12000000000;
static const int64_t RANKS_TIMEOUT_NS = 30000000000, FEW_PAIRS_NS = 5000000000, VERDICT_NS = 12000000000,
                     BRIEF_NS = 4000000000;

/* What lives as long as one run. */
struct stage {
    struct aisp_loaded_problem problem;
    struct aisp_variant_ref baseline, fixture;
    struct aisp_calibration calibration;
    struct aisp_policy policy;
    struct world world;
    char copy[64];
};

static bool is_on_card(const struct fixture *f)
{
    return !strcmp(f->device, "cuda");
}

static void refer(struct aisp_variant_ref *ref, const struct fixture *f, const char *name, char *path)
{
    struct aisp_err err = { 0 };

    snprintf(ref->name, sizeof ref->name, "%s", name);
    strcpy(ref->device, f->device);
    ref->path = path;
    if (aisp_declaration_read(path, &ref->decl, &err))
        snprintf(ref->refused, sizeof ref->refused, "%.*s", (int)sizeof ref->refused - 1, err.text);
}

/* A folder in which the worker, whoever it is, may write: its own file, the problem and the baseline. The problem that is
 * used is the one in there. */
static bool make_copy(struct stage *s, const struct fixture *f)
{
    char *problems = place_of("problems/%s", f->problem), *command;
    bool good;

    strcpy(s->copy, "/tmp/aisp-selftest-XXXXXX");
    good = mkdtemp(s->copy) != NULL;
    command = aisp_format("cp '%s' '%s/variant.so' && cp '%s/problem.so' '%s/baseline.so' '%s' && "
                          "chmod -R 0777 '%s'",
                          s->fixture.path, s->copy, problems, problems, s->copy, s->copy);
    good = good && !system(command);
    free(command);
    free(problems);
    free(s->fixture.path);
    s->fixture.path = aisp_format("%s/variant.so", s->copy);
    return good;
}

static bool set_stage(struct stage *s, const struct fixture *f, struct aisp_err *err)
{
    char *path = place_of("problems/%s/problem.so", f->problem);
    enum aisp_status st;

    refer(&s->baseline, f, "baseline",
          place_of("problems/%s/baseline%s.so", f->problem, is_on_card(f) ? ".cuda" : ""));
    refer(&s->fixture, f, f->name, place_of("%s/%s.so", f->kind, f->name));
    if (f->copy && !make_copy(s, f)) {
        free(path);
        aisp_fail(err, AISP_E_IO, "%s: no copy could be made", f->name);
        return false;
    }
    if (f->copy) {
        free(path);
        path = aisp_format("%s/problem.so", s->copy);
    }
    st = aisp_problem_load(path, &s->problem, err);
    free(path);
    if (st)
        return false;
    world_calibrate(f->calibration, &s->calibration);
    return true;
}

static void strike_stage(struct stage *s)
{
    if (*s->copy) {
        char *command = aisp_format("rm -rf '%s'", s->copy);

        if (system(command))
            printf("%s is left behind\n", s->copy);
        free(command);
    }
    free(s->baseline.path);
    free(s->fixture.path);
    aisp_problem_unload(&s->problem);
}

static void plan_sides(struct aisp_plan *plan, const struct stage *s, const char *side)
{
    plan->variant[AISP_A] = strcmp(side, "B") ? &s->fixture : &s->baseline;
    plan->variant[AISP_B] = strcmp(side, "A") ? &s->fixture : &s->baseline;
}

static void examine(const struct fixture *f, struct trial *t)
{
    const struct aisp_grading grading = { .publish = f->publish,
                                            .allow_virtualization = f->allow_virtualization };
    struct aisp_err err = { 0 };

    t->grade = aisp_examine(&t->ev, &grading, &t->findings);
    t->has_verdict = t->ev.n_pairs > 0 && aisp_run_verdict(&t->ev, &t->look, &err) == AISP_OK;
}

enum aisp_status trial_probe(const char *device, struct aisp_err *err)
{
    const struct aisp_backend *backend = aisp_backend_find(device);

    if (!backend)
        return aisp_fail(err, AISP_E_USAGE, "there is no device %s", device);
    return backend->probe(err);
}

const char *trial_card(const char *device)
{
    static struct aisp_device_limits limits;
    const struct aisp_backend *backend = aisp_backend_find(device);

    if (backend && backend->limits && !*limits.name)
        backend->limits(&limits);
    return limits.name;
}

static int64_t time_limit_ns(const struct fixture *f, const struct trial_ask *ask)
{
    return ask->is_brief || f->brief ? BRIEF_NS : (ask->pairs >= 12 ? VERDICT_NS : FEW_PAIRS_NS) * (1 + ask->attempt % 10);
}

/* A driver takes its time to start, and a rank has to wait for its turn. */
static void set_limits(struct aisp_plan *plan, const struct fixture *f)
{
    if (plan->inst.n_ranks > 1) /* on a busy machine each turn of each rank has to wait */
        plan->call_timeout_ns = RANKS_TIMEOUT_NS;
    if (!strcmp(f->kind, "cheats") && !strcmp(f->check, "worker-died") && plan->verify_only) /* nobody waits for the dead */
        plan->call_timeout_ns = DEATH_TIMEOUT_NS;
    if (plan->max_pairs >= 12) /* who is timed to a verdict may be slow to set up */
        plan->setup_timeout_ns = VERDICT_NS;
    if (!is_on_card(f))
        return;
    plan->setup_timeout_ns = CARD_SETUP_NS;
    plan->call_timeout_ns = CARD_CALL_NS;
    plan->time_limit_ns += plan->max_pairs >= 12 ? CARD_VERDICT_NS - VERDICT_NS : CARD_FEW_PAIRS_NS - FEW_PAIRS_NS;
}

bool trial_run(const struct fixture *f, const struct trial_ask *ask, struct trial *t)
{
    const struct aisp_key tests = { { 'p', 'r', 'o', 'o', 'f' } };
    struct stage s = { .policy = { ask->off | f->without } };
    struct aisp_err err = { 0 };
    struct aisp_plan plan = {
        .target = f->name,
        .size = "default",
        .backend = aisp_backend_find(f->device),
        .n_threads = 1,
        .time_limit_ns = time_limit_ns(f, ask),
        .max_pairs = ask->pairs,
        .verify_only = !ask->pairs,
        .scope = strcmp(f->scope, aisp_scope_name(AISP_SCOPE_KERNEL)) ? AISP_SCOPE_CALL : AISP_SCOPE_KERNEL,
        .call_timeout_ns = TIMEOUT_NS,
        .setup_timeout_ns = TIMEOUT_NS,
        .policy = &s.policy,
        .calibration = &s.calibration,
        .secret = aisp_key_derive(&tests, f->name, ask->off, ask->pairs, ask->attempt, 0),
    };
    bool good;

    memset(t, 0, sizeof *t);
    good = set_stage(&s, f, &err);
    if (good) {
        plan.problem = s.problem.problem;
        plan_sides(&plan, &s, f->side);
        world_enter(&s.world, f);
        if (*f->nvml)
            plan.card = world_card(f);
        good = !aisp_instance_init(&plan.inst, plan.problem, AISP_SIZE_DEFAULT, NULL, 0, &err);
        set_limits(&plan, f);
        good = good && !aisp_run(&plan, &t->ev, &err);
        world_replace(f, &t->ev);
        world_leave(&s.world);
        examine(f, t);
    }
    if (!good)
        printf("%s/%s could not be run: %s\n", f->kind, f->name, err.text);
    strike_stage(&s);
    return good;
}

/* What the device's recorder saw, beside what the product keeps: nothing where it saw nothing. A folder that cannot be written
 * is said when the outcomes are to be kept. */
void trial_keep_trace(const struct trial *t, const struct fixture *f, const char *artifacts_dir)
{
    char *folder, *path;
    json_t *json;

    if (!artifacts_dir || !*artifacts_dir || !(t->ev.device_trace[AISP_A].taken || t->ev.device_trace[AISP_B].taken))
        return;
    folder = aisp_format("%s/traces", artifacts_dir);
    path = aisp_format("%s/%s.%s.json", folder, f->kind, f->name);
    mkdir(artifacts_dir, 0777);
    mkdir(folder, 0777);
    json = aisp_device_traces_to_json(t->ev.device_trace);
    if (json_dump_file(json, path, JSON_COMPACT))
        printf("%s: not written\n", path);
    json_decref(json);
    free(folder);
    free(path);
}

void trial_release(struct trial *t)
{
    aisp_findings_release(&t->findings);
    aisp_evidence_release(&t->ev);
}

static bool is_of(const struct aisp_finding *f, const char *check)
{
    return !strcmp(f->check->name, check);
}

const struct aisp_finding *trial_violation(const struct trial *t, const char *check)
{
    for (size_t i = 0; i < t->findings.n; i++)
        if (t->findings.item[i].severity == AISP_VIOLATION && is_of(&t->findings.item[i], check))
            return &t->findings.item[i];
    return NULL;
}

bool trial_lacks_recorder(const struct trial *t, const struct fixture *f)
{
    return f->defences >> AISP_DEVICE_RECORDER & 1 && !t->ev.n_observations && !t->ev.device_trace[AISP_A].taken &&
           !t->ev.device_trace[AISP_B].taken;
}

int trial_pairs(const struct trial *t)
{
    int n = 0;

    for (size_t i = 0; i < t->ev.n_pairs; i++)
        n += t->ev.pair[i].complete && !t->ev.pair[i].is_control;
    return n;
}

bool trial_was_disturbed(const struct trial *t)
{
    for (size_t i = 0; i < t->findings.n; i++)
        if (is_of(&t->findings.item[i], "background-noise"))
            return true;
    return false;
}
