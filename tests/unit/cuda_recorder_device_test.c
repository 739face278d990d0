/* cuda_recorder_device_test.c - the recorder on the card of this machine, if there is one: audit sessions of small variants
 * (tests/record_cuda, and the baseline of their problem), each of which does one thing that it has to see.
 * With a folder as argument the traces are left there as NAME.json, for tests/recorded; with variants behind it, of those instead.
 * Not here: the trace from records that are known (cuda_trace_test.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cuda/trace.h"
#include "checks/check.h"
#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/evidence.h"
#include "core/plugin.h"

enum { SLOTS = 3, WINDOWS = 4, MOST_SHOWN = 32 };

static char home[4000]; /* of this program, with the targets and fixtures below it */

/* What has to be found in a trace, or must not be found in an honest one. */
static const struct shown {
    const char *name, *check; /* NULL: honest, no check that needs a card complains */
} all[] = {
    { "streams_joined", NULL },
    { "graph_of_each_slot", NULL },
    { "streams_left", "unsynced-streams" },
    { "graph_of_one_slot", "trace-reuse" },
    { "callback", "host-callback" },
    { "cooperative", "cooperative-launch" },
    { "programmatic", NULL },
    { "allocates", "pool-reuse" },
    { "compiles", "jit-timing-device" },
    { "managed", "um-faults" },
};

static void find_home(void)
{
    const ssize_t n = readlink("/proc/self/exe", home, sizeof home - 1);

    home[n > 0 ? n : 0] = 0;
    if (strrchr(home, '/'))
        *strrchr(home, '/') = 0;
}

/* Fresh contents everywhere; the poison is another in each window. */
static enum aisp_status fill(const struct aisp_backend *b, struct aisp_session *s, const struct aisp_instance *inst, uint32_t nth,
                             struct aisp_err *err)
{
    for (int slot = 0; slot < SLOTS; slot++)
        for (int t = 0; t < inst->n_tensors; t++) {
            const struct aisp_philox key = { { nth, (uint32_t)slot }, { (uint32_t)t, 5 } };
            const enum aisp_role role = inst->problem->tensor[t].role;
            const enum aisp_status st = role == AISP_IN    ? b->fill(s, slot, t, &key, 0, 0, err)
                                        : role == AISP_OUT ? b->poison(s, slot, t, &key, err)
                                                           : AISP_OK;

            if (st)
                return st;
        }
    return AISP_OK;
}

static enum aisp_status record(const struct aisp_instance *inst, const struct aisp_variant_ref *ref, struct aisp_device_trace *trace,
                               char why[200], struct aisp_err *err)
{
    static const int32_t slots[SLOTS] = { 2, 0, 1 };
    const struct aisp_backend *b = aisp_backend_find("cuda");
    const struct aisp_order order = { slots, SLOTS, SLOTS };
    const struct aisp_session_spec spec = {
        .inst = inst,
        .variant = { ref },
        .n_slots = SLOTS,
        .n_threads = 1,
        .spin = true,
        .secret = { { 11 } },
        .setup_timeout_ns = 20000000000,
        .call_timeout_ns = 5000000000,
        .is_audit = true,
    };
    struct aisp_session *s = NULL;
    struct aisp_observation seen;
    struct aisp_window w;
    enum aisp_status st;

    AISP_TRY(b->open(&spec, &s, &seen, err));
    for (uint32_t i = 0; i < WINDOWS; i++) {
        AISP_TRY(fill(b, s, inst, i + 1, err));
        memset(&w, 0, sizeof w);
        AISP_TRY(b->window(s, AISP_A, &order, &w, &seen, err));
    }
    b->trace(s, AISP_A, trace);
out:
    if (s && s->record_bytes)
        memcpy(why, ((const struct record_area *)(s->files[0].out + s->record_offset))->why, 200);
    else
        snprintf(why, 200, "there is no recorder beside this program");
    why[199] = 0;
    if (s)
        b->close(s);
    return st;
}

static int64_t count(const struct aisp_device_trace *t, int kind)
{
    int64_t n = 0;

    for (size_t i = 0; i < t->n_activities; i++)
        n += t->activity[i].kind == kind;
    return n;
}

static void print_row(const char *name, const struct aisp_device_trace *t)
{
    const struct aisp_device_window *w = t->n_windows > 1 ? &t->window[1] : NULL;

    printf("%-20s %-5s %4lld %4lld %4lld %4lld %4lld %4lld %4lld %4lld %5lld %6.1f %6.1f %6.1f %6.1f %6.2f\n", name,
           !t->taken ? "none" : t->alive ? "alive" : "DEAD", (long long)count(t, AISP_DEVICE_KERNEL),
           (long long)count(t, AISP_DEVICE_COPY), (long long)count(t, AISP_DEVICE_SYNC), (long long)count(t, AISP_DEVICE_CALLBACK),
           (long long)count(t, AISP_DEVICE_ALLOC), (long long)count(t, AISP_DEVICE_COMPILE), (long long)count(t, AISP_DEVICE_FAULT),
           (long long)t->n_graphs, (long long)t->n_dropped, w ? 1e-3 * (double)(w->done_ns - w->go_ns) : 0,
           w ? 1e-3 * (double)w->event_ns : 0, 1e-3 * (double)t->idle_probe_ns, w ? 1e-3 * (double)w->probe_after_ns : 0,
           1e-3 * (double)t->clock_error_ns);
}

/* Every check that needs a card, on this variant beside the baseline. True: the one that is expected speaks, or none. */
static bool examine(const struct aisp_evidence *ev, const char *expected)
{
    bool is_named = false, is_clean = true;

    AISP_FOR_EACH(aisp_checks, struct aisp_check, row)
    {
        struct aisp_findings found = AISP_FINDINGS_INIT;

        if (strcmp(row->needs, "gpu"))
            continue;
        row->examine(row, ev, &found);
        for (size_t k = 0; k < found.n; k++) {
            if (found.item[k].severity != AISP_VIOLATION)
                continue;
            is_clean = false;
            is_named = is_named || (expected && !strcmp(row->name, expected));
            printf("    %s: %s\n", row->name, found.item[k].text);
        }
        aisp_findings_release(&found);
    }
    return expected ? is_named : is_clean;
}

static void keep(const char *folder, const char *name, const struct aisp_device_trace trace[2])
{
    char *path = folder ? aisp_format("%s/%s.json", folder, name) : NULL;
    json_t *json = aisp_device_traces_to_json(trace);

    if (path && json_dump_file(json, path, JSON_INDENT(1) | JSON_SORT_KEYS))
        printf("    %s could not be written\n", path);
    json_decref(json);
    free(path);
}

static bool show(const struct aisp_instance *inst, const char *name, const char *path, const char *expected, struct aisp_evidence *ev,
                 const char *folder)
{
    struct aisp_device_trace *trace = &ev->device_trace[AISP_B];
    struct aisp_variant_ref ref = { .device = "cuda", .path = (char *)path };
    const int64_t begin_ns = aisp_now_ns();
    struct aisp_err err = { 0 };
    char why[200] = "";
    bool good;

    snprintf(ref.name, sizeof ref.name, "%s", name);
    aisp_device_trace_release(trace);
    if (aisp_declaration_read(path, &ref.decl, &err) || record(inst, &ref, trace, why, &err)) {
        printf("%-20s %s\n", name, err.text);
        return false;
    }
    strcpy(trace->math, "f32");
    ev->variant[AISP_B].decl = ref.decl;
    snprintf(ev->variant[AISP_B].name, sizeof ev->variant[AISP_B].name, "%s", name);
    if (!ev->device_trace[AISP_A].taken) { /* the baseline comes first, and stands beside itself */
        ev->variant[AISP_A] = ev->variant[AISP_B];
        record(inst, &ref, &ev->device_trace[AISP_A], why, &err);
        strcpy(ev->device_trace[AISP_A].math, "f32");
    }
    print_row(name, trace);
    if (*why)
        printf("    %s\n", why);
    good = trace->taken && trace->alive && examine(ev, expected);
    keep(folder, name, ev->device_trace);
    printf("    %s, %.1f s\n", good ? "as expected" : "NOT AS EXPECTED", 1e-9 * (double)(aisp_now_ns() - begin_ns));
    return good;
}

static int show_all(const struct aisp_instance *inst, const char *folder, char **path, int n_paths)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    char *at = aisp_format("%s/selftest/problems/card_roots/baseline.cuda.so", home);
    int n_bad;

    printf("%-20s %-5s %4s %4s %4s %4s %4s %4s %4s %4s %5s %6s %6s %6s %6s %6s\n", "", "", "kern", "copy", "wait", "host", "allo",
           "comp", "faul", "grap", "lost", "window", "events", "idle", "after", "error");
    n_bad = !show(inst, "baseline", at, NULL, &ev, folder);
    free(at);
    for (size_t i = 0; i < sizeof all / sizeof *all && !n_paths; i++) {
        at = aisp_format("%s/record_cuda/%s.so", home, all[i].name);
        n_bad += !show(inst, all[i].name, at, all[i].check, &ev, folder);
        free(at);
    }
    for (int i = 0; i < n_paths; i++) {
        const char *slash = strrchr(path[i], '/');

        show(inst, slash ? slash + 1 : path[i], path[i], NULL, &ev, folder);
    }
    aisp_evidence_release(&ev);
    printf("%d not as expected\n", n_bad);
    return n_bad;
}

int main(int argc, char **argv)
{
    const struct aisp_backend *b = aisp_backend_find("cuda");
    struct aisp_loaded_problem problem;
    struct aisp_instance inst;
    struct aisp_err err;
    char *path;
    int n_bad;

    find_home();
    if (!b || b->probe(&err)) {
        printf("skipped: %s\n", b ? err.text : "no device cuda");
        return 77;
    }
    path = aisp_format("%s/selftest/problems/card_roots/problem.so", home);
    if (aisp_problem_load(path, &problem, &err) || aisp_instance_init(&inst, problem.problem, AISP_SIZE_DEFAULT, NULL, 0, &err)) {
        printf("%s: %s\n", path, err.text);
        free(path);
        return 1;
    }
    free(path);
    n_bad = show_all(&inst, argc > 1 ? argv[1] : NULL, argv + 2, argc > 2 ? argc - 2 : 0);
    aisp_problem_unload(&problem);
    return n_bad != 0;
}
