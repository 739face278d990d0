/* theoretical_peak.c - `aisp bench theoretical-peak`: what a machine could do if nothing were ever in the way.
 * For this CPU: measured clock x instructions a cycle x operations an instruction. For named GPUs: their makers' dense figures,
 * and beside them what multiprocessors x clock x operations of each in a cycle come to.
 * Not here: what it reaches, which is what counts (`aisp peak`, core/peak). */
#include <math.h>
#include <stdlib.h>

#include "commands/utils/calc.h"
#include "commands/utils/gpu_table.h"
#include "core/environment.h"
#include "core/peak/peak.h"

enum { MEASURE_NS = 20000000 };

/* ---- this CPU ---- */

static json_t *cpu_rows(double cores)
{
    _Alignas(64) static char sink[AISP_PEAK_SINK_BYTES];
    const struct aisp_peak_place place = { sink, sizeof sink, MEASURE_NS };
    const struct aisp_caches caches = { 0 };
    const struct aisp_peak *peak;
    json_t *rows = json_array();

    for (size_t i = 0; (peak = aisp_peak_at(i)); i++) {
        struct aisp_peak_result r;

        if (peak->level != AISP_PEAK_CORE || aisp_peak_measure(peak, &caches, &place, &r, NULL) || r.theory <= 0)
            continue;
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:f, s:f, s:I, s:f, s:f, s:f}", "name", peak->name, "what",
                                              peak->what, "unit", peak->unit, "clock_ghz", r.clock_ghz, "issues_per_cycle",
                                              r.issues, "work_per_issue", (json_int_t)peak->work_per_issue, "core", r.theory,
                                              "all_cores", r.theory * cores, "measured_core", r.value));
    }
    return rows;
}

static json_t *cpu_value(void)
{
    struct aisp_environment env;
    json_t *notes = json_array();
    int cores;

    aisp_environment_probe(&env, "/");
    cores = env.n_usable / (env.smt > 1 ? env.smt : 1);
    cores = cores > 1 ? cores : 1;
    aisp_calc_note(notes,
                   "theory: measured clock x issues a cycle x operations an issue; issues a cycle are the fewest that explain "
                   "what was measured, so on a busy machine they may be too few");
    aisp_calc_note(notes, "all cores: at the clock of one busy core; with all of them busy most processors clock lower");
    aisp_calc_note(notes,
                   "memory and links: this CPU does not say how many channels and lanes it has at which rate; \"aisp peak\" "
                   "measures memory");
    return json_pack("{s:s, s:s, s:i, s:o, s:n, s:n, s:o}", "device", "cpu", "model", env.cpu_model, "cores", cores, "rows",
                     cpu_rows(cores), "memory_gbps", "link_gbps", "notes", notes);
}

/* ---- a named GPU ---- */

static json_t *known(double x)
{
    return x > 0 ? json_real(x) : json_null();
}

static json_t *gpu_value(const struct aisp_gpu *gpu)
{
    json_t *rows = json_array(), *notes = json_array();

    for (int p = 0; p < AISP_N_GPU_PRECISIONS; p++)
        if (gpu->dense[p] > 0)
            json_array_append_new(rows, json_pack("{s:s, s:s, s:f, s:o}", "precision", aisp_gpu_precision_name(p), "unit",
                                                  aisp_gpu_precision_unit(p), "dense", gpu->dense[p], "computed",
                                                  known(aisp_gpu_computed(gpu, p))));
    aisp_calc_note(notes, "theory: the maker's figures at boost clock; dense: none with structured sparsity is among them");
    if (gpu->tensor_mhz != gpu->mhz)
        aisp_calc_note(notes, "its maker states TF32 and narrower formats at %.0f MHz and the others at %.0f", gpu->tensor_mhz,
                       gpu->mhz);
    if (gpu->per_sm_clock)
        aisp_calc_note(notes, "what a card holds is less, for power lowers its clock: \"aisp peak --device cuda\" measures it");
    return json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:f, s:f, s:s, s:s, s:f, s:f, s:s, s:o}", "device", "gpu", "model",
                     gpu->name, "multiprocessors", gpu->multiprocessors, "mhz", known(gpu->mhz), "tensor_mhz",
                     known(gpu->tensor_mhz), "rows", rows, "memory_gb", gpu->memory_gb, "memory_gbps", gpu->memory_gbps, "memory", gpu->memory, "link",
                     gpu->link, "link_gbps", gpu->link_gbps, "power_w", gpu->power_w, "source", gpu->source, "notes", notes);
}

static enum aisp_status unknown_gpu(const char *name, struct aisp_err *err)
{
    struct aisp_buf known = AISP_BUF_INIT;
    enum aisp_status st;

    for (size_t i = 0; aisp_gpu_at(i); i++)
        aisp_buf_printf(&known, "%s%s", i ? ", " : "", aisp_gpu_at(i)->name);
    st = aisp_fail(err, AISP_E_USAGE, "--gpu %s: must be one of %s", name, known.s);
    aisp_buf_release(&known);
    return st;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const char *name = aisp_args_text(request->args, "gpu");
    const struct aisp_gpu *gpu = name ? aisp_gpu_find(name) : NULL;

    (void)exit_code;
    if (name && !gpu)
        return unknown_gpu(name, request->err);
    *value = gpu ? gpu_value(gpu) : cpu_value();
    return AISP_OK;
}

/* ---- text ---- */

static void render_cpu(const json_t *value, struct aisp_buf *out)
{
    const json_t *row;
    size_t i;

    aisp_buf_printf(out, "%s, %lld core%s: theory\n", aisp_calc_text(value, "model"),
                    (long long)json_integer_value(json_object_get(value, "cores")),
                    json_integer_value(json_object_get(value, "cores")) > 1 ? "s" : "");
    aisp_buf_printf(out, "%-18s %6s %7s %9s %10s %10s\n", "", "GHz", "a cycle", "ops each", "one core", "all cores");
    json_array_foreach(json_object_get(value, "rows"), i, row)
        aisp_buf_printf(out, "%-18s %6.2f %7g %9lld %10.1f %10.1f %s\n", aisp_calc_text(row, "name"),
                        aisp_calc_of(row, "clock_ghz"), aisp_calc_of(row, "issues_per_cycle"),
                        (long long)json_integer_value(json_object_get(row, "work_per_issue")), aisp_calc_of(row, "core"),
                        aisp_calc_of(row, "all_cores"), aisp_calc_text(row, "unit"));
    aisp_buf_puts(out, "memory             not known\nlinks              not known\n");
}

static void render_gpu(const json_t *value, struct aisp_buf *out)
{
    const json_t *row;
    size_t i;

    aisp_buf_printf(out, "%s: theory, dense\n", aisp_calc_text(value, "model"));
    aisp_buf_printf(out, "  %-14s %8s %-8s %11s\n", "", "maker", "", "SMs x clock");
    json_array_foreach(json_object_get(value, "rows"), i, row)
    {
        aisp_buf_printf(out, "  %-14s %8.5g %-8s", aisp_calc_text(row, "precision"), aisp_calc_of(row, "dense"),
                        aisp_calc_text(row, "unit"));
        if (json_is_number(json_object_get(row, "computed")))
            aisp_buf_printf(out, " %11.5g", aisp_calc_of(row, "computed"));
        aisp_buf_puts(out, "\n");
    }
    aisp_buf_printf(out, "  %-14s %8lld", "SMs", (long long)json_integer_value(json_object_get(value, "multiprocessors")));
    if (json_is_number(json_object_get(value, "mhz")))
        aisp_buf_printf(out, " at %.0f MHz", aisp_calc_of(value, "mhz"));
    aisp_buf_puts(out, "\n");
    aisp_buf_printf(out, "  %-14s %8.5g GB %s at %g GB/s\n", "memory", aisp_calc_of(value, "memory_gb"),
                    aisp_calc_text(value, "memory"), aisp_calc_of(value, "memory_gbps"));
    aisp_buf_printf(out, "  %-14s %8.5g GB/s %s, both directions\n", "link", aisp_calc_of(value, "link_gbps"),
                    aisp_calc_text(value, "link"));
    aisp_buf_printf(out, "  %-14s %8.5g W\n", "power", aisp_calc_of(value, "power_w"));
    aisp_buf_puts(out, "source: ");
    aisp_calc_put_wrapped(out, 8, 8, aisp_calc_text(value, "source"));
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    (void)style;
    if (*aisp_calc_text(value, "device") == 'c')
        render_cpu(value, out);
    else
        render_gpu(value, out);
    aisp_calc_put_notes(out, value);
}

static const struct aisp_option options[] = {
    { "gpu", 0, AISP_OPT_TEXT, .meta = "NAME",
      .help = "A GPU by name instead of this CPU: H100-SXM, H100-PCIe, H200, B200, A100-40GB, A100-80GB, L40S, L4, A10G, T4" },
    { 0 },
};

AISP_COMMAND(bench_theoretical_peak) = {
    .path = "bench theoretical-peak",
    .sentence = "Show what this CPU or a named GPU could do in theory: dense figures only",
    .example = "aisp bench theoretical-peak\naisp bench theoretical-peak --gpu H100-SXM",
    .option = options,
    .flags = AISP_CMD_RUNS_CODE,
    .run = run,
    .render = render,
};
