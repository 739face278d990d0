/* serving.c - traces of servers: names, chain, JSON and back.
 * Stamps are rows of numbers, thousands of them; the rest is objects by name. */
#include "core/serving.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/hash.h"
#include "core/fields.h"

#define COUNT(a)           ((int)(sizeof(a) / sizeof *(a)))
#define TEXT(member)       AISP_FIELD_AT(THIS, AISP_FIELD_TEXT, member, 1, 0)
#define INT(member)        AISP_FIELD_AT(THIS, AISP_FIELD_INT, member, 1, 0)
#define IN(member, lo, hi) AISP_FIELD_AT(THIS, AISP_FIELD_INT, member, lo, hi)

#define THIS struct aisp_service
static const struct aisp_field head[] = {
    IN(process, 1, 3), IN(figure, 1, 2), INT(n_requests), INT(per_second),
    INT(ttft_slo_ns),  INT(tpot_slo_ns), TEXT(chain),
};
#undef THIS
#define THIS struct aisp_trace
static const struct aisp_field trace_fields[] = {
    INT(pair),
    INT(block),
    INT(index),
    IN(side, 0, 1),
    INT(kind),
    IN(n_requests, 0, INT32_MAX),
    IN(n_tokens, 0, INT32_MAX),
    IN(first, 0, INT64_MAX),
    INT(late_ns),
    INT(blur_ns),
    INT(span_ns),
};
#undef THIS
#define THIS struct aisp_request_times
static const struct aisp_field time_fields[] = {
    INT(due_ns),
    INT(first_ns),
    INT(last_ns),
    IN(n_tokens, 0, INT32_MAX),
};
#undef THIS

const char *aisp_emission_flaw_name(enum aisp_emission_flaw flaw)
{
    static const char *const names[AISP_N_EMISSION_FLAWS] = {
        [AISP_EMISSION_RIGHT] = "right",
        [AISP_EMISSION_EARLY] = "emitted before its request was there",
        [AISP_EMISSION_REPEATED] = "not the next token of its request",
        [AISP_EMISSION_UNSERVED] = "never emitted",
        [AISP_EMISSION_UNKNOWN] = "of no request",
        [AISP_EMISSION_BACKWARDS] = "the count of emissions went down",
        [AISP_EMISSION_OVERFLOW] = "the count of emissions is beyond the ring",
    };

    return (unsigned)flaw < AISP_N_EMISSION_FLAWS ? names[flaw] : "?";
}

void aisp_service_release(struct aisp_service *service)
{
    free(service->trace);
    free(service->times);
    *service = (struct aisp_service){ 0 };
}

void aisp_service_chain(const struct aisp_service *service, char hex[65])
{
    char link[256];

    aisp_hash_bytes("", 0, hex);
    for (size_t i = 0; i < service->n_traces; i++) {
        const struct aisp_trace *t = &service->trace[i];
        const int n = snprintf(link, sizeof link, "%s %d %d %d %d %d %d %d %lld %lld %lld %lld",
                               hex, t->pair, t->block, t->index, t->side, t->kind, t->n_requests,
                               t->n_tokens, (long long)t->first, (long long)t->late_ns,
                               (long long)t->blur_ns, (long long)t->span_ns);

        aisp_hash_bytes(link, (size_t)n, hex);
    }
    for (size_t i = 0; i < service->n_times; i++) {
        const struct aisp_request_times *t = &service->times[i];
        const int n = snprintf(link, sizeof link, "%s %lld %lld %lld %d", hex, (long long)t->due_ns,
                               (long long)t->first_ns, (long long)t->last_ns, t->n_tokens);

        aisp_hash_bytes(link, (size_t)n, hex);
    }
}

json_t *aisp_service_to_json(const struct aisp_service *service)
{
    json_t *json, *traces, *times;

    if (!service->process)
        return NULL;
    json = aisp_fields_to_object(head, COUNT(head), service);
    traces = json_array();
    times = json_array();
    for (size_t i = 0; i < service->n_traces; i++)
        json_array_append_new(
            traces, aisp_fields_to_object(trace_fields, COUNT(trace_fields), &service->trace[i]));
    for (size_t i = 0; i < service->n_times; i++)
        json_array_append_new(
            times, aisp_fields_to_row(time_fields, COUNT(time_fields), &service->times[i]));
    json_object_set_new(json, "traces", traces);
    json_object_set_new(json, "times", times);
    return json;
}

static enum aisp_status read_lists(const json_t *json, struct aisp_service *s, struct aisp_err *err)
{
    const json_t *traces = json_object_get(json, "traces"), *times = json_object_get(json, "times");
    enum aisp_status st = AISP_OK;
    int64_t n_requests = 0; /* traces follow each other */
    char path[64];

    if (!json_is_array(traces) || !json_is_array(times))
        return aisp_fail(err, AISP_E_IO, "service.traces or times: missing or not a list");
    for (size_t i = 0; i < json_array_size(traces); i++) {
        struct aisp_trace *to = aisp_grow(&s->trace, &s->n_traces, &s->cap_traces, sizeof *to);

        snprintf(path, sizeof path, "service.traces[%zu]", i);
        AISP_TRY(aisp_fields_from_object(trace_fields, COUNT(trace_fields),
                                         json_array_get(traces, i), path, to, err));
        if (to->first != n_requests ||
            to->n_requests > (int64_t)json_array_size(times) - n_requests)
            return aisp_fail(err, AISP_E_IO, "%s: its requests are not there", path);
        n_requests += to->n_requests;
    }
    for (size_t i = 0; i < json_array_size(times); i++) {
        struct aisp_request_times *to =
            aisp_grow(&s->times, &s->n_times, &s->cap_times, sizeof *to);

        snprintf(path, sizeof path, "service.times[%zu]", i);
        AISP_TRY(aisp_fields_from_row(time_fields, COUNT(time_fields), json_array_get(times, i),
                                      path, to, err));
    }
out:
    return st;
}

enum aisp_status aisp_service_from_json(const json_t *json, struct aisp_service *service,
                                        struct aisp_err *err)
{
    enum aisp_status st;

    *service = (struct aisp_service){ 0 };
    AISP_TRY(aisp_fields_from_object(head, COUNT(head), json, "service", service, err));
    st = read_lists(json, service, err);
out:
    if (st)
        aisp_service_release(service);
    return st;
}
