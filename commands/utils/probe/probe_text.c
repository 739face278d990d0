/* probe_text.c - sections of short lines: what was executed, what is not here, where claim and execution disagree. */
#include "commands/utils/probe/probe_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/utils/calc.h"

static long long count(const json_t *value, const char *key)
{
    return (long long)json_integer_value(json_object_get(value, key));
}

static void head(struct aisp_buf *out, const struct aisp_style *style, const char *text)
{
    aisp_buf_puts(out, "\n");
    aisp_paint(out, style, AISP_PAINT_BOLD, 0, text);
    aisp_buf_puts(out, "\n");
}

/* Names of the rows with that outcome, or with any other. */
static void put_names(struct aisp_buf *out, const json_t *rows, const char *label, const char *outcome)
{
    struct aisp_buf names = AISP_BUF_INIT;
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row) if (!strcmp(aisp_calc_text(row, "executed"), outcome))
        aisp_buf_printf(&names, "%s%s", names.len ? ", " : "", aisp_calc_text(row, "name"));
    if (names.len) {
        aisp_buf_printf(out, "  %-10s ", label);
        aisp_calc_put_wrapped(out, 13, 13, names.s);
    }
    aisp_buf_release(&names);
}

static void put_smt(struct aisp_buf *out, const json_t *smt)
{
    const double share = aisp_calc_of(smt, "share_beside_sibling");

    if (share > 0)
        aisp_buf_printf(out, "  CPU %lld shares a core with %s: beside a busy sibling it does %.0f %% of its work\n",
                        count(smt, "cpu"), aisp_calc_text(smt, "siblings"), 100 * share);
    else
        aisp_buf_printf(out, "  CPU %lld has a core of its own (claimed)\n", count(smt, "cpu"));
}

static void put_isa(struct aisp_buf *out, const struct aisp_style *style, const json_t *value)
{
    const json_t *isa = json_object_get(value, "isa"), *row;
    size_t i;

    head(out, style, "instructions, executed");
    put_names(out, isa, "right", "right");
    put_names(out, isa, "not here", "illegal instruction");
    put_names(out, isa, "wrong", "wrong result");
    put_names(out, isa, "killed", "killed by a signal");
    put_names(out, isa, "not run", "not run");
    json_array_foreach(isa, i, row) if (json_is_false(json_object_get(row, "agrees")))
        aisp_buf_printf(out, "  disagree   %s: cpuid says %s, /proc/cpuinfo %s; executed: %s\n", aisp_calc_text(row, "name"),
                        json_is_true(json_object_get(row, "cpuid")) ? "yes" : "no",
                        json_is_true(json_object_get(row, "proc")) ? "yes" : "no", aisp_calc_text(row, "executed"));
    if (!count(value, "disagreements"))
        aisp_buf_puts(out, "  what cpuid claims and what was executed agree\n");
    put_smt(out, json_object_get(value, "smt"));
}

static void put_number(struct aisp_buf *out, const json_t *row, const char *key, const char *unit)
{
    if (json_is_integer(json_object_get(row, key)))
        aisp_buf_printf(out, ", %lld%s", count(row, key), unit);
}

static void put_caches(struct aisp_buf *out, const struct aisp_style *style, const json_t *value)
{
    struct aisp_buf line = AISP_BUF_INIT;
    const json_t *row;
    size_t i;

    head(out, style, "caches, as the system tells");
    json_array_foreach(json_object_get(value, "caches"), i, row)
    {
        aisp_buf_printf(out, "  L%lld %-12s %s", count(row, "level"), aisp_calc_text(row, "type"),
                        aisp_calc_bytes((double)count(row, "bytes")).s);
        put_number(out, row, "line_bytes", " B a line");
        put_number(out, row, "ways", " ways");
        put_number(out, row, "sets", " sets");
        aisp_buf_printf(out, ", CPUs %s\n", aisp_calc_text(row, "shared_cpus"));
    }
    head(out, style, "latency of a load, measured by a random chase");
    json_array_foreach(json_object_get(value, "latency"), i, row) aisp_buf_printf(
        &line, "%s%s %.1f ns", i ? ", " : "", aisp_calc_bytes((double)count(row, "bytes")).s, aisp_calc_of(row, "ns"));
    aisp_buf_puts(out, "  ");
    aisp_calc_put_wrapped(out, 2, 2, line.len ? line.s : "not measured: no memory for it");
    json_array_foreach(json_object_get(value, "latency_steps"), i, row) aisp_buf_printf(
        out, "  a step at %s: %.1f ns\n", aisp_calc_bytes((double)count(row, "reached_at_bytes")).s, aisp_calc_of(row, "ns"));
    aisp_buf_release(&line);
}

static void put_memory(struct aisp_buf *out, const struct aisp_style *style, const json_t *value)
{
    const json_t *row;
    size_t i;

    head(out, style, "pages, mapped and touched");
    json_array_foreach(json_object_get(value, "pages"), i, row)
        aisp_buf_printf(out, "  %-10s %-24s %s\n", aisp_calc_bytes((double)count(row, "page_bytes")).s,
                        aisp_calc_text(row, "how"), aisp_calc_text(row, "outcome"));
    head(out, style, "memory nodes, a page placed on each");
    json_array_foreach(json_object_get(value, "numa"), i, row)
        aisp_buf_printf(out, "  node %lld: CPUs %s, %s: %s\n", count(row, "node"), aisp_calc_text(row, "cpus"),
                        aisp_calc_bytes((double)count(row, "memory_bytes")).s, aisp_calc_text(row, "placed"));
    if (!json_array_size(json_object_get(value, "numa")))
        aisp_buf_puts(out, "  the system names none\n");
}

static void put_clocks(struct aisp_buf *out, const struct aisp_style *style, const json_t *value)
{
    const json_t *tsc = json_object_get(value, "tsc"), *row;
    size_t i;

    head(out, style, "clocks");
    json_array_foreach(json_object_get(value, "clocks"), i, row) aisp_buf_printf(
        out, "  %-18s claims %g ns, steps of %lld ns seen, a reading costs %.0f ns\n", aisp_calc_text(row, "clock"),
        aisp_calc_of(row, "resolution_ns"), count(row, "step_ns"), aisp_calc_of(row, "cost_ns"));
    aisp_buf_printf(out, "  %-18s %.4f GHz, %s", "TSC", aisp_calc_of(tsc, "ghz"),
                    json_is_true(json_object_get(tsc, "claimed_invariant")) ? "invariant claimed" : "not invariant");
    if (count(tsc, "moves"))
        aisp_buf_printf(out, ", back in %lld of %lld moves\n", count(tsc, "backward"), count(tsc, "moves"));
    else
        aisp_buf_puts(out, ", moves not tried\n");
}

static void put_kernel(struct aisp_buf *out, const struct aisp_style *style, const json_t *value)
{
    const json_t *row;
    size_t i;

    head(out, style, "kernel, tried");
    json_array_foreach(json_object_get(value, "kernel"), i, row)
    {
        char *line = aisp_format("%s (%s)", aisp_calc_text(row, "outcome"), aisp_calc_text(row, "what"));

        aisp_buf_printf(out, "  %-18s ", aisp_calc_text(row, "name"));
        aisp_calc_put_wrapped(out, 21, 21, line);
        free(line);
    }
}

/* What did not work first: the words are long there, and that is what one looks for. */
static void put_features(struct aisp_buf *out, const struct aisp_style *style, const json_t *gpu)
{
    static const struct {
        const char *answer, *label;
    } kinds[] = { { "error", "failed" }, { "no", "no" }, { "yes", "yes" } };
    const json_t *features = json_object_get(gpu, "features"), *row;
    size_t i;

    if (!features && !*aisp_calc_text(gpu, "features_why"))
        return;
    head(out, style, "features of the first GPU, executed and checked");
    if (!features) {
        aisp_buf_puts(out, "  ");
        aisp_calc_put_wrapped(out, 2, 4, aisp_calc_text(gpu, "features_why"));
    }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        json_array_foreach(features, i, row) if (!strcmp(aisp_calc_text(row, "answer"), kinds[k].answer))
        {
            const char *why = aisp_calc_text(row, "why");
            char *line = aisp_format("%s%s%s", kinds[k].label, *why ? ": " : "", why);

            aisp_buf_printf(out, "  %-26s ", aisp_calc_text(row, "name"));
            aisp_calc_put_wrapped(out, 29, 29, line);
            free(line);
        }
}

static void put_gpus(struct aisp_buf *out, const struct aisp_style *style, const json_t *value)
{
    const json_t *gpu = json_object_get(value, "gpu"), *row;
    size_t i;

    head(out, style, "GPUs");
    if (*aisp_calc_text(gpu, "why"))
        aisp_buf_printf(out, "  %s\n", aisp_calc_text(gpu, "why"));
    json_array_foreach(json_object_get(gpu, "gpus"), i, row)
    {
        char *line =
            aisp_format("%s, compute capability %s, %lld SMs, %s: memory %s; clusters %s, TMA %s (claimed, not executed)",
                        aisp_calc_text(row, "name"), aisp_calc_text(row, "compute_capability"), count(row, "sms"),
                        aisp_calc_bytes((double)count(row, "memory_bytes")).s, aisp_calc_text(row, "memory"),
                        json_is_true(json_object_get(row, "clusters_claimed")) ? "yes" : "no",
                        json_is_true(json_object_get(row, "tma_claimed")) ? "yes" : "no");

        aisp_buf_puts(out, "  ");
        aisp_calc_put_wrapped(out, 2, 4, line);
        free(line);
    }
    put_features(out, style, gpu);
}

void aisp_probe_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    static const struct {
        const char *key;
        void (*put)(struct aisp_buf *out, const struct aisp_style *style, const json_t *value);
    } sections[] = { { "isa", put_isa },       { "caches", put_caches }, { "pages", put_memory },
                     { "clocks", put_clocks }, { "kernel", put_kernel }, { "gpu", put_gpus } };
    const json_t *cpu = json_object_get(value, "cpu");
    char *line = aisp_format(
        "%s, %lld CPUs, %lld usable, %lld thread%s a core (claimed)%s; %s", aisp_calc_text(cpu, "model"), count(cpu, "cpus"),
        count(cpu, "usable"), count(cpu, "threads_a_core"), count(cpu, "threads_a_core") > 1 ? "s" : "",
        json_is_true(json_object_get(cpu, "virtual_machine")) ? ", a virtual machine" : "", aisp_calc_text(cpu, "kernel"));

    aisp_calc_put_wrapped(out, 0, 2, line);
    free(line);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (json_object_get(value, sections[i].key))
            sections[i].put(out, style, value);
}
