/* report_facts.c - machine, origin and calibration of a run as names and values, and the words that a report uses.
 * Not here: their layout. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "commands/report.h"

/* Takes the value; an empty one is unknown and left out. */
static void add_fact(struct aisp_report_facts *out, const char *name, char *value_take)
{
    char *(*fact)[2];

    if (!*value_take) {
        free(value_take);
        return;
    }
    fact = aisp_grow(&out->fact, &out->n, &out->cap, sizeof *fact);
    (*fact)[0] = aisp_xstrdup(name);
    (*fact)[1] = value_take;
}

static void add_text(struct aisp_report_facts *out, const char *name, const json_t *object, const char *key)
{
    add_fact(out, name, aisp_xstrdup(aisp_report_text(object, key)));
}

void aisp_report_facts_release(struct aisp_report_facts *facts)
{
    for (size_t i = 0; i < facts->n; i++) {
        free(facts->fact[i][0]);
        free(facts->fact[i][1]);
    }
    free(facts->fact);
    *facts = (struct aisp_report_facts){ 0 };
}

/* ---- machine ---- */

static long long count_of(const json_t *env, const char *key)
{
    const json_t *value = json_object_get(env, key);

    return json_is_integer(value) ? (long long)json_integer_value(value) : -1;
}

static char *bytes(const json_t *env, const char *key)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    double n = (double)count_of(env, key);
    int unit = 0;

    if (n < 0)
        return aisp_xstrdup("");
    for (; n >= 1024 && unit < 4; unit++)
        n /= 1024;
    return aisp_format("%.3g %s", n, units[unit]);
}

static void add_caches(struct aisp_report_facts *out, const json_t *env)
{
    char *l1 = bytes(env, "l1d_bytes"), *l2 = bytes(env, "l2_bytes"), *l3 = bytes(env, "l3_bytes");

    if (*l1 && *l2 && *l3)
        add_fact(out, "caches", aisp_format("L1 %s, L2 %s, L3 %s", l1, l2, l3));
    free(l1);
    free(l2);
    free(l3);
}

static void add_count(struct aisp_report_facts *out, const char *name, const json_t *env, const char *key)
{
    if (count_of(env, key) >= 0)
        add_fact(out, name, aisp_format("%lld", count_of(env, key)));
}

static void add_switch(struct aisp_report_facts *out, const char *name, const json_t *env, const char *key)
{
    const long long n = count_of(env, key);

    if (n >= 0)
        add_fact(out, name, aisp_xstrdup(n ? "on" : "off"));
}

static void add_clock(struct aisp_report_facts *out, const json_t *env)
{
    const char *governor = aisp_report_text(env, "governor");

    if (count_of(env, "cpu_khz") > 0)
        add_fact(out, "core clock at the start", aisp_format("%.2f GHz", (double)count_of(env, "cpu_khz") / 1e6));
    if (*governor)
        add_fact(out, "frequency governor", aisp_format("%s (%s)", governor, aisp_report_text(env, "driver")));
    add_switch(out, "turbo", env, "turbo");
}

void aisp_report_machine(const struct aisp_report *report, struct aisp_report_facts *out)
{
    const json_t *env = json_object_get(json_object_get(report->record, "manifest"), "environment");
    const double load = aisp_report_number(env, "load1"), psi = aisp_report_number(env, "psi_cpu_avg10");

    add_text(out, "CPU", env, "cpu_model");
    add_text(out, "instruction sets", env, "isa");
    if (count_of(env, "n_cpus") > 0)
        add_fact(out, "logical cores", aisp_format("%lld, of them usable %lld; NUMA nodes %lld", count_of(env, "n_cpus"),
                                                   count_of(env, "n_usable"), count_of(env, "n_numa")));
    add_count(out, "threads a core", env, "smt");
    add_caches(out, env);
    add_fact(out, "memory", bytes(env, "memory_bytes"));
    if (json_is_true(json_object_get(env, "virtual_machine")))
        add_fact(out, "virtual machine", aisp_format("yes (%s)", aisp_report_text(env, "hypervisor")));
    add_text(out, "container", env, "container");
    add_text(out, "kernel", env, "kernel");
    add_text(out, "microcode", env, "microcode");
    add_clock(out, env);
    add_text(out, "huge pages", env, "thp");
    add_text(out, "cgroup", env, "cgroup");
    add_text(out, "clock source", env, "clocksource");
    add_switch(out, "address randomisation", env, "aslr");
    if (isfinite(load) && load >= 0)
        add_fact(out, "load at the start", aisp_format("%.2f", load));
    if (isfinite(psi) && psi >= 0)
        add_fact(out, "CPU pressure at the start", aisp_format("%.1f%%", psi));
}

/* ---- origin ---- */

void aisp_report_origin(const struct aisp_report *report, struct aisp_report_facts *out)
{
    const json_t *manifest = json_object_get(report->record, "manifest"), *git = json_object_get(manifest, "git");
    const json_t *secrets = json_object_get(json_object_get(report->record, "summary"), "secrets"), *secret;
    const double elapsed = aisp_report_number(json_object_get(report->record, "summary"), "elapsed_s");
    const char *commitment;

    add_text(out, "run", report->record, "run");
    add_text(out, "command", manifest, "command");
    add_text(out, "started", manifest, "started");
    if (isfinite(elapsed))
        add_fact(out, "took", aisp_format("%.0f s", elapsed));
    add_text(out, "aisp", manifest, "aisp");
    if (*aisp_report_text(git, "commit"))
        add_fact(out, "commit", aisp_format("%s%s", aisp_report_text(git, "commit"),
                                            json_is_true(json_object_get(git, "dirty")) ? ", with changes" : ""));
    add_text(out, "host fingerprint", manifest, "host");
    add_text(out, "hash of the secret, written before", manifest, "seed_commitment");
    json_object_foreach((json_t *)secrets, commitment, secret)
        if (json_is_string(secret))
            add_fact(out, "the secret, told afterwards", aisp_xstrdup(json_string_value(secret)));
}

/* ---- calibration ---- */

static void add_times(struct aisp_report_facts *out, const char *name, const double ns[3])
{
    struct aisp_buf text = AISP_BUF_INIT;

    if (!(ns[1] > 0))
        return;
    for (int i = 0; i < 3; i++) {
        aisp_buf_puts(&text, i ? " / " : "");
        aisp_report_put_time(&text, ns[i]);
    }
    add_fact(out, name, aisp_buf_detach(&text));
}

/* One figure for each cache level, where it was measured. */
static void add_levels(struct aisp_report_facts *out, const char *name, const double *x, double scale, const char *format)
{
    static const char *const levels[] = { "L1", "L2", "L3", "DRAM" };
    struct aisp_buf text = AISP_BUF_INIT;

    for (int i = 0; i < 4; i++)
        if (x[i] > 0)
            aisp_buf_printf(&text, "%s%s %.*f%s", text.len ? ", " : "", levels[i], scale > 1 ? 2 : 0, scale * x[i], format);
    if (text.len)
        add_fact(out, name, aisp_buf_detach(&text));
}

static void add_date(struct aisp_report_facts *out, const char *name, int64_t seconds)
{
    const time_t t = (time_t)seconds;
    char text[40];
    struct tm utc;

    if (gmtime_r(&t, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        add_fact(out, name, aisp_xstrdup(text));
}

void aisp_report_calibration(const struct aisp_report *report, struct aisp_report_facts *out)
{
    const struct aisp_calibration *c = &report->calibration;

    if (!c->taken_at)
        return;
    add_date(out, "taken", c->taken_at);
    add_date(out, "valid until", c->expires_at);
    add_levels(out, "smallest effect that may be called", c->aa_floor, 100, "%");
    add_levels(out, "spread of one pair of identical code", c->aa_spread, 100, "%");
    if (c->n_aa_runs > 0)
        add_fact(out, "false verdicts on identical code", aisp_format("%d of %d runs", c->n_aa_false, c->n_aa_runs));
    if (c->clock_step_ns > 0)
        add_fact(out, "clock", aisp_format("steps of %.0f ns, a reading costs %.0f ns", c->clock_step_ns, c->clock_cost_ns));
    add_times(out, "window of an empty call, p50 / p95 / p99", c->empty_window_ns);
    add_times(out, "window - worker's own time, p50 / p95 / p99", c->slack_ns);
    add_times(out, "wake-up, p50 / p95 / p99", c->wake_ns);
    add_levels(out, "peak read, one core", c->peak_read_gbps, 1, " GB/s");
    add_levels(out, "peak copy, one core", c->peak_copy_gbps, 1, " GB/s");
    if (c->peak_f32_gflops > 0)
        add_fact(out, "peak f32, one core", aisp_format("%.0f GFLOP/s", c->peak_f32_gflops));
}

/* ---- words ---- */

const struct aisp_report_word aisp_report_words[] = {
    { "ratio", "Time of the reference / time of the variant: 2 is twice as fast, below 1 is slower. The interval holds the true "
               "ratio in about 95 of 100 runs. It is the centre of the pairs' ratios, not the ratio of the two medians in the table." },
    { "pair", "One live process of each side, timed in turn. Memory and code lie elsewhere in each new pair, so the pair, not the "
              "window, is what is counted." },
    { "FASTER, SLOWER", "The stricter interval of the verdict (1 % over all looks at the data) is clear of 1, and the effect is "
                        "larger than what this machine makes of identical code." },
    { "SAME", "The interval lies inside the band: 0.5 %, 1 % for what lives in DRAM, or as asked." },
    { "UNSURE", "Neither could be said; the reason is beside it. The verdict's interval is stricter and so wider than the printed "
                "one: it may hold 1 where that does not." },
    { "VERIFIED", "Only outputs were checked, nothing was timed." },
    { "INVALID", "A check was violated. The speedup and the variant's times are withheld; the reason is beside it." },
    { "grade", "publishable: all protections held and the machine qualifies. development: right and measured, but the machine "
               "or the tree does not qualify, see the findings. invalid: withheld." },
    { "% of roof", "Declared least work a second of the variant, against what this machine was measured to reach at most; bytes or "
                   "flops, whichever is nearer to its roof. Above 100 % the declared work was not all done from that level." },
    { "p5, median, p95, p99", "Quantiles of the time of a call over all timed windows; nothing is thrown out." },
    { NULL, NULL },
};
