/* contest.c - one target measured. */
#include "commands/contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/audit.h"
#include "commands/result.h"
#include "core/base/clock.h"
#include "core/json.h"

/* Is `name` in a comma separated list? */
static bool is_listed(const char *list, const char *name)
{
    const size_t n = strlen(name);

    for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',') {
        size_t len;

        at += strspn(at, " ");
        len = strcspn(at, ",");
        while (len && at[len - 1] == ' ')
            len--;
        if (len == n && !memcmp(at, name, n))
            return true;
    }
    return false;
}

static bool is_asked(const struct aisp_variant_ref *v, const struct aisp_session_options *options)
{
    return !strcmp(v->device, options->device ? options->device : "cpu");
}

static bool is_omitted(const struct aisp_problem *problem, const struct aisp_session_options *options,
                       const struct aisp_variant_ref *v)
{
    char name[sizeof v->name + sizeof v->device + 1];

    if (options->size != AISP_SIZE_LARGE)
        return false;
    snprintf(name, sizeof name, "%s:%s", v->device, v->name);
    return is_listed(problem->large_omits, strcmp(v->device, "cpu") ? name : v->name);
}

static enum aisp_status find_reference(struct aisp_entry *entry,
                                       const struct aisp_session_options *options,
                                       struct aisp_err *err)
{
    const struct aisp_target *t = entry->target;

    for (size_t i = 0; i < t->n_variants && !entry->reference; i++) {
        const struct aisp_variant_ref *v = &t->variant[i];
        const bool may_be = !strcmp(v->name, "baseline") || !strncmp(v->name, "peer_", 5);

        if (may_be && is_asked(v, options) &&
            !is_omitted(entry->loaded.problem, options, v))
            entry->reference = v;
    }
    if (entry->reference)
        return AISP_OK;
    if (options->device && !aisp_target_variant(t, "baseline", options->device))
        return aisp_fail(err, AISP_E_UNAVAILABLE, "%s has no form for %s here; \"aisp bench show %s\" says why", t->id,
                         options->device, t->id);
    return aisp_fail(
        err, AISP_E_REFUSED,
        "%s: nothing to compare with at this size: the baseline is left out at large, and no "
        "peer library was found when it was built",
        t->id);
}

static void add_variant(struct aisp_entry *entry, const struct aisp_variant_ref *v)
{
    for (size_t i = 0; i < entry->n_variants; i++)
        if (entry->variant[i] == v)
            return;
    if (v != entry->reference)
        entry->variant[entry->n_variants++] = v;
}

static enum aisp_status pick_variants(struct aisp_entry *entry, const struct aisp_entry_spec *spec,
                                      const struct aisp_session_options *options,
                                      struct aisp_err *err)
{
    const struct aisp_target *t = entry->target;
    const struct aisp_variant_ref *v;

    entry->variant = aisp_xcalloc(t->n_variants, sizeof *entry->variant);
    for (size_t i = 0; i < spec->n_only; i++) {
        const enum aisp_status st = aisp_pick_variant(t, spec->only[i], options->device ? options->device : "cpu", &v, err);

        if (st)
            return st;
        if (v == entry->reference)
            return aisp_fail(err, AISP_E_USAGE,
                             "%s/%s is what the others are compared with; name one of them", t->id,
                             v->name);
        add_variant(entry, v);
    }
    for (size_t i = 0; i < t->n_variants && !spec->n_only; i++) {
        v = &t->variant[i];
        if (strcmp(v->name, "baseline") && !strcmp(v->device, entry->reference->device) &&
            !is_omitted(entry->loaded.problem, options, v))
            add_variant(entry, v);
    }
    return AISP_OK;
}

static enum aisp_status check_device(const struct aisp_entry *entry, struct aisp_err *err)
{
    const struct aisp_backend *backend = aisp_backend_find(entry->reference->device);
    struct aisp_err why;
    enum aisp_status st;

    for (size_t i = 0; i < entry->n_variants; i++) {
        const struct aisp_variant_ref *v = entry->variant[i];

        if (!aisp_backend_find(v->device))
            return aisp_fail(err, AISP_E_UNAVAILABLE,
                             "%s/%s is for the device %s, which this aisp does not have",
                             entry->target->id, v->name, v->device);
        if (strcmp(v->device, entry->reference->device))
            return aisp_fail(err, AISP_E_USAGE,
                             "%s: %s runs on %s, %s on %s: two devices are not compared",
                             entry->target->id, entry->reference->name, entry->reference->device,
                             v->name, v->device);
    }
    st = backend->probe(&why);
    if (st)
        return aisp_fail(err, st, "%s on %s: %s", entry->target->id, backend->name, why.text);
    st = backend->fits(&entry->inst, 1, 2, &why);
    return st == AISP_OK
               ? st
               : aisp_fail(err, st, "%s at this size: %s%s", entry->target->id, why.text,
                           st == AISP_E_NO_MEMORY ? "; ask for a smaller one by --size or --set"
                                                  : "");
}

static enum aisp_status check_audit(const struct aisp_entry *entry, struct aisp_err *err)
{
    enum aisp_status st = aisp_audit_check(entry->target, entry->reference, err);

    for (size_t i = 0; i < entry->n_variants && !st; i++)
        st = aisp_audit_check(entry->target, entry->variant[i], err);
    return st;
}

enum aisp_status aisp_entry_init(struct aisp_entry *entry, const struct aisp_entry_spec *spec,
                                 const struct aisp_session_options *options, struct aisp_err *err)
{
    struct aisp_err why = { AISP_OK, "" };
    enum aisp_status st;

    *entry = (struct aisp_entry){ .target = spec->target, .reference = spec->reference };
    if (*spec->target->refused) {
        st = aisp_fail(&why, AISP_E_REFUSED, "%s", spec->target->refused);
        goto out;
    }
    AISP_TRY(aisp_problem_load(spec->target->problem_path, &entry->loaded, &why));
    AISP_TRY(aisp_instance_init(&entry->inst, entry->loaded.problem, options->size, options->set,
                                (int)options->n_set, &why));
    if (!entry->reference)
        AISP_TRY(find_reference(entry, options, &why));
    AISP_TRY(pick_variants(entry, spec, options, &why));
    AISP_TRY(check_device(entry, &why));
    if (options->placement_audit)
        AISP_TRY(check_audit(entry, &why));
out:
    if (st) {
        const bool is_named = strstr(why.text, spec->target->id);

        aisp_entry_release(entry);
        aisp_fail(err, st, "%s%s%s", is_named ? "" : spec->target->id, is_named ? "" : ": ",
                  why.text);
    }
    return st;
}

void aisp_entry_refuse(struct aisp_entry *entry, const struct aisp_target *target, enum aisp_status st,
                       const struct aisp_err *why)
{
    *entry = (struct aisp_entry){ .target = target, .refused_by = st };
    snprintf(entry->refused, sizeof entry->refused, "%.399s", why->text);
}

void aisp_entry_release(struct aisp_entry *entry)
{
    free(entry->variant);
    free(entry->point);
    aisp_problem_unload(&entry->loaded);
    *entry = (struct aisp_entry){ 0 };
}

/* ---- running ---- */

struct watcher {
    const struct aisp_bench *bench;
    const char *target, *variant, *point; /* point: "" outside of a sweep */
};

/* The same as a value, for who draws it. */
static void send_progress(const struct watcher *w, const struct aisp_progress *p, double left)
{
    const struct aisp_console *console = w->bench->request->console;
    json_t *event = json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:i, s:o, s:f}", "event", "progress", "target",
                              w->target, "variant", w->variant, "point", w->point, "phase", aisp_phase_name(p->phase), "done",
                              (json_int_t)w->bench->n_done, "of", (json_int_t)w->bench->n_total, "pairs", p->pairs_done,
                              "ratio", p->ratio > 0 ? json_real(p->ratio) : json_null(), "left_s", left);

    console->event(console->context, event);
    json_decref(event);
}

static void show_progress(void *context, const struct aisp_progress *p)
{
    const struct watcher *w = context;
    const struct aisp_bench *bench = w->bench;
    const double left = fmax(
        0, (double)bench->options.time_limit_ns * 1e-9 * (double)(bench->n_total - bench->n_done - 1) +
               (double)(p->limit_ns - (p->phase >= AISP_PHASE_WARMUP ? p->elapsed_ns : 0)) * 1e-9);
    struct aisp_buf line = AISP_BUF_INIT;

    if (bench->request->console->event)
        send_progress(w, p, left);
    if (!bench->request->console->progress)
        return;
    aisp_buf_printf(&line, "%zu/%zu %s %s%s%s: %s", bench->n_done + 1, bench->n_total, w->target,
                    w->variant, *w->point ? " " : "", w->point, aisp_phase_name(p->phase));
    if (p->pairs_done)
        aisp_buf_printf(&line, ", %d pairs", p->pairs_done);
    if (p->ratio > 0)
        aisp_buf_printf(&line, ", ratio %.3g", p->ratio);
    aisp_buf_printf(&line, left < 90 ? "; about %.0f s left" : "; about %.0f min left", left < 90 ? left : left / 60);
    bench->request->console->progress(bench->request->console->context, line.s);
    aisp_buf_release(&line);
}

struct aisp_plan aisp_entry_plan(const struct aisp_entry *entry, const struct aisp_bench *bench,
                                 const struct aisp_variant_ref *variant, const char *key)
{
    const struct aisp_session_options *o = &bench->options;
    const struct aisp_console *console = bench->request->console;

    return (struct aisp_plan){
        .target = entry->target->id,
        .problem = entry->loaded.problem,
        .inst = entry->inst,
        .size = o->size_name,
        .variant = { entry->reference, variant },
        .backend = aisp_backend_find(variant->device),
        .n_threads = o->n_threads,
        .time_limit_ns = o->time_limit_ns,
        .first_look_ns = o->first_look_ns,
        .verify_only = o->verify_only,
        .known = entry->known.verified.n_elements ? &entry->known : NULL,
        .scope = o->scope,
        .wants_energy = true,
        .band = o->band,
        .secret = aisp_key_derive(&bench->secret, key, 0, 0, 0, 0),
        .calibration = bench->has_calibration ? &bench->calibration : NULL,
        .stop = console ? console->stop : NULL,
    };
}

/* What it would add is missing then, and what was measured is there. */
static enum aisp_status move_code(const struct aisp_entry *entry, const struct aisp_plan *plan, struct aisp_evidence *ev,
                                  struct aisp_err *why)
{
    const enum aisp_status st = aisp_audit_run(entry->target, plan, ev, why);

    if (!st || st == AISP_E_INTERRUPTED)
        return st;
    aisp_claim_unfinished(&ev->machine.claim, "the placement audit", why);
    *why = (struct aisp_err){ 0 };
    return AISP_OK;
}

/* Only if it was all right, and nothing was found of it: what there is to say of it is said in each comparison. */
static void remember(struct aisp_entry *entry, const struct aisp_evidence *ev, const json_t *result, const char *key)
{
    const struct aisp_verified *v = &ev->verified[AISP_A];
    const json_t *finding;
    size_t i;

    if (*ev->reference_in || v->n_full_right < v->n_full || v->n_sampled_right < v->n_sampled ||
        v->n_holdout_right < v->n_holdout || strlen(key) >= sizeof entry->known.in)
        return;
    json_array_foreach(json_object_get(result, "findings"), i, finding)
        if (!strcmp(aisp_json_text(finding, "side"), "a"))
            return;
    entry->known.verified = *v;
    strcpy(entry->known.in, key);
}

/* *why: what kept the comparison from being made; AISP_OK where it was, and keeping its result is what failed. */
static enum aisp_status compare(struct aisp_entry *entry, struct aisp_bench *bench,
                                const struct aisp_variant_ref *variant, const char *key, struct aisp_err *why)
{
    const struct aisp_session_options *o = &bench->options;
    const struct aisp_console *console = bench->request->console;
    struct watcher watcher = { bench, entry->target->id, variant->name, entry->point ? entry->point : "" };
    struct aisp_evidence ev;
    struct aisp_plan plan = aisp_entry_plan(entry, bench, variant, key);
    struct aisp_result_spec spec = {
        .problem = entry->loaded.problem,
        .inst = &entry->inst,
        .ev = &ev,
        .grading = o->grading,
        .verify_only = o->verify_only,
        .profile = o->profile,
        .key = key,
        .seed_commitment = bench->commitment,
        .point = entry->point,
    };
    enum aisp_status st;
    json_t *result = NULL;

    plan.progress = console && (console->progress || console->event) ? show_progress : NULL;
    plan.progress_context = &watcher;
    *why = (struct aisp_err){ 0 };
    st = aisp_run(&plan, &ev, why);
    if (!st) /* of a worker that died its evidence tells */
        *why = (struct aisp_err){ 0 };
    ev.dirty_tree = bench->dirty_tree;
    if (!st && o->placement_audit)
        st = move_code(entry, &plan, &ev, why);
    if (!st) {
        result = aisp_result_new(&spec);
        if (o->verify_only)
            remember(entry, &ev, result, key);
        st = aisp_bench_count(bench, result, &ev);
    }
    if (!st)
        st = aisp_bench_keep(bench, json_incref(result), aisp_evidence_to_json(&ev));
    json_decref(result);
    aisp_evidence_release(&ev);
    return st;
}

enum { MOST_FAILED = 3 };

/* Only this comparison cannot be made, for a reason that came to light on the way: a band that is too narrow here, memory that
 * others took meanwhile, a device that failed once. */
static bool is_about_one(enum aisp_status st)
{
    return st == AISP_E_USAGE || st == AISP_E_NO_MEMORY || st == AISP_E_REFUSED || st == AISP_E_DEVICE ||
           st == AISP_E_UNAVAILABLE || st == AISP_E_IO;
}

/* A device that is lost for good fails whatever is started next. */
static bool is_of_the_device(enum aisp_status st)
{
    return st == AISP_E_DEVICE || st == AISP_E_UNAVAILABLE || st == AISP_E_IO;
}

char *aisp_entry_key(const struct aisp_entry *entry, const char *variant)
{
    char *key = aisp_result_key(entry->target->id, variant, entry->reference ? entry->reference->name : NULL), *longer;

    if (!entry->point)
        return key;
    longer = aisp_format("%s.%s", key, entry->point);
    free(key);
    for (char *c = longer; *c; c++)
        *c = *c == '=' ? '-' : *c == ' ' ? '.' : *c;
    return longer;
}

static enum aisp_status keep_refused(const struct aisp_entry *entry, struct aisp_bench *bench,
                                     const struct aisp_variant_ref *variant, const char *key, const struct aisp_err *why)
{
    json_t *result = aisp_result_refused(&(struct aisp_refusal){ .key = key,
                                                                 .target = entry->target->id,
                                                                 .variant = variant->name,
                                                                 .reference = entry->reference->name,
                                                                 .device = variant->device,
                                                                 .scope = bench->options.scope,
                                                                 .status = why->status,
                                                                 .why = why->text });

    if (entry->point)
        aisp_result_set_point(result, entry->point, &entry->inst, entry->reference->name);
    return aisp_bench_keep(bench, result, NULL);
}

/* A row says what was measured, or why nothing was; the run goes on, but for a device that fails again and again. */
static enum aisp_status run_one(struct aisp_entry *entry, struct aisp_bench *bench, const struct aisp_variant_ref *v,
                                const char *key)
{
    struct aisp_err why;
    enum aisp_status st = compare(entry, bench, v, key, &why);

    if (!why.status) {
        bench->n_failed = 0;
        return st;
    }
    if (is_about_one(st)) {
        bench->n_failed = is_of_the_device(st) ? bench->n_failed + 1 : 0;
        st = keep_refused(entry, bench, v, key, &why);
        if (st || bench->n_failed < MOST_FAILED)
            return st;
    }
    return aisp_fail(bench->request->err, why.status, "%s", why.text);
}

enum aisp_status aisp_entry_run(struct aisp_entry *entry, struct aisp_bench *bench,
                                const json_t *done)
{
    enum aisp_status st = AISP_OK;

    for (size_t i = 0; i < entry->n_variants && !st; i++) {
        char *key = aisp_entry_key(entry, entry->variant[i]->name);

        if (aisp_bench_is_stopped(bench))
            st = aisp_fail(bench->request->err, AISP_E_INTERRUPTED, "interrupted");
        else if (!json_object_get(done, key))
            st = run_one(entry, bench, entry->variant[i], key);
        free(key);
    }
    return st;
}
