/* probe_hw.c - `aisp utils probe-hw`: what this machine really has, each feature executed and not looked up.
 * Not here: the looking (probe.h), the text (probe_text.c). */
#include <string.h>

#include "commands/utils/calc.h"
#include "commands/utils/probe/probe.h"
#include "commands/utils/probe/probe_text.h"
#include "core/environment.h"

static void tell(const struct aisp_request *request, const char *what)
{
    if (request->console && request->console->progress)
        request->console->progress(request->console->context, what);
}

static json_t *cpu_of(void)
{
    struct aisp_environment env;

    aisp_environment_probe(&env, "/");
    return json_pack("{s:s, s:s, s:b, s:i, s:i, s:i}", "model", env.cpu_model, "kernel", env.kernel, "virtual_machine",
                     env.virtual_machine, "cpus", env.n_cpus, "usable", env.n_usable, "threads_a_core", env.smt);
}

static int disagreements(const json_t *isa)
{
    const json_t *row;
    size_t i;
    int n = 0;

    json_array_foreach(isa, i, row) n += json_is_false(json_object_get(row, "agrees"));
    return n;
}

/* Is this part wanted? Says so on the terminal if it is. */
static bool wants(const struct aisp_request *request, const char *part)
{
    const char *only = aisp_args_text(request->args, "only");

    if (only && strcmp(only, part))
        return false;
    tell(request, part);
    return true;
}

static void add_isa(json_t *made)
{
    json_t *isa = aisp_probe_isa();

    json_object_set_new(made, "isa", isa);
    json_object_set_new(made, "disagreements", json_integer(disagreements(isa)));
    json_object_set_new(made, "smt", aisp_probe_smt());
}

static void add_caches(json_t *made)
{
    json_t *steps;

    json_object_set_new(made, "caches", aisp_probe_caches());
    json_object_set_new(made, "latency", aisp_probe_latency(&steps));
    json_object_set_new(made, "latency_steps", steps);
}

static enum aisp_status add_gpu(const struct aisp_request *request, json_t *made)
{
    json_t *gpu = aisp_probe_gpus();

    json_object_set_new(made, "gpu", gpu);
    return aisp_probe_card(gpu, request->console ? request->console->stop : NULL, request->err);
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    json_t *made = json_object();
    enum aisp_status st = AISP_OK;

    (void)exit_code;
    json_object_set_new(made, "cpu", cpu_of());
    if (wants(request, "isa"))
        add_isa(made);
    if (wants(request, "caches"))
        add_caches(made);
    if (wants(request, "memory")) {
        json_object_set_new(made, "pages", aisp_probe_pages());
        json_object_set_new(made, "numa", aisp_probe_numa());
    }
    if (wants(request, "clocks")) {
        json_object_set_new(made, "clocks", aisp_probe_clocks());
        json_object_set_new(made, "tsc", aisp_probe_tsc());
    }
    if (wants(request, "kernel"))
        json_object_set_new(made, "kernel", aisp_probe_kernel());
    if (wants(request, "gpu"))
        st = add_gpu(request, made);
    if (!st)
        *value = json_incref(made);
    json_decref(made);
    return st;
}

static const struct aisp_option options[] = {
    { "only", 0, AISP_OPT_CHOICE, .meta = "isa|caches|memory|clocks|kernel|gpu", .help = "Look at this part alone" },
    { 0 },
};

AISP_COMMAND(utils_probe_hw) = {
    .path = "utils probe-hw",
    .sentence = "Find out what this machine really has, by executing each feature",
    .example = "aisp utils probe-hw\naisp utils probe-hw --only isa --json",
    .option = options,
    .flags = AISP_CMD_RUNS_CODE | AISP_CMD_LONG,
    .run = run,
    .render = aisp_probe_render,
};
