/* judge_match.c - one candidate against the baseline, then against the best variant that is known.
 * The object never becomes a file: it is loaded from a sealed memory file, by descriptor. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/judge.h"
#include "commands/quarantine.h"
#include "commands/result.h"
#include "core/base/clock.h"
#include "core/base/hash.h"
#include "store/attempt.h"

enum { RESULTS_LOOKED_AT = 20 };
static const int64_t SETUP_TIMEOUT_NS = INT64_C(5000000000), CALL_TIMEOUT_NS = INT64_C(5000000000);
/* At the quick size the second comparison is the shorter one: a minute has to be enough for six candidates. */
static const int64_t QUICK_BEST_NS = INT64_C(2000000000);
static const int64_t MEMORY_LIMIT_BYTES = INT64_C(1) << 29;

/* ---- one comparison ---- */

struct match {
    const struct aisp_variant_ref *reference, *variant;
    const char *key;
    bool is_stranger;
    struct aisp_evidence ev; /* released by the caller */
    json_t *result;          /* owned by the bench */
};

static void result_of(struct aisp_judge *j, struct match *m)
{
    const struct aisp_session_options *o = &j->options;
    const struct aisp_result_spec spec = {
        .problem = j->entry.loaded.problem,
        .inst = &j->entry.inst,
        .ev = &m->ev,
        .grading = o->grading,
        .profile = o->profile,
        .key = m->key,
        .seed_commitment = j->bench.commitment,
    };

    m->result = aisp_result_new(&spec);
}

static enum aisp_status compare(struct aisp_judge *j, struct match *m)
{
    struct aisp_plan plan = aisp_entry_plan(&j->entry, &j->bench, m->variant, m->key);
    enum aisp_status st;

    plan.variant[AISP_A] = m->reference;
    if (m->reference != j->entry.reference && j->options.size == AISP_SIZE_QUICK &&
        plan.time_limit_ns > QUICK_BEST_NS)
        plan.time_limit_ns = QUICK_BEST_NS;
    if (m->is_stranger) {
        plan.setup_timeout_ns = SETUP_TIMEOUT_NS;
        plan.call_timeout_ns = CALL_TIMEOUT_NS;
        plan.memory_limit_bytes = MEMORY_LIMIT_BYTES;
    }
    m->ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    st = aisp_run(&plan, &m->ev, j->request->err);
    m->ev.dirty_tree = j->bench.dirty_tree;
    if (st)
        return st;
    result_of(j, m);
    st = aisp_bench_count(&j->bench, m->result, &m->ev);
    if (st) {
        json_decref(m->result);
        m->result = NULL;
        return st;
    }
    return aisp_bench_keep(&j->bench, m->result, aisp_evidence_to_json(&m->ev));
}

/* What the user, the store or the machine did before anything was loaded, and what could not be kept. All else came with these
 * variants, and the next comparison may have others. */
static bool ends_all(const struct match *m, enum aisp_status st)
{
    const bool has_begun = m->ev.account[AISP_A].load_ns > 0 || m->ev.account[AISP_B].load_ns > 0;

    return st == AISP_E_INTERRUPTED || st == AISP_E_IO || m->result || !has_begun;
}

/* ---- the best that is known ---- */

static bool is_same_size(const struct aisp_judge *j, const json_t *result)
{
    const json_t *params = json_object_get(result, "params");
    const char *reference = json_string_value(json_object_get(result, "reference"));
    const struct aisp_instance *inst = &j->entry.inst;

    if (!reference || strcmp(reference, j->entry.reference->name) ||
        (int)json_object_size(params) != inst->n_params)
        return false;
    for (int i = 0; i < inst->n_params; i++)
        if (json_integer_value(json_object_get(params, j->entry.loaded.problem->param[i].name)) !=
            inst->param[i])
            return false;
    return true;
}

/* nan: it is no candidate for the best. */
static double ratio_of(const json_t *result)
{
    const json_t *ratio = json_object_get(result, "ratio");

    return aisp_result_is_invalid(result) || !json_is_number(ratio) ? NAN
                                                                    : json_number_value(ratio);
}

/* What is on record is good enough to choose by; what is told to a candidate is measured beside it. */
static enum aisp_status ratio_known(struct aisp_judge *j, const struct aisp_variant_ref *v,
                                    double *ratio, bool *is_known)
{
    json_t *results = NULL, *result;
    enum aisp_status st;
    size_t i;

    AISP_TRY(aisp_store_results_of(j->bench.store, j->entry.target->id, v->name, v->device,
                                   RESULTS_LOOKED_AT, &results, j->request->err));
    *is_known = false;
    json_array_foreach(results, i, result)
    {
        if (*is_known || !is_same_size(j, result))
            continue;
        *ratio = ratio_of(result);
        *is_known = true;
    }
out:
    json_decref(results);
    return st;
}

static enum aisp_status ratio_measured(struct aisp_judge *j, const struct aisp_variant_ref *v,
                                       double *ratio)
{
    char *key = aisp_result_key(j->entry.target->id, v->name, j->entry.reference->name);
    struct match m = { .reference = j->entry.reference, .variant = v, .key = key };
    enum aisp_status st;

    aisp_note(j->request,
              "%s %s was not measured here at this size yet; measuring it, to know the best",
              j->entry.target->id, v->name);
    st = compare(j, &m);
    *ratio = st ? NAN : ratio_of(m.result);
    if (st && !ends_all(&m, st)) {
        aisp_note(j->request, "%s %s cannot be measured here: %s", j->entry.target->id, v->name, j->request->err->text);
        st = AISP_OK;
    }
    aisp_evidence_release(&m.ev);
    free(key);
    return st;
}

static enum aisp_status seek_best(struct aisp_judge *j)
{
    json_t *out = aisp_quarantine_here(j->request->artifacts_dir);
    const int64_t begin_ns = aisp_now_ns();
    enum aisp_status st = AISP_OK;
    double best = 1;

    j->is_best_sought = true;
    snprintf(j->best_why, sizeof j->best_why, "no variant in the tree is faster than %s",
             j->entry.reference->name);
    for (size_t i = 0; i < j->entry.n_variants; i++) {
        const struct aisp_variant_ref *v = j->entry.variant[i];
        double ratio = NAN;
        bool is_known;

        if (*v->refused || aisp_quarantine_find(out, j->entry.target->id, v->name, v->device))
            continue;
        AISP_TRY(ratio_known(j, v, &ratio, &is_known));
        if (!is_known)
            AISP_TRY(ratio_measured(j, v, &ratio));
        if (ratio > best) {
            best = ratio;
            j->best = v;
            *j->best_why = '\0';
        }
    }
out:
    j->seek_ns = aisp_now_ns() - begin_ns;
    json_decref(out);
    return st;
}

/* ---- a candidate ---- */

struct stranger {
    struct aisp_variant_ref ref;
    char *refused;
};

static void load(struct stranger *s, const struct aisp_judge *j, const struct aisp_candidate *c,
                 const struct aisp_built *built)
{
    struct aisp_err why = { AISP_OK, "" };
    const char *behind;

    *s = (struct stranger){ .ref = { .path =
                                         aisp_format("/proc/self/fd/%d", built->result.product_fd),
                                     .is_untrusted = true } };
    snprintf(s->ref.name, sizeof s->ref.name, "candidate-%.12s", c->sha256);
    snprintf(s->ref.device, sizeof s->ref.device, "%s", j->entry.reference->device);
    if (!aisp_declaration_read(s->ref.path, &s->ref.decl, &why))
        return;
    /* It begins with the name of the file, which is none. */
    behind = strstr(why.text, ": ");
    s->refused = aisp_format("it is no variant: %s", behind ? behind + 2 : why.text);
}

static void unload(struct stranger *s)
{
    free(s->ref.path);
    free(s->refused);
}

static char *key_of(struct aisp_judge *j, const struct stranger *s, const char *what)
{
    char *name = aisp_format("%s-%d%s", s->ref.name, ++j->n_matches, what), *key;

    key = aisp_result_key(j->entry.target->id, name, NULL);
    free(name);
    return key;
}

/* The second comparison; what is wrong with it is no fault of the candidate's. */
static enum aisp_status against_best(struct aisp_judge *j, const struct stranger *s,
                                     struct match *m)
{
    enum aisp_status st = AISP_OK;

    if (!j->is_best_sought)
        AISP_TRY(seek_best(j));
    if (!j->best)
        return AISP_OK;
    m->reference = j->best;
    m->variant = &s->ref;
    m->is_stranger = true;
    m->key = key_of(j, s, "-vs-best");
    st = compare(j, m);
    if (st && !ends_all(m, st)) {
        snprintf(j->best_why, sizeof j->best_why, "%.150s", j->request->err->text);
        st = AISP_OK;
    }
out:
    return st;
}

/* *why: what ended the comparison, if that was no reason to end all; else "". */
static enum aisp_status match_first(struct aisp_judge *j, struct match *m, char why[200])
{
    const enum aisp_status st = compare(j, m);

    *why = '\0';
    if (!st || ends_all(m, st))
        return st;
    snprintf(why, 200, "%.190s", *j->request->err->text ? j->request->err->text : aisp_status_name(st));
    return AISP_OK;
}

enum aisp_status aisp_judge_match(struct aisp_judge *j, const struct aisp_candidate *c,
                                  const struct aisp_built *built, json_t **answer)
{
    const int64_t begin_ns = aisp_now_ns(), sought_ns = j->seek_ns;
    struct aisp_answer_facts f = {
        .candidate = c,
        .built = built,
        .mode = j->builder.mode,
        .target = j->entry.target->id,
        .device = j->entry.reference->device,
        .size = j->options.size_name,
        .problem = j->entry.loaded.problem,
        .publish = j->options.grading.publish,
        .seed_commitment = j->bench.commitment,
        .compile_ns = built->result.wall_ns,
    };
    struct match first = { .is_stranger = true }, second = { .reference = NULL };
    struct stranger s = { .refused = NULL };
    enum aisp_status st = AISP_OK;
    char why[200];

    if (built->result.product_fd >= 0)
        load(&s, j, c, built);
    f.refused = s.refused;
    if (built->result.product_fd >= 0 && !s.refused) {
        first.reference = j->entry.reference;
        first.variant = &s.ref;
        first.key = key_of(j, &s, "");
        AISP_TRY(match_first(j, &first, why));
        f.unmeasured = *why ? why : NULL;
        f.ev = &first.ev;
        f.result = first.result;
        if (first.result && !aisp_result_is_invalid(first.result))
            AISP_TRY(against_best(j, &s, &second));
    }
    f.best_name = second.result ? j->best->name : NULL;
    f.best = second.result;
    f.best_why = j->best_why;
    f.measure_ns = first.ev.elapsed_ns + second.ev.elapsed_ns;
    f.judge_ns = built->result.wall_ns + aisp_now_ns() - begin_ns - (j->seek_ns - sought_ns);
    *answer = aisp_answer_new(&f);
out:
    aisp_evidence_release(&first.ev);
    aisp_evidence_release(&second.ev);
    free((void *)(uintptr_t)first.key);
    free((void *)(uintptr_t)second.key);
    unload(&s);
    return st;
}

enum aisp_status aisp_judge_confirm(struct aisp_judge *j, const struct aisp_candidate *c,
                                    const struct aisp_built *built, json_t **confirmed)
{
    static const char *const keys[] = { "verdict", "grade", "ratio", "lo95", "hi95", "n_pairs" };
    struct match m = { .reference = j->entry.reference, .is_stranger = true };
    struct stranger s = { .refused = NULL };
    enum aisp_status st = AISP_OK;

    *confirmed = NULL;
    *j->confirm_why = '\0';
    if (built->result.product_fd < 0)
        return AISP_OK;
    load(&s, j, c, built);
    if (!s.refused) {
        m.variant = &s.ref;
        m.key = key_of(j, &s, "-confirm");
        AISP_TRY(match_first(j, &m, j->confirm_why));
    }
    if (m.result) {
        *confirmed = json_object();
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            json_object_set(*confirmed, keys[i], json_object_get(m.result, keys[i]));
    }
out:
    aisp_evidence_release(&m.ev);
    free((void *)(uintptr_t)m.key);
    unload(&s);
    return st;
}

enum aisp_status aisp_judge_hash(struct aisp_judge *j)
{
    const struct aisp_session_options *o = &j->options;
    struct aisp_buf text = AISP_BUF_INIT;
    char problem[65], reference[65];
    enum aisp_status st;

    AISP_TRY(aisp_hash_file(j->entry.target->problem_path, problem, j->request->err));
    AISP_TRY(aisp_hash_file(j->entry.reference->path, reference, j->request->err));
    aisp_buf_printf(&text, "%s\n%s\n%s\n%s\n%s\n%s %d %d %lld %lld %.17g", AISP_VERSION,
                    j->builder.build, problem, reference, j->entry.reference->device, o->size_name,
                    o->n_threads, o->grading.publish, (long long)o->time_limit_ns, (long long)o->first_look_ns, o->band);
    for (int i = 0; i < j->entry.inst.n_params; i++)
        aisp_buf_printf(&text, " %lld", (long long)j->entry.inst.param[i]);
    aisp_hash_bytes(text.s, text.len, j->build);
out:
    aisp_buf_release(&text);
    return st;
}
