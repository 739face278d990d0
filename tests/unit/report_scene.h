/* report_scene.h - a store with a run whose comparisons are as a test asks for: the records behind reports and exports. */
#ifndef AISP_TESTS_UNIT_REPORT_SCENE_H
#define AISP_TESTS_UNIT_REPORT_SCENE_H

#include <math.h>

#include "tests/unit/temporary.h"

#include "commands/command.h"
#include "core/evidence.h"
#include "store/store.h"
#include "tests/unit/store_place.h"

#define SCRIPT "<script>alert(1)</script>"
#define NASTY SCRIPT "\"'&|`*_[x](javascript:y)\n# h"

struct fixture {
    char *folder;
    struct aisp_store *store;
    char run[AISP_RUN_ID_MAX];
    struct aisp_err err;
};

static inline int set_up(void **state)
{
    struct fixture *f = aisp_xcalloc(1, sizeof *f);

    f->folder = temporary_folder();
    store_place(f->folder);
    assert_int_equal(aisp_store_open(&f->store, f->folder, true, &f->err), AISP_OK);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;

    aisp_store_close(f->store);
    remove_folder(f->folder);
    free(f);
    return 0;
}

/* ---- a record ---- */

struct spec {
    const char *key, *target, *variant, *idea, *verdict, *grade, *finding;
    double a_ns, b_ns;               /* of a call */
    bool tampered;
    int pairs;                       /* 0: PAIRS */
    int64_t bytes, flops;            /* declared work of a call; 0: none, and no roofline */
};

enum { PAIRS = 12, BLOCKS = 8 };

static inline void add_window(struct aisp_evidence *ev, int pair, int block, int side, int64_t ns)
{
    struct aisp_window *w = aisp_grow(&ev->window, &ev->n_windows, &ev->cap_windows, sizeof *w);

    *w = (struct aisp_window){ .pair = pair, .block = block, .index = block * 4, .side = (int8_t)side,
                               .kind = AISP_WINDOW_TIMED, .calls = 10, .start_ns = (int64_t)ev->n_windows * 1000000,
                               .window_ns = ns, .inner_ns = ns - 50, .gap_ns = 100 };
}

/* Windows of 10 calls around the two times, up to 4 % slower. */
static inline void fill(struct aisp_evidence *ev, const struct spec *s)
{
    uint64_t x = 7;

    *ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    snprintf(ev->target, sizeof ev->target, "%s", s->target);
    strcpy(ev->device, "cpu");
    strcpy(ev->size, "quick");
    strcpy(ev->variant[AISP_A].name, "baseline");
    snprintf(ev->variant[AISP_B].name, sizeof ev->variant[AISP_B].name, "%s", s->variant);
    ev->calls_per_window = 10;
    ev->calibration.taken_at = 1764000000;
    ev->calibration.expires_at = 1764600000;
    ev->calibration.clock_step_ns = 10;
    ev->calibration.aa_floor[0] = 0.003;
    ev->bytes = s->bytes;
    ev->flops = s->flops;
    ev->n_threads = 1;
    ev->before.l1d_bytes = 32768;
    ev->before.l2_bytes = 1 << 20;
    ev->before.l3_bytes = 32 << 20;
    for (int level = 0; level < 4 && s->bytes; level++)
        ev->calibration.peak_read_gbps[level] = 160 >> level;
    ev->calibration.peak_f32_gflops = s->bytes ? 80 : 0;
    for (int pair = 0; pair < (s->pairs ? s->pairs : PAIRS); pair++) {
        struct aisp_pair *p = aisp_grow(&ev->pair, &ev->n_pairs, &ev->cap_pairs, sizeof *p);

        p->pair = pair;
        p->complete = true;
        for (int i = 0; i < BLOCKS * 4; i++) {
            const int side = i % 4 == 0 || i % 4 == 3 ? AISP_A : AISP_B;

            x = x * 6364136223846793005u + 1442695040888963407u;
            add_window(ev, pair, i / 4, side,
                       (int64_t)((side == AISP_A ? s->a_ns : s->b_ns) * 10 * (1 + 0.04 * (double)(x >> 40) / (1 << 24))));
        }
    }
    aisp_evidence_chain(ev, ev->chain);
    if (s->tampered)
        ev->window[3].window_ns /= 2;
}

static inline json_t *both(double a, double b)
{
    return json_pack("{s:o, s:o}", "a", json_real(a), "b", isfinite(b) ? json_real(b) : json_null());
}

static inline json_t *result_of(const struct spec *s)
{
    const bool is_invalid = !strcmp(s->grade, "invalid");
    const double b = is_invalid ? NAN : s->b_ns;
    json_t *findings = json_array(), *reasons = json_array();

    if (s->finding) {
        json_array_append_new(findings, json_pack("{s:s, s:i, s:s, s:s, s:s}", "check", "stale-cache", "issue", 9, "severity",
                                                  is_invalid ? "violation" : "development", "side", "b", "text", s->finding));
        json_array_append_new(reasons, json_string(s->finding));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:{s:i}, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:i, s:i, s:s, s:o, s:o, "
                     "s:{s:f, s:n, s:s}}",
                     "key", s->key, "target", s->target, "variant", s->variant, "reference", "baseline", "device", "cpu", "size",
                     "quick", "params", "rows", 64, "idea", s->idea, "verdict", s->verdict, "ratio",
                     is_invalid ? json_null() : json_real(s->a_ns / b), "lo95",
                     is_invalid ? json_null() : json_real(s->a_ns / b - 0.01), "hi95",
                     is_invalid ? json_null() : json_real(s->a_ns / b + 0.01), "median_ns", both(s->a_ns, b), "p5_ns",
                     both(s->a_ns * 0.99, b * 0.99), "p95_ns", both(s->a_ns * 1.04, b * 1.04), "reason",
                     strcmp(s->verdict, "UNSURE") ? "" : "the interval holds 1", "n_pairs", PAIRS, "pairs_wanted",
                     strcmp(s->verdict, "UNSURE") ? 0 : 77, "grade", s->grade, "reasons", reasons, "findings", findings,
                     "roof_percent", "bytes", 61.2, "flops", "bound", "bytes");
}

static inline void record(struct fixture *f, const struct spec *spec, size_t n)
{
    json_t *manifest = json_pack("{s:s, s:s, s:s, s:{s:s, s:I, s:b}}", "host", "abc", "command", "bench run", "started",
                                 "2026-11-28T07:00:00Z", "environment", "cpu_model", "CPU " NASTY, "n_cpus", (json_int_t)2,
                                 "virtual_machine", false);
    json_t *summary = json_pack("{s:i}", "n_results", (int)n);

    assert_int_equal(aisp_store_run_begin(f->store, manifest, f->run, &f->err), AISP_OK);
    for (size_t i = 0; i < n; i++) {
        struct aisp_evidence ev;
        json_t *result = result_of(&spec[i]), *evidence;

        fill(&ev, &spec[i]);
        evidence = aisp_evidence_to_json(&ev);
        assert_int_equal(aisp_store_result_add(f->store, f->run, result, evidence, &f->err), AISP_OK);
        json_decref(result);
        json_decref(evidence);
        aisp_evidence_release(&ev);
    }
    assert_int_equal(aisp_store_run_finish(f->store, f->run, summary, &f->err), AISP_OK);
    json_decref(manifest);
    json_decref(summary);
}

static inline size_t count_of(const char *text, const char *what)
{
    size_t n = 0;

    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

/* ---- the command ---- */

static inline enum aisp_status command(struct fixture *f, const char *const *argv, int argc, json_t **value)
{
    struct aisp_args args;
    const char *topic;
    int exit_code;
    enum aisp_status st;

    st = aisp_args_parse(&args, argc, argv, &topic, &f->err);
    if (!st)
        st = aisp_command_run(&args, NULL, value, &exit_code, &f->err);
    aisp_args_release(&args);
    return st;
}

#endif
