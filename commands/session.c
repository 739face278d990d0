/* session.c - open, record, seal. */
#include "commands/session.h"

#include <stdlib.h>
#include <string.h>

#include "commands/quarantine.h"
#include "commands/result.h"
#include "core/base/clock.h"
#include "store/attempt.h"

enum aisp_status aisp_bench_open(struct aisp_bench *bench, const struct aisp_request *request,
                                 const struct aisp_session_options *options, bool record)
{
    *bench = (struct aisp_bench){
        .request = request, .options = *options, .results = json_array(), .start_ns = aisp_now_ns()
    };
    aisp_key_random(&bench->secret);
    aisp_key_commitment(&bench->secret, bench->commitment);
    return record ? aisp_store_open(&bench->store, request->artifacts_dir, true, request->err)
                  : AISP_OK;
}

void aisp_bench_close(struct aisp_bench *bench)
{
    aisp_store_close(bench->store);
    json_decref(bench->results);
    bench->store = NULL;
    bench->results = NULL;
}

enum aisp_status aisp_bench_begin(struct aisp_bench *bench, const char *command, json_t *arguments)
{
    json_t *manifest = aisp_manifest_new(bench, command, arguments);
    enum aisp_status st = AISP_OK;

    bench->dirty_tree = json_is_true(json_object_get(json_object_get(manifest, "git"), "dirty"));
    if (bench->store && !*bench->run)
        st = aisp_store_run_begin(bench->store, manifest, bench->run, bench->request->err);
    json_decref(manifest);
    return st;
}

/* Who passes is out of quarantine. */
static enum aisp_status let_out(struct aisp_bench *bench, const json_t *result)
{
    json_t *names = NULL;
    const json_t *name;
    enum aisp_status st;
    size_t i;

    st = aisp_quarantine_let_out(bench->store, bench->run, result, &names, bench->request->err);
    json_array_foreach(names, i, name)
        aisp_note(bench->request, "%s passed, and is out of quarantine", json_string_value(name));
    json_decref(names);
    return st;
}

static void send_result(const struct aisp_bench *bench, json_t *result)
{
    const struct aisp_console *console = bench->request->console;
    json_t *event;

    if (!console || !console->event)
        return;
    event = json_pack("{s:s, s:O}", "event", "result", "result", result);
    console->event(console->context, event);
    json_decref(event);
}

enum aisp_status aisp_bench_count(const struct aisp_bench *bench, json_t *result, struct aisp_evidence *ev)
{
    struct aisp_claim *claim = &ev->machine.claim;
    enum aisp_status st = AISP_OK;
    int64_t n = 0;

    if (!bench->store || !json_integer_value(json_object_get(result, "n_pairs")))
        return AISP_OK;
    AISP_TRY(aisp_store_same_code(bench->store, result, &n, bench->request->err));
    claim->attempts_before = n;
    claim->attempt = n + 1;
    json_object_set_new(result, "attempt", json_integer(n + 1));
out:
    return st;
}

enum aisp_status aisp_bench_keep(struct aisp_bench *bench, json_t *result, json_t *evidence)
{
    enum aisp_status st = AISP_OK;

    if (!evidence)
        evidence = json_object();
    if (bench->store)
        st = aisp_store_result_add(bench->store, bench->run, result, evidence, bench->request->err);
    if (bench->store && !st)
        st = let_out(bench, result);
    send_result(bench, result);
    json_array_append_new(bench->results, result);
    json_decref(evidence);
    bench->n_done++;
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

enum aisp_status aisp_bench_finish(struct aisp_bench *bench)
{
    char secret[65];
    json_t *summary;
    enum aisp_status st = AISP_OK;

    aisp_key_hex(&bench->secret, secret);
    summary = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:{s:s}}", "n_results",
                        (json_int_t)json_array_size(bench->results), "n_faster",
                        (json_int_t)count(bench->results, "verdict", "FASTER"), "n_slower",
                        (json_int_t)count(bench->results, "verdict", "SLOWER"), "n_same",
                        (json_int_t)count(bench->results, "verdict", "SAME"), "n_unsure",
                        (json_int_t)count(bench->results, "verdict", "UNSURE"), "n_invalid",
                        (json_int_t)count(bench->results, "grade", "invalid"), "elapsed_s",
                        (double)(aisp_now_ns() - bench->start_ns) * 1e-9, "secrets",
                        bench->commitment, secret);
    if (bench->store && *bench->run)
        st = aisp_store_run_finish(bench->store, bench->run, summary, bench->request->err);
    json_decref(summary);
    return st;
}

bool aisp_bench_is_stopped(const struct aisp_bench *bench)
{
    const struct aisp_console *console = bench->request->console;

    return console && console->stop && *console->stop;
}

int aisp_bench_exit(const struct aisp_bench *bench, bool gate)
{
    const size_t n = json_array_size(bench->results), n_usage = count(bench->results, "not_measured", "usage");

    if (count(bench->results, "grade", "invalid"))
        return AISP_EXIT_INVALID;
    if (n_usage)
        return AISP_EXIT_USAGE;
    if (gate &&
        (count(bench->results, "verdict", "SLOWER") || count(bench->results, "verdict", "UNSURE")))
        return AISP_EXIT_GATE;
    return count(bench->results, "not_measured", "no-memory") + count(bench->results, "not_measured", "unavailable") < n
               ? AISP_EXIT_OK
               : AISP_EXIT_NOTHING;
}
