/* synthetic.c - records with the members of commands/result.h and numbers that mean nothing. */
#include "tests/bench/synthetic.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/buf.h"

enum { FIRST_RUN = 1735689600, APART = 6 * 3600 };       /* 2025-01-01, seconds between two runs of a machine */

static const char *const variants[SYNTHETIC_VARIANTS] = { "optimized_tiled", "optimized_vector", "optimized_fused",
                                                          "optimized_threads", "peer_library" };

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double uniform(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * (double)(draw(state) >> 11) * 0x1p-53;
}

static int64_t started_at(const struct synthetic *s, int run)
{
    return FIRST_RUN + (int64_t)run * APART + s->machine * 7;
}

/* As the product makes them: when, and six hex digits. */
static void run_id(const struct synthetic *s, int run, char id[32])
{
    const time_t at = started_at(s, run);
    uint64_t state = s->seed ^ ((uint64_t)s->machine << 32) ^ (uint64_t)run;
    struct tm utc;
    char when[20];

    gmtime_r(&at, &utc);
    strftime(when, sizeof when, "%Y%m%dT%H%M%SZ", &utc);
    snprintf(id, 32, "%s-%06x", when, (unsigned)(draw(&state) & 0xFFFFFF));
}

static void put_manifest(struct aisp_buf *out, const struct synthetic *s, int run, const char *id)
{
    const time_t at = started_at(s, run);
    struct tm utc;
    char when[32];

    gmtime_r(&at, &utc);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    aisp_buf_printf(out,
                    "{\"kind\":\"run\",\"started\":%lld,\"manifest\":{\"aisp\":\"0\",\"abi\":2,\"command\":\"synthetic\","
                    "\"synthetic\":true,\"started\":\"%s\",\"host\":\"%064x\",\"bench_root\":\"synthetic\",\"environment\":{"
                    "\"cpu_model\":\"Synthetic %d\",\"hypervisor\":\"\",\"container\":\"\",\"kernel\":\"synthetic\","
                    "\"microcode\":\"\",\"isa\":\"sse4_2 avx2 fma\",\"virtual_machine\":%s,\"n_cpus\":%d,\"n_usable\":%d,"
                    "\"n_numa\":1,\"smt\":1,\"l1d_bytes\":32768,\"l2_bytes\":524288,\"l3_bytes\":33554432,"
                    "\"memory_bytes\":25276514304},\"git\":null,\"libraries\":{},\"seed_commitment\":\"\",\"calibration\":null,"
                    "\"options\":{\"size\":\"default\"},\"checks\":[],\"run\":\"%s\"}}\n",
                    (long long)at, when, (unsigned)(s->machine + 1), 7000 + s->machine, s->machine % 2 ? "true" : "false",
                    2 << s->machine % 6, 2 << s->machine % 6, id);
}

/* What a valid result and one that is invalid differ in: what is withheld is null. */
static void put_figures(struct aisp_buf *out, uint64_t *state, bool is_invalid)
{
    const double a = uniform(state, 1e4, 1e7), ratio = uniform(state, 0.8, 4), b = a / ratio,
                 half = uniform(state, 0.002, 0.02);
    const double scale[] = { 0.97, 1, 1.05, 1.2 };
    static const char *const name[] = { "p5_ns", "median_ns", "p95_ns", "p99_ns" };
    char text[40];

    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "%.17g", b * scale[i]);
        aisp_buf_printf(out, "\"%s\":{\"a\":%.17g,\"b\":%s},", name[i], a * scale[i], is_invalid ? "null" : text);
    }
    aisp_buf_puts(out, "\"n_windows\":{\"a\":144,\"b\":144},\"n_pairs\":18,");
    if (is_invalid)
        aisp_buf_puts(out, "\"ratio\":null,\"lo95\":null,\"hi95\":null,\"verdict\":\"INVALID\",");
    else
        aisp_buf_printf(out, "\"ratio\":%.17g,\"lo95\":%.17g,\"hi95\":%.17g,\"verdict\":\"%s\",", ratio, ratio * (1 - half),
                        ratio * (1 + half), ratio * (1 - half) > 1 ? "FASTER" : ratio * (1 + half) < 1 ? "SLOWER" : "UNSURE");
    aisp_buf_printf(out,
                    "\"reason\":\"\",\"pairs_wanted\":0,\"placement\":null,\"holdout_speed\":null,\"per_second\":{\"unit\":"
                    "\"element\",\"a\":%.17g,\"b\":%s},\"goal_figure\":null,\"roof_percent\":{\"bytes\":%.17g,\"flops\":"
                    "%.17g,\"bound\":\"bytes\"},",
                    1e15 / a, is_invalid ? "null" : text, uniform(state, 5, 95), uniform(state, 1, 50));
    aisp_buf_printf(out, "\"energy_j\":{\"a\":%.17g,\"b\":%s},", a * 6e-8, is_invalid ? "null" : text);
}

static void put_findings(struct aisp_buf *out, bool is_invalid)
{
    aisp_buf_printf(out,
                    "\"grade\":\"%s\",\"reasons\":[\"this result is synthetic: nothing was measured\"],\"findings\":["
                    "{\"check\":\"synthetic\",\"issue\":0,\"severity\":\"%s\",\"side\":null,\"text\":"
                    "\"this result is synthetic: nothing was measured\"},{\"check\":\"synthetic\",\"issue\":0,\"severity\":"
                    "\"note\",\"side\":\"b\",\"text\":\"a second finding, as long as findings are on a machine that is not "
                    "quiet: 78 of 160 windows\"},{\"check\":\"synthetic\",\"issue\":0,\"severity\":\"note\",\"side\":null,"
                    "\"text\":\"a third one, about the tree that it was not built from\"}],",
                    is_invalid ? "invalid" : "development", is_invalid ? "violation" : "development");
}

static void put_account(struct aisp_buf *out, const char *side, uint64_t *state)
{
    aisp_buf_printf(out, "\"%s\":{\"cpu_ns\":%llu,\"minor_faults\":1200,\"major_faults\":0,\"voluntary_switches\":90,"
                         "\"involuntary_switches\":12,\"peak_rss_bytes\":%llu,\"setup_ns\":41200,\"max_tasks\":1}", side,
                    (unsigned long long)(draw(state) >> 30), (unsigned long long)(4096 * (500 + draw(state) % 20000)));
}

static void put_result(struct aisp_buf *out, const char *id, const char *target, const char *variant, uint64_t *state)
{
    const bool is_invalid = draw(state) % 100 == 0;
    char key[128];

    snprintf(key, sizeof key, "%s.%s", target, variant);
    *strchr(key, ':') = '.';
    aisp_buf_printf(out,
                    "{\"kind\":\"result\",\"run\":\"%s\",\"evidence_sha256\":\"\",\"evidence\":null,\"result\":{\"key\":\"%s\","
                    "\"target\":\"%s\",\"variant\":\"%s\",\"reference\":\"baseline\",\"device\":\"cpu\",\"size\":\"default\","
                    "\"params\":{\"rows\":2048,\"cols\":1024},\"goal\":\"speed\",\"idea\":\"synthetic: no code is behind "
                    "this\",\"expect\":\"\",",
                    id, key, target, variant);
    put_figures(out, state, is_invalid);
    put_findings(out, is_invalid);
    aisp_buf_puts(out,
                  "\"slack_ns\":{\"a\":1152.5,\"b\":982},\"gap_ns\":{\"a\":52642.5,\"b\":51786.5},\"verified\":{\"a\":{"
                  "\"full\":26,\"full_right\":26,\"sampled\":221,\"sampled_right\":221,\"elements\":59776,\"holdout\":3,"
                  "\"holdout_right\":3,\"worst\":0.34413893218711167},\"b\":{\"full\":28,\"full_right\":28,\"sampled\":180,"
                  "\"sampled_right\":180,\"elements\":50016,\"holdout\":3,\"holdout_right\":3,\"worst\":"
                  "0.34508332912040557}},\"profile\":{");
    put_account(out, "a", state);
    aisp_buf_puts(out, ",");
    put_account(out, "b", state);
    aisp_buf_printf(out, "},\"calls\":79075,\"slots\":16,\"threads\":1,\"cache_level\":\"L2\",\"elapsed_s\":%.17g,"
                         "\"seed_commitment\":\"\"}}\n", uniform(state, 1, 20));
}

/* Two chapters a run, so that all of them come round every ten runs. */
static void put_run(struct aisp_buf *out, const struct synthetic *s, int run)
{
    uint64_t state = s->seed * 1000003 + (uint64_t)s->machine * 7919 + (uint64_t)run;
    const int at_once = SYNTHETIC_PER_RUN / (SYNTHETIC_TARGETS * SYNTHETIC_VARIANTS);
    char id[32], target[64];

    run_id(s, run, id);
    put_manifest(out, s, run, id);
    for (int i = 0; i < at_once; i++)
        for (int t = 0; t < SYNTHETIC_TARGETS; t++) {
            snprintf(target, sizeof target, "ch%02d:synthetic_%c", 1 + (run * at_once + i) % SYNTHETIC_CHAPTERS, 'a' + t);
            for (int v = 0; v < SYNTHETIC_VARIANTS; v++)
                put_result(out, id, target, variants[v], &state);
        }
    aisp_buf_printf(out,
                    "{\"kind\":\"seal\",\"run\":\"%s\",\"finished\":%lld,\"summary\":{\"n_results\":%d,\"synthetic\":true}}\n",
                    id, (long long)started_at(s, run) + 600, SYNTHETIC_PER_RUN);
}

enum aisp_status synthetic_export(const char *path, const struct synthetic *s, int64_t *bytes, struct aisp_err *err)
{
    struct aisp_buf text = AISP_BUF_INIT;
    enum aisp_status st = AISP_OK;
    FILE *f = fopen(path, "we");

    if (!f)
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);
    aisp_buf_puts(&text, "{\"kind\":\"aisp-export\",\"version\":2}\n");
    if (bytes)
        *bytes = 0;
    for (int run = 0; run < s->n_runs && !st; run++) {
        put_run(&text, s, run);
        if (fwrite(text.s, 1, text.len, f) != text.len)
            st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);
        if (bytes)
            *bytes += (int64_t)text.len;
        text.len = 0;
    }
    if (fclose(f) && !st)
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", path);
    aisp_buf_release(&text);
    return st;
}
