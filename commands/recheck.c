/* recheck.c - one comparison, from its raw record. */
#include "commands/recheck.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/result.h"
#include "core/base/buf.h"
#include "core/json.h"
#include "core/run/kept.h"

static void add(json_t *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(json_t *list, const char *format, ...)
{
    struct aisp_buf text = AISP_BUF_INIT;
    va_list args;

    va_start(args, format);
    aisp_buf_vprintf(&text, format, args);
    va_end(args);
    json_array_append_new(list, json_string(text.s));
    aisp_buf_release(&text);
}

/* ---- is the record whole? ---- */

static void check_chain(const struct aisp_evidence *ev, json_t *damage)
{
    char chain[65];

    aisp_evidence_chain(ev, chain);
    if (!*ev->chain && ev->n_windows)
        add(damage, "the windows have no hash chain");
    else if (*ev->chain && strcmp(chain, ev->chain))
        add(damage, "the windows do not match their hash chain: one was changed, left out or added "
                    "after the run");
}

static bool read_key(const char *hex, struct aisp_key *key)
{
    unsigned byte;

    if (strlen(hex) != 2 * sizeof key->b)
        return false;
    for (size_t i = 0; i < sizeof key->b; i++) {
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            return false;
        key->b[i] = (uint8_t)byte;
    }
    return true;
}

/* The run's secret, if it was told and is the one that was committed to. */
static bool run_secret(const struct aisp_recheck_spec *spec, struct aisp_key *secret,
                       json_t *damage)
{
    const char *commitment = aisp_json_text(spec->manifest, "seed_commitment");
    const char *told = aisp_json_text(json_object_get(spec->summary, "secrets"), commitment);
    char hex[65];

    if (!*commitment || !*told)
        return false;
    if (!read_key(told, secret)) {
        add(damage, "the run's secret is no secret");
        return false;
    }
    aisp_key_commitment(secret, hex);
    if (!strcmp(hex, commitment))
        return true;
    add(damage, "the run's secret does not match the hash that was written before");
    return false;
}

static json_t *check_secrets(const struct aisp_recheck_spec *spec, const struct aisp_evidence *ev,
                             json_t *damage)
{
    int n_revealed = 0, n_from_run = 0;
    struct aisp_key run, own;
    const bool is_told = run_secret(spec, &run, damage);

    own = is_told ? aisp_key_derive(&run, aisp_json_text(spec->result, "key"), 0, 0, 0, 0)
                  : (struct aisp_key){ { 0 } };
    for (size_t i = 0; i < ev->n_pairs; i++) {
        const struct aisp_pair *pair = &ev->pair[i];
        struct aisp_key key;
        char hex[65];

        if (!*pair->secret)
            continue;
        if (!read_key(pair->secret, &key)) {
            add(damage, "the secret of pair %d is no secret", (int)pair->pair);
            continue;
        }
        aisp_key_commitment(&key, hex);
        if (strcmp(hex, pair->commitment))
            add(damage, "the secret of pair %d does not match the hash that was written before",
                (int)pair->pair);
        else
            n_revealed++;
        if (!is_told)
            continue;
        key = aisp_key_derive(&own, "pair", pair->pair, 0, 0, 0);
        aisp_key_hex(&key, hex);
        if (strcmp(hex, pair->secret))
            add(damage, "the secret of pair %d does not come from the run's secret",
                (int)pair->pair);
        else
            n_from_run++;
    }
    return json_pack("{s:i, s:I, s:i}", "revealed", n_revealed, "pairs", (json_int_t)ev->n_pairs,
                     "from_run", n_from_run);
}

/* The problem at the size that was timed. */
static enum aisp_status size_again(const struct aisp_problem *problem,
                                   const struct aisp_evidence *ev, struct aisp_instance *inst,
                                   struct aisp_err *err)
{
    char *set[AISP_MAX_PARAMS];
    enum aisp_status st;

    for (int i = 0; i < ev->n_params; i++)
        set[i] = aisp_format("%s=%lld", ev->param_name[i], (long long)ev->param[i]);
    st = aisp_instance_init(inst, problem, AISP_SIZE_DEFAULT, (const char *const *)set,
                            ev->n_params, err);
    for (int i = 0; i < ev->n_params; i++)
        free(set[i]);
    return st;
}

static const struct aisp_pair *pair_of(const struct aisp_evidence *ev, int32_t number)
{
    for (size_t i = 0; i < ev->n_pairs; i++)
        if (ev->pair[i].pair == number)
            return &ev->pair[i];
    return NULL;
}

/* Was it said then that this side was wrong? Then a wrong output is no news. */
static bool was_wrong(const struct aisp_evidence *ev, int side)
{
    const struct aisp_verified *v = &ev->verified[side];

    return v->n_full_right < v->n_full || v->n_sampled_right < v->n_sampled;
}

static json_t *check_kept(const struct aisp_recheck_spec *spec, const struct aisp_evidence *ev,
                          json_t *damage)
{
    struct aisp_instance inst;
    int judged = 0, right = 0;
    struct aisp_err why = { AISP_OK, "" };
    const bool can = spec->problem && size_again(spec->problem, ev, &inst, &why) == AISP_OK;

    for (size_t i = 0; i < ev->kept.n && can; i++) {
        const struct aisp_kept_output *o = &ev->kept.output[i];
        const struct aisp_pair *pair = pair_of(ev, o->pair);
        struct aisp_comparison answer = { 0 };
        struct aisp_key key;

        if (!pair || !read_key(pair->secret, &key) ||
            aisp_kept_judge(&inst, o, &key, &answer, &why)) {
            add(damage, "an output kept of pair %d cannot be judged: %s", (int)o->pair,
                *why.text ? why.text : "its pair has no secret");
            continue;
        }
        judged++;
        right += answer.kind == AISP_RIGHT;
        if (answer.kind != AISP_RIGHT && !was_wrong(ev, o->side))
            add(damage,
                "an output kept of pair %d, side %c is wrong for contents made from its secret "
                "(%s), and was recorded as "
                "right",
                (int)o->pair, "ab"[o->side], aisp_wrong_name(answer.kind));
    }
    return json_pack("{s:i, s:i, s:I}", "judged", judged, "right", right, "of",
                     (json_int_t)ev->kept.n);
}

/* ---- what is said of it today ---- */

static bool has_finding(const json_t *result, const json_t *finding)
{
    const json_t *other;
    size_t i;

    json_array_foreach(json_object_get(result, "findings"), i, other)
        if (!strcmp(aisp_json_text(other, "check"), aisp_json_text(finding, "check")) &&
            !strcmp(aisp_json_text(other, "severity"), aisp_json_text(finding, "severity")))
            return true;
    return false;
}

/* Findings of one that the other has not; each check once. */
static void add_findings(json_t *changed, const json_t *has, const json_t *has_not,
                         const char *what)
{
    const json_t *finding;
    const char *last = "";
    size_t i;

    json_array_foreach(json_object_get(has, "findings"), i, finding)
        if (!has_finding(has_not, finding) && strcmp(last, aisp_json_text(finding, "check"))) {
            last = aisp_json_text(finding, "check");
            add(changed, "%s %s (%s): %s", what, last, aisp_json_text(finding, "severity"),
                aisp_json_text(finding, "text"));
        }
}

static void compare_text(json_t *changed, const json_t *was, const json_t *is, const char *key)
{
    if (strcmp(aisp_json_text(was, key), aisp_json_text(is, key)))
        add(changed, "%s %s -> %s", key, aisp_json_text(was, key), aisp_json_text(is, key));
}

/* The same samples give the same numbers, up to the last bits of another compiler's arithmetic. */
static void compare_number(json_t *changed, const json_t *was, const json_t *is, const char *key)
{
    const json_t *a = json_object_get(was, key), *b = json_object_get(is, key);
    const bool has_a = json_is_number(a), has_b = json_is_number(b);
    const double x = json_number_value(a), y = json_number_value(b);

    if (!has_a && !has_b)
        return;
    if (has_a && has_b && fabs(x - y) <= 1e-9 * fabs(x))
        return;
    add(changed, "%s %.*g -> %.*g", key, has_a ? 6 : 1, has_a ? x : 0.0, has_b ? 6 : 1,
        has_b ? y : 0.0);
}

static json_t *essence(const json_t *result)
{
    static const char *const keys[] = { "verdict", "ratio", "lo95", "hi95", "grade" };
    json_t *few = json_object();

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set(few, keys[i], json_object_get(result, keys[i]));
    return few;
}

/* That it is a virtual machine was only noted: its owner had accepted that. */
static bool was_accepted(const json_t *result)
{
    const json_t *finding;
    size_t i;

    json_array_foreach(json_object_get(result, "findings"), i, finding)
        if (!strcmp(aisp_json_text(finding, "check"), "virtualisation") &&
            !strcmp(aisp_json_text(finding, "severity"), "note"))
            return true;
    return false;
}

static void derive_again(const struct aisp_recheck_spec *spec, const struct aisp_evidence *ev,
                         json_t *out)
{
    const json_t *options = json_object_get(spec->manifest, "options");
    const struct aisp_result_spec asked = {
        .ev = ev,
        .grading = { .publish = json_is_true(json_object_get(options, "publish")),
                     .allow_virtualization = was_accepted(spec->result) },
        .verify_only = !strcmp(aisp_json_text(spec->manifest, "command"), "bench verify"),
        .key = aisp_json_text(spec->result, "key"),
    };
    json_t *fresh = aisp_result_new(&asked), *changed = json_array();

    compare_text(changed, spec->result, fresh, "verdict");
    compare_text(changed, spec->result, fresh, "grade");
    compare_number(changed, spec->result, fresh, "ratio");
    compare_number(changed, spec->result, fresh, "lo95");
    compare_number(changed, spec->result, fresh, "hi95");
    add_findings(changed, fresh, spec->result, "new finding");
    add_findings(changed, spec->result, fresh, "no longer found:");
    json_object_set_new(out, "changed", changed);
    json_object_set_new(out, "old", essence(spec->result));
    json_object_set_new(out, "new", essence(fresh));
    json_decref(fresh);
}

static bool is_another_file(const struct aisp_recheck_spec *spec)
{
    return spec->expected_sha256 && spec->file_sha256 && strcmp(spec->expected_sha256, spec->file_sha256);
}

static json_t *nothing_to_judge(const struct aisp_recheck_spec *spec, const char *why)
{
    return json_pack("{s:s, s:s, s:s, s:b, s:[], s:[], s:o, s:o, s:s}", "key",
                     aisp_json_text(spec->result, "key"), "target", aisp_json_text(spec->result, "target"),
                     "variant", aisp_json_text(spec->result, "variant"), "intact", true, "damage",
                     "changed", "old", essence(spec->result), "new", essence(spec->result), "note",
                     why);
}

json_t *aisp_recheck(const struct aisp_recheck_spec *spec)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_err why = { AISP_OK, "" };
    json_t *damage, *out;

    if (!json_object_size(spec->evidence) && !is_another_file(spec))
        return nothing_to_judge(
            spec, "it was refused before anything could be seen: there is nothing to judge again");
    damage = json_array();
    out = json_pack("{s:s, s:s, s:s, s:s}", "key", aisp_json_text(spec->result, "key"), "target",
                    aisp_json_text(spec->result, "target"), "variant", aisp_json_text(spec->result, "variant"),
                    "note", "");
    if (is_another_file(spec))
        add(damage, "the evidence file is not the one that was recorded: its hash differs from %s",
            spec->expected_in ? spec->expected_in : "the index");
    if (aisp_evidence_from_json(spec->evidence, &ev, &why)) {
        add(damage, "the evidence cannot be read: %s", why.text);
        json_object_set_new(out, "changed", json_array());
        json_object_set_new(out, "old", essence(spec->result));
        json_object_set_new(out, "new", json_object());
    } else {
        check_chain(&ev, damage);
        json_object_set_new(out, "secrets", check_secrets(spec, &ev, damage));
        json_object_set_new(out, "kept", check_kept(spec, &ev, damage));
        derive_again(spec, &ev, out);
        if (!spec->problem && ev.kept.n)
            json_object_set_new(
                out, "note",
                json_string("the target is not built here: outputs were not judged again"));
        if (!ev.kept.n && ev.n_pairs)
            json_object_set_new(out, "note",
                                json_string("no outputs were kept: their rows are too long, or "
                                            "they are judged as a whole"));
    }
    json_object_set_new(out, "intact", json_boolean(!json_array_size(damage)));
    json_object_set_new(out, "damage", damage);
    aisp_evidence_release(&ev);
    return out;
}
