/* device_trace.c - add to a trace within its bounds; and JSON both ways. */
#include "core/device_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/fields.h"

static const char *const kind_names[AISP_DEVICE_N_KINDS] = {
    [AISP_DEVICE_KERNEL] = "kernel",
    [AISP_DEVICE_COPY] = "copy",
    [AISP_DEVICE_MEMSET] = "memset",
    [AISP_DEVICE_SYNC] = "wait",
    [AISP_DEVICE_CALLBACK] = "host function",
    [AISP_DEVICE_ALLOC] = "allocation",
    [AISP_DEVICE_FREE] = "free",
    [AISP_DEVICE_COMPILE] = "compilation",
    [AISP_DEVICE_FAULT] = "page fault",
    [AISP_DEVICE_PREFETCH] = "prefetch",
};

const char *aisp_device_kind_name(int kind)
{
    return kind >= 0 && kind < AISP_DEVICE_N_KINDS ? kind_names[kind] : "?";
}

static void *add(struct aisp_device_trace *trace, void *array, size_t *n, size_t *cap, size_t size,
                 size_t most)
{
    if (*n < most)
        return aisp_grow(array, n, cap, size);
    trace->n_dropped++;
    return NULL;
}
#define ADD(list, n, cap, most)                                                                    \
    add(trace, &trace->list, &trace->n, &trace->cap, sizeof *trace->list, most)

struct aisp_device_activity *aisp_device_add_activity(struct aisp_device_trace *trace)
{
    struct aisp_device_activity *a =
        ADD(activity, n_activities, cap_activities, AISP_DEVICE_MOST_ACTIVITIES);

    if (a) {
        a->window = a->call = a->slot = a->graph = -1;
        a->source = a->target = AISP_PLACE_UNKNOWN;
        a->end_ns = -1;
    }
    return a;
}

struct aisp_device_stream *aisp_device_add_stream(struct aisp_device_trace *trace)
{
    return ADD(stream, n_streams, cap_streams, AISP_DEVICE_MOST_OTHERS);
}

struct aisp_device_context *aisp_device_add_context(struct aisp_device_trace *trace)
{
    struct aisp_device_context *c = ADD(context, n_contexts, cap_contexts, AISP_DEVICE_MOST_OTHERS);

    if (c)
        c->window = -1;
    return c;
}

struct aisp_device_graph *aisp_device_add_graph(struct aisp_device_trace *trace)
{
    struct aisp_device_graph *g = ADD(graph, n_graphs, cap_graphs, AISP_DEVICE_MOST_GRAPHS);

    if (g)
        g->window = g->slot = -1;
    return g;
}

struct aisp_device_window *aisp_device_add_window(struct aisp_device_trace *trace)
{
    return ADD(window, n_windows, cap_windows, AISP_DEVICE_MOST_WINDOWS);
}

struct aisp_device_policy *aisp_device_add_policy(struct aisp_device_trace *trace)
{
    struct aisp_device_policy *p = ADD(policy, n_policies, cap_policies, AISP_DEVICE_MOST_OTHERS);

    if (p)
        p->window = -1;
    return p;
}

void aisp_device_trace_release(struct aisp_device_trace *trace)
{
    free(trace->activity);
    free(trace->stream);
    free(trace->context);
    free(trace->graph);
    free(trace->window);
    free(trace->policy);
    memset(trace, 0, sizeof *trace);
}

#define COUNT(a)           ((int)(sizeof(a) / sizeof *(a)))
#define TEXT(member)       AISP_FIELD_AT(THIS, AISP_FIELD_TEXT, member, 1, 0)
#define INT(member)        AISP_FIELD_AT(THIS, AISP_FIELD_INT, member, 1, 0)
#define IN(member, lo, hi) AISP_FIELD_AT(THIS, AISP_FIELD_INT, member, lo, hi)
#define REAL(member)       AISP_FIELD_AT(THIS, AISP_FIELD_REAL, member, 1, 0)
#define BOOL(member)       AISP_FIELD_AT(THIS, AISP_FIELD_BOOL, member, 1, 0)
/* Times and counts of less than a day: sums of all that a trace holds stay in range. */
#define SANE(member) IN(member, -(INT64_C(1) << 46), INT64_C(1) << 46)
#define PHASE        IN(phase, 0, 7)
#define WINDOW       IN(window, -1, AISP_DEVICE_MOST_WINDOWS - 1)

#define THIS struct aisp_device_trace
static const struct aisp_field head[] = {
    BOOL(taken),          BOOL(alive),         INT(device),
    SANE(clock_error_ns), SANE(idle_probe_ns), SANE(window_slack_ns),
    INT(scored_launches), INT(scored_calls),   INT(pool_at_start_bytes),
    INT(audit_launches),  INT(audit_calls),    TEXT(math),
    INT(n_dropped),
};
/* Not in older records. */
static const struct aisp_field later[] = { SANE(n_kernels), SANE(n_kernels_idle) };
static const struct aisp_field spread[] = {
    SANE(scored_windows), REAL(scored_contents), REAL(scored_sum), REAL(scored_squares),
};
#undef THIS
#define THIS struct aisp_device_activity
static const struct aisp_field activity_fields[] = {
    IN(kind, 0, AISP_DEVICE_N_KINDS - 1),
    PHASE,
    IN(from, 0, AISP_AT_N - 1),
    IN(to, 0, AISP_AT_N - 1),
    WINDOW,
    INT(call),
    INT(slot),
    INT(device),
    INT(context),
    INT(stream),
    INT(graph),
    INT(source),
    INT(target),
    IN(how, 0, AISP_HOW_ALL),
    SANE(enqueued_ns),
    SANE(start_ns),
    SANE(end_ns),
    INT(bytes),
    INT(n_blocks),
    TEXT(math),
    TEXT(name),
    TEXT(code),
    INT(n_threads),
    INT(shared_bytes),
};
#undef THIS
#define THIS struct aisp_device_stream
static const struct aisp_field stream_fields[] = {
    INT(id), INT(context), INT(priority), BOOL(is_harness), BOOL(non_blocking), PHASE,
};
#undef THIS
#define THIS struct aisp_device_context
static const struct aisp_field context_fields[] = {
    INT(id), INT(device), WINDOW, BOOL(is_harness), PHASE,
};
#undef THIS
#define THIS struct aisp_device_graph
static const struct aisp_field graph_fields[] = {
    INT(id),        WINDOW,           INT(slot),
    PHASE,          INT(n_kernels),   INT(n_copies),
    INT(n_memsets), INT(n_callbacks), INT(n_inputs_read),
    INT(n_inputs),
};
#undef THIS
#define THIS struct aisp_device_window
static const struct aisp_field window_fields[] = {
    PHASE,
    IN(calls, 1, INT64_C(1) << 46),
    SANE(go_ns),
    SANE(done_ns),
    SANE(start_mark_ns),
    SANE(stop_mark_ns),
    SANE(event_ns),
    SANE(probe_before_ns),
    SANE(probe_after_ns),
    SANE(api_ns),
    SANE(n_api),
    SANE(host_cpu_ns),
    BOOL(workspace_poisoned),
    SANE(n_compared),
    SANE(n_wrong),
};
#undef THIS
#define THIS struct aisp_device_policy
static const struct aisp_field policy_fields[] = { TEXT(name), TEXT(value), PHASE, WINDOW };
#undef THIS

/* One of a trace's lists: where it lies, how long it may be, what its rows hold. */
struct list {
    const char *name;
    const struct aisp_field *field;
    int n_fields, n_later; /* n_later: of them, those that older records lack */
    size_t size, most, at, n_at, cap_at;
    const char *dropped; /* a column that older records have, or NULL */
};
#define LIST(list, n, cap, most, fields, later, dropped)                                           \
    {                                                                                              \
#list, fields, COUNT(fields), later, sizeof *((struct aisp_device_trace *)0)->list, most,         \
            offsetof(struct aisp_device_trace, list), offsetof(struct aisp_device_trace, n),       \
            offsetof(struct aisp_device_trace, cap), dropped                                       \
    }
static const struct list lists[] = {
    LIST(activity, n_activities, cap_activities, AISP_DEVICE_MOST_ACTIVITIES, activity_fields, 3, "n_resident"),
    LIST(stream, n_streams, cap_streams, AISP_DEVICE_MOST_OTHERS, stream_fields, 0, NULL),
    LIST(context, n_contexts, cap_contexts, AISP_DEVICE_MOST_OTHERS, context_fields, 0, NULL),
    LIST(graph, n_graphs, cap_graphs, AISP_DEVICE_MOST_GRAPHS, graph_fields, 0, NULL),
    LIST(window, n_windows, cap_windows, AISP_DEVICE_MOST_WINDOWS, window_fields, 0, "late_bytes"),
    LIST(policy, n_policies, cap_policies, AISP_DEVICE_MOST_OTHERS, policy_fields, 0, NULL),
};

static json_t *list_to_json(const struct list *list, const struct aisp_device_trace *trace)
{
    const char *base = (const char *)trace, *items = *(const char *const *)(base + list->at);
    const size_t n = *(const size_t *)(base + list->n_at);
    json_t *names = json_array(), *rows = json_array();

    for (int i = 0; i < list->n_fields; i++)
        json_array_append_new(names, json_string(list->field[i].name));
    for (size_t i = 0; i < n; i++)
        json_array_append_new(
            rows, aisp_fields_to_row(list->field, list->n_fields, items + i * list->size));
    return json_pack("{s:o, s:o}", "fields", names, "rows", rows);
}

/* As it is written today: without the column that an older record has, which nobody ever filled. The caller's to release. */
static json_t *table_of(const struct list *list, const json_t *json)
{
    json_t *table = json_object_get(json, list->name), *names = json_object_get(table, "fields"), *row;
    size_t n = list->dropped ? json_array_size(names) : 0, at = 0, i;

    while (at < n && (!json_is_string(json_array_get(names, at)) ||
                      strcmp(json_string_value(json_array_get(names, at)), list->dropped)))
        at++;
    if (at >= n)
        return json_incref(table);
    table = json_deep_copy(table);
    json_array_remove(json_object_get(table, "fields"), at);
    json_array_foreach(json_object_get(table, "rows"), i, row) json_array_remove(row, at);
    return table;
}

static enum aisp_status rows_from_json(const struct list *list, const json_t *rows, int n_columns,
                                       struct aisp_device_trace *trace, struct aisp_err *err)
{
    char *base = (char *)trace, path[64];
    size_t *n = (size_t *)(base + list->n_at), *cap = (size_t *)(base + list->cap_at);
    enum aisp_status st = AISP_OK;

    if (json_array_size(rows) > list->most)
        return aisp_fail(err, AISP_E_IO, "device_traces.%s: %zu rows, over %zu", list->name,
                         json_array_size(rows), list->most);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        snprintf(path, sizeof path, "device_traces.%s[%zu]", list->name, i);
        AISP_TRY(aisp_fields_from_row(list->field, n_columns, json_array_get(rows, i), path,
                                      aisp_grow(base + list->at, n, cap, list->size), err));
    }
out:
    return st;
}

static enum aisp_status list_from_json(const struct list *list, const json_t *json,
                                       struct aisp_device_trace *trace, struct aisp_err *err)
{
    json_t *table = table_of(list, json),
           *names = json_object_get(table, "fields"), *rows = json_object_get(table, "rows");
    const int n_columns = (int)json_array_size(names);
    enum aisp_status st = AISP_OK;

    /* What came later stands at the end: a record that is older has fewer columns. */
    if (!json_is_array(rows) || n_columns > list->n_fields || n_columns < list->n_fields - list->n_later)
        st = aisp_fail(err, AISP_E_IO, "device_traces.%s: missing or not a table", list->name);
    for (int i = 0; i < n_columns && !st; i++) {
        const char *name = json_string_value(json_array_get(names, (size_t)i));

        if (!name || strcmp(name, list->field[i].name))
            st = aisp_fail(err, AISP_E_IO, "device_traces.%s.fields[%d]: is not \"%s\"", list->name, i,
                           list->field[i].name);
    }
    st = st ? st : rows_from_json(list, rows, n_columns, trace, err);
    json_decref(table);
    return st;
}

/* Checks index windows by what activities, contexts, graphs and policies say. */
static enum aisp_status windows_exist(const struct aisp_device_trace *trace, struct aisp_err *err)
{
    int64_t most = -1;

    for (size_t i = 0; i < trace->n_activities; i++)
        most = trace->activity[i].window > most ? trace->activity[i].window : most;
    for (size_t i = 0; i < trace->n_contexts; i++)
        most = trace->context[i].window > most ? trace->context[i].window : most;
    for (size_t i = 0; i < trace->n_graphs; i++)
        most = trace->graph[i].window > most ? trace->graph[i].window : most;
    for (size_t i = 0; i < trace->n_policies; i++)
        most = trace->policy[i].window > most ? trace->policy[i].window : most;
    if (most >= (int64_t)trace->n_windows)
        return aisp_fail(err, AISP_E_IO, "device_traces: window %lld is named, there are %zu",
                         (long long)most, trace->n_windows);
    return AISP_OK;
}

json_t *aisp_device_traces_to_json(const struct aisp_device_trace trace[2])
{
    json_t *sides = json_array();

    for (int side = 0; side < 2; side++) {
        json_t *one = json_null();

        if (trace[side].taken) {
            one = aisp_fields_to_object(head, COUNT(head), &trace[side]);
            json_object_set_new(one, "kernels", aisp_fields_to_object(later, COUNT(later), &trace[side]));
            json_object_set_new(one, "launches", aisp_fields_to_object(spread, COUNT(spread), &trace[side]));
            for (int i = 0; i < COUNT(lists); i++)
                json_object_set_new(one, lists[i].name, list_to_json(&lists[i], &trace[side]));
        }
        json_array_append_new(sides, one);
    }
    return sides;
}

static enum aisp_status one_from_json(const json_t *json, struct aisp_device_trace *trace,
                                      struct aisp_err *err)
{
    const json_t *kernels = json_object_get(json, "kernels"), *launches = json_object_get(json, "launches");
    enum aisp_status st;

    AISP_TRY(aisp_fields_from_object(head, COUNT(head), json, "device_traces", trace, err));
    if (kernels)
        AISP_TRY(aisp_fields_from_object(later, COUNT(later), kernels, "device_traces.kernels", trace, err));
    if (launches)
        AISP_TRY(aisp_fields_from_object(spread, COUNT(spread), launches, "device_traces.launches", trace, err));
    for (int i = 0; i < COUNT(lists); i++)
        AISP_TRY(list_from_json(&lists[i], json, trace, err));
    AISP_TRY(windows_exist(trace, err));
out:
    return st;
}

enum aisp_status aisp_device_traces_from_json(const json_t *json, struct aisp_device_trace trace[2],
                                              struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    memset(trace, 0, 2 * sizeof *trace);
    if (json_array_size(json) != 2)
        return aisp_fail(err, AISP_E_IO, "device_traces: not a list of 2");
    for (size_t side = 0; side < 2; side++)
        if (!json_is_null(json_array_get(json, side)))
            AISP_TRY(one_from_json(json_array_get(json, side), &trace[side], err));
out:
    for (int side = 0; side < 2 && st; side++)
        aisp_device_trace_release(&trace[side]);
    return st;
}
