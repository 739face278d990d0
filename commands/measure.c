/* measure.c - from entries to a record. */
#include "commands/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/result.h"
#include "core/base/clock.h"

enum aisp_status aisp_measure_device(const struct aisp_request *request, const char **device)
{
    const char *name = aisp_args_text(request->args, "device");
    const struct aisp_backend *backend = aisp_backend_find(name);
    struct aisp_err why;
    enum aisp_status st;

    *device = strcmp(name, "cpu") ? name : NULL;
    if (!backend)
        return aisp_fail(request->err, AISP_E_UNAVAILABLE, "this aisp has no device %s", name);
    st = backend->probe(&why);
    return st ? aisp_fail(request->err, st, "%s: %s", name, why.text) : AISP_OK;
}

bool aisp_measure_skips(struct aisp_measure *m, enum aisp_status st, const struct aisp_err *why)
{
    if (st != AISP_E_UNAVAILABLE || !m->options.device)
        return false;
    if (!m->n_skipped++)
        snprintf(m->first_skipped, sizeof m->first_skipped, "%.399s", why->text);
    return true;
}

static void say_skipped(const struct aisp_measure *m)
{
    if (m->n_skipped == 1)
        aisp_note(m->request, "skipped: %s", m->first_skipped);
    else if (m->n_skipped)
        aisp_note(m->request, "skipped: %zu targets (\"aisp bench list-targets\" shows what there is for %s); the first: %s", m->n_skipped,
                  m->options.device, m->first_skipped);
}

enum aisp_status aisp_measure_options(const struct aisp_request *request,
                                      struct aisp_session_options *o)
{
    const struct aisp_args *args = request->args;
    const char *size = aisp_args_text(args, "size"), *profile = aisp_args_text(args, "profile");
    const char *accept = getenv("AISP_ALLOW_VIRTUALIZATION");
    enum aisp_status st;

    *o = (struct aisp_session_options){ .size_name = "default" };
    if (aisp_args_flag(args, "quick")) {
        if (size && strcmp(size, "quick"))
            return aisp_fail(request->err, AISP_E_USAGE,
                             "--quick and --size %s contradict each other", size);
        size = "quick";
    }
    if (size && !strcmp(size, "quick"))
        o->size = AISP_SIZE_QUICK;
    else if (size && !strcmp(size, "large"))
        o->size = AISP_SIZE_LARGE;
    st = aisp_measure_device(request, &o->device);
    if (st)
        return st;
    if (o->device && !size) { /* what an accelerator is measured at, where a problem says so */
        o->size = AISP_SIZE_LARGE;
        size = "large";
    }
    if (size)
        o->size_name = size;
    o->set = aisp_args_list(args, "set", &o->n_set);
    if (o->n_set)
        o->size_name = "custom";
    o->time_limit_ns = aisp_args_duration_ns(args, "time-limit");
    if (!aisp_args_given(args, "time-limit")) {
        if (o->size == AISP_SIZE_QUICK)
            o->time_limit_ns = AISP_QUICK_LIMIT_S * INT64_C(1000000000);
        else
            o->first_look_ns = 2 * o->time_limit_ns;
    }
    o->band = log1p(aisp_args_real(args, "band") / 100);
    o->n_threads = (int)aisp_args_integer(args, "threads");
    o->profile = !strcmp(profile, "minimal");
    o->placement_audit = aisp_args_flag(args, "placement-audit");
    o->grading.publish = aisp_args_flag(args, "publish");
    o->grading.allow_virtualization = accept && !strcmp(accept, "1");
    if (!strcmp(profile, "deep_dive") || !strcmp(profile, "roofline"))
        return aisp_fail(
            request->err, AISP_E_UNAVAILABLE,
            "--profile %s: this version has no profiler for the CPU; there are none and minimal",
            profile);
    return AISP_OK;
}

enum aisp_status aisp_measure_scope(const struct aisp_request *request, struct aisp_session_options *options)
{
    const bool is_kernel = !strcmp(aisp_args_text(request->args, "scope"), aisp_scope_name(AISP_SCOPE_KERNEL));

    if (is_kernel && !options->device)
        return aisp_fail(request->err, AISP_E_USAGE,
                         "--scope kernel is for --device cuda: on the cpu what is called is what is run");
    options->scope = is_kernel ? AISP_SCOPE_KERNEL : AISP_SCOPE_CALL;
    return AISP_OK;
}

void aisp_entries_release(struct aisp_entries *entries)
{
    for (size_t i = 0; i < entries->n; i++)
        aisp_entry_release(&entries->entry[i]);
    free(entries->entry);
    *entries = (struct aisp_entries){ 0 };
}

static enum aisp_status run_entry(struct aisp_measure *m, struct aisp_entry *entry,
                                  struct aisp_bench *bench)
{
    enum aisp_status st = AISP_OK;
    char *key;

    if (!*entry->refused)
        return aisp_entry_run(entry, bench, m->done);
    key = aisp_entry_key(entry, "target");
    if (!json_object_get(m->done, key))
        st = aisp_bench_keep(bench,
                             aisp_result_refused(&(struct aisp_refusal){
                                 .key = key,
                                 .target = entry->target->id,
                                 .variant = "-",
                                 .reference = "baseline",
                                 .device = m->options.device ? m->options.device : "cpu",
                                 .scope = m->options.scope,
                                 .status = entry->refused_by,
                                 .why = entry->refused,
                             }),
                             NULL);
    free(key);
    return st;
}

static enum aisp_status run_entries(struct aisp_measure *m, struct aisp_bench *bench)
{
    enum aisp_status st = AISP_OK;
    size_t n_total = 0;

    for (size_t i = 0; i < m->entries.n; i++)
        n_total += *m->entries.entry[i].refused ? 1 : m->entries.entry[i].n_variants;
    bench->n_total = n_total;
    for (size_t i = 0; i < m->entries.n && !st; i++)
        st = run_entry(m, &m->entries.entry[i], bench);
    return st;
}

static json_t *value_of(const struct aisp_bench *bench)
{
    char *folder = bench->store ? aisp_store_run_folder(bench->store, bench->run) : NULL;
    json_t *value = json_pack(
        "{s:s?, s:s?, s:f, s:O}", "run", *bench->run ? bench->run : NULL, "folder", folder,
        "elapsed_s", (double)(aisp_now_ns() - bench->start_ns) * 1e-9, "results", bench->results);

    free(folder);
    return value;
}

/* What was recorded before the interrupt counts as done, and is shown with the rest. */
static void take_done(struct aisp_bench *bench, const json_t *done)
{
    const char *key;
    json_t *result;

    json_object_foreach((json_t *)done, key, result)
    {
        json_array_append(bench->results, result);
        bench->n_done++;
    }
}

static void say_how_to_go_on(const struct aisp_measure *m, const struct aisp_bench *bench)
{
    aisp_fail(m->request->err, AISP_E_INTERRUPTED,
              "interrupted after %zu of %zu comparisons; run %s is incomplete%s", bench->n_done,
              bench->n_total, bench->run,
              m->is_resumable ? ", \"aisp bench run --resume\" finishes it" : "");
}

enum aisp_status aisp_measure_run(struct aisp_measure *m, json_t **value, int *exit_code)
{
    struct aisp_bench bench;
    json_t *arguments = m->arguments;
    enum aisp_status st;

    m->arguments = NULL;
    say_skipped(m);
    AISP_TRY(aisp_bench_open(&bench, m->request, &m->options, true));
    bench.catalogue = m->catalogue;
    if (m->resume)
        strncat(bench.run, m->resume, sizeof bench.run - 1);
    if (!m->options.verify_only)
        AISP_TRY(aisp_bench_calibrate(&bench));
    st = aisp_bench_begin(&bench, m->command, arguments);
    arguments = NULL;
    if (st)
        goto out;
    take_done(&bench, m->done);
    st = run_entries(m, &bench);
    if (st == AISP_E_INTERRUPTED)
        say_how_to_go_on(m, &bench);
    if (st)
        goto out;
    AISP_TRY(aisp_bench_finish(&bench));
    *value = value_of(&bench);
    *exit_code = aisp_bench_exit(&bench, m->gate);
out:
    json_decref(arguments);
    aisp_bench_close(&bench);
    return st;
}

static size_t count(const json_t *results, const char *key, const char *text)
{
    const json_t *row;
    size_t i, n = 0;

    json_array_foreach(results, i, row)
    {
        const char *value = json_string_value(json_object_get(row, key));

        n += value && !strcmp(value, text);
    }
    return n;
}

void aisp_measure_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    static const char *const verdicts[] = { "FASTER", "SLOWER",   "SAME",
                                            "UNSURE", "VERIFIED", "INVALID" };
    const json_t *results = json_object_get(value, "results");
    const char *folder = json_string_value(json_object_get(value, "folder"));
    const size_t n = json_array_size(results);

    aisp_results_render_maps(results, json_object_get(value, "sweeps"), style, out);
    aisp_buf_printf(out, "%zu comparison%s in %.0f s", n, n == 1 ? "" : "s",
                    json_number_value(json_object_get(value, "elapsed_s")));
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        if (count(results, "verdict", verdicts[i]))
            aisp_buf_printf(out, ", %zu %s", count(results, "verdict", verdicts[i]), verdicts[i]);
    if (folder)
        aisp_buf_printf(out, "; recorded in %s", folder);
    aisp_buf_puts(out, "\n");
}
