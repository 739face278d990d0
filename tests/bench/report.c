/* report.c - the machine first, then one line for each figure; or all of it as one JSON value at
 * the end. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "tests/bench/bench.h"

static const char *const goal_words[] = { "-", "at most", "at least" };

static bool is_met(const struct bench_figure *f)
{
    return f->kind == BENCH_NO_GOAL ||
           (f->kind == BENCH_AT_MOST ? f->value <= f->goal : f->value >= f->goal);
}

static void add_to_json(struct bench *bench, const struct bench_figure *f)
{
    json_t *row = json_pack("{s:s, s:s, s:s, s:f}", "what", f->what, "measured", f->measured,
                            "unit", f->unit, "value", f->value);

    if (f->kind != BENCH_NO_GOAL)
        json_object_update_new(row, json_pack("{s:f, s:s, s:b, s:b}", "goal", f->goal, "goal_is",
                                              goal_words[f->kind], "met", is_met(f),
                                              "fails_if_missed", f->is_bound));
    json_array_append_new(bench->figures, row);
}

void bench_report(struct bench *bench, struct bench_figure *f, const char *format, ...)
{
    const bool met = is_met(f);
    va_list args;

    va_start(args, format);
    vsnprintf(f->measured, sizeof f->measured, format, args);
    va_end(args);
    bench->failed |= f->is_bound && !met;
    add_to_json(bench, f);
    if (bench->json)
        return;
    bench_progress(bench, "%s", "");
    printf("%-34s  %-34s  %-14s  %s\n", f->what, f->measured, f->goal_text ? f->goal_text : "-",
           f->kind == BENCH_NO_GOAL ? ""
           : met                    ? "met"
           : f->is_bound            ? "NOT MET, FAILS"
                                    : "NOT MET");
    fflush(stdout);
}

int64_t bench_waited_us(void)
{
    FILE *file = fopen("/proc/pressure/cpu", "r");
    long long us = -1;

    if (!file)
        return -1;
    if (fscanf(file, "some avg10=%*f avg60=%*f avg300=%*f total=%lld", &us) != 1)
        us = -1;
    fclose(file);
    return us;
}

void bench_report_pressure(struct bench *bench)
{
    const int64_t us = bench_waited_us();
    const double seconds = 1e-9 * (double)(aisp_now_ns() - bench->section_ns);
    const double share = us < 0 || bench->section_waited_us < 0
                             ? -1
                             : 1e-6 * (double)(us - bench->section_waited_us) / seconds;
    struct bench_figure f = { .what = "others wanted a CPU meanwhile",
                              .unit = "share",
                              .value = share };

    if (share < 0)
        bench_report(bench, &f, "unknown: no /proc/pressure/cpu");
    else
        bench_report(bench, &f, "%.0f %% of %.0f s%s", 100 * share, seconds,
                     share > 0.1 ? ": DISTURBED" : "");
}

void bench_report_section(struct bench *bench, const char *title)
{
    bench->section_ns = aisp_now_ns();
    bench->section_waited_us = bench_waited_us();
    if (bench->json)
        return;
    bench_progress(bench, "%s", "");
    printf("\n%-34s  %-34s  %-14s\n", title, "measured", "goal");
}

void bench_report_machine(struct bench *bench)
{
    const struct aisp_environment *env = &bench->before;

    if (bench->json)
        return;
    printf("machine  %s, %d CPUs (%d usable), L1d %lld KiB, L2 %lld KiB, L3 %lld KiB\n",
           *env->cpu_model ? env->cpu_model : "unknown CPU", env->n_cpus, env->n_usable,
           (long long)env->l1d_bytes / 1024, (long long)env->l2_bytes / 1024,
           (long long)env->l3_bytes / 1024);
    printf("         %s%s, %s, clock source %s, governor %s\n",
           env->virtual_machine ? "virtual machine" : "no virtual machine seen",
           *env->container ? ", in a container" : "", env->kernel,
           *env->clocksource ? env->clocksource : "unknown",
           *env->governor ? env->governor : "not visible");
    printf("before   load %.2f, pressure on CPUs %.1f %% (10 s), steal %lld ticks so far, %lld MiB "
           "available\n",
           env->load1, env->psi_cpu_avg10, (long long)env->steal_ticks,
           (long long)(env->available_bytes >> 20));
}

static void end_as_text(const struct bench *bench, const struct aisp_environment *after,
                        double seconds)
{
    const long ticks_a_second = sysconf(_SC_CLK_TCK);
    const double stolen_s =
        (double)(after->steal_ticks - bench->before.steal_ticks) / (double)ticks_a_second;

    printf("\nafter    load %.2f, pressure on CPUs %.1f %% (10 s), stolen meanwhile %.2f s of %.0f "
           "s on %d CPUs\n",
           after->load1, after->psi_cpu_avg10, stolen_s, seconds, after->n_cpus);
    printf("%s\n", bench->failed ? "FAILED: a bound that no machine may break was broken"
                                 : "no bound was broken; missed goals of speed fail nothing");
}

void bench_report_end(struct bench *bench)
{
    const double seconds = 1e-9 * (double)(aisp_now_ns() - bench->start_ns);
    struct aisp_environment after;
    json_t *all;

    aisp_environment_probe(&after, "/");
    bench_progress(bench, "%s", "");
    if (!bench->json) {
        end_as_text(bench, &after, seconds);
        return;
    }
    all = json_pack("{s:s, s:f, s:o, s:o, s:O, s:b}", "mode", bench->quick ? "quick" : "full",
                    "elapsed_s", seconds, "before", aisp_environment_to_json(&bench->before),
                    "after", aisp_environment_to_json(&after), "figures", bench->figures, "failed",
                    bench->failed);
    json_dumpf(all, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(all);
}

void bench_progress(const struct bench *bench, const char *format, ...)
{
    va_list args;

    (void)bench;
    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fflush(stderr);
}
