/* evidence_json.c - evidence as JSON and back, without loss. Windows are rows of a table, thousands of them; the rest is
 * objects by name. What is read is checked for type and range, so that checks may index by it. */
#include "core/evidence.h"

#include <string.h>

#include "core/base/buf.h"
#include "core/fields.h"
#include "core/instance.h"

enum { FORMAT = 1 };

#define COUNT(a)            ((int)(sizeof(a) / sizeof *(a)))
#define TEXT(member)        AISP_FIELD_AT(THIS, AISP_FIELD_TEXT, member, 1, 0)
#define INT(member)         AISP_FIELD_AT(THIS, AISP_FIELD_INT, member, 1, 0)
#define IN(member, lo, hi)  AISP_FIELD_AT(THIS, AISP_FIELD_INT, member, lo, hi)
#define REAL(member)        AISP_FIELD_AT(THIS, AISP_FIELD_REAL, member, 1, 0)
#define BOOL(member)        AISP_FIELD_AT(THIS, AISP_FIELD_BOOL, member, 1, 0)
#define ARRAY(kind, member) AISP_FIELD_ARRAY(THIS, kind, member)

#define THIS struct aisp_evidence
static const struct aisp_field head[] = {
    TEXT(target),
    TEXT(device),
    TEXT(size),
    IN(n_params, 0, AISP_MAX_PARAMS),
    ARRAY(AISP_FIELD_TEXT, param_name),
    ARRAY(AISP_FIELD_INT, param),
    IN(goal, AISP_SPEED, AISP_LATENCY),
    INT(bytes),
    INT(flops),
    BOOL(flops_is_floor),
    INT(working_set_bytes),
    TEXT(cache_level),
    INT(calls_per_window),
    INT(n_slots),
    INT(n_threads),
    BOOL(spinning),
    REAL(band),
    REAL(floor),
    INT(time_limit_ns),
    INT(elapsed_ns),
    INT(fill_ns),
    INT(compare_ns),
    INT(window_total_ns),
    BOOL(cut_short),
    BOOL(incomplete),
    BOOL(dirty_tree),
    INT(n_observations_dropped),
    TEXT(chain),
};
#undef THIS
#define THIS struct aisp_device_limits
static const struct aisp_field limit_fields[] = {
    TEXT(name),
    TEXT(card),
    ARRAY(AISP_FIELD_INT, cache_bytes),
    REAL(dram_gbps),
};
#undef THIS
#define THIS struct aisp_held_facts
static const struct aisp_field held_fields[] = {
    IN(scope, AISP_SCOPE_CALL, AISP_SCOPE_KERNEL), INT(most_calls), ARRAY(AISP_FIELD_INT, empty_ns),
    ARRAY(AISP_FIELD_INT, n_held), ARRAY(AISP_FIELD_INT, n_unheld),
    ARRAY(AISP_FIELD_INT, n_wrong), ARRAY(AISP_FIELD_INT, n_right_free), ARRAY(AISP_FIELD_BOOL, is_refused),
};
#undef THIS
#define THIS struct aisp_window
static const struct aisp_field window_fields[] = {
    INT(pair),
    INT(block),
    INT(index),
    IN(side, AISP_A, AISP_B),
    IN(kind, AISP_WINDOW_WARMUP, AISP_WINDOW_HOLDOUT),
    IN(calls, 1, INT64_MAX),
    INT(start_ns),
    INT(window_ns),
    INT(inner_ns),
    INT(gap_ns),
    INT(idle_ns),
    INT(minor_faults),
    INT(major_faults),
    INT(voluntary_switches),
    INT(involuntary_switches),
};
#undef THIS
#define THIS struct aisp_pair
static const struct aisp_field pair_fields[] = {
    INT(pair), BOOL(is_control), BOOL(complete), TEXT(commitment), TEXT(secret),
};
#undef THIS
#define THIS struct aisp_observation
static const struct aisp_field observation_fields[] = {
    IN(what, 0, AISP_N_SEEN - 1),
    IN(side, AISP_A, AISP_B),
    IN(phase, AISP_PHASE_LOAD, AISP_PHASE_TEARDOWN),
    INT(kind),
    INT(pair),
    INT(window),
    INT(call),
    INT(slot),
    INT(tensor),
    INT(element),
    INT(count),
    INT(of),
    REAL(seen),
    REAL(expected),
    REAL(allowed),
    TEXT(detail),
};
#undef THIS
#define THIS struct aisp_placement
static const struct aisp_field placement_fields[] = {
    ARRAY(AISP_FIELD_INT, bytes), INT(n_pairs), REAL(centre), REAL(lo95), REAL(hi95),
};
#undef THIS
#define THIS struct aisp_file_facts
static const struct aisp_field file_fields[] = {
    TEXT(pages), TEXT(file_system), INT(n_looks), INT(n_pages), INT(n_dropped),
};
enum { N_FILE_FIELDS = sizeof file_fields / sizeof *file_fields };
#undef THIS
#define THIS struct aisp_point
static const struct aisp_field point_fields[] = {
    ARRAY(AISP_FIELD_INT, param), IN(calls, 0, INT64_MAX), INT(first_pair), IN(n_pairs, 0, INT32_MAX),
};
#undef THIS
#define THIS struct aisp_verified
static const struct aisp_field verified_fields[] = {
    INT(n_full),      INT(n_full_right),      INT(n_sampled),    INT(n_sampled_right),
    INT(n_elements),  INT(n_windows_checked), INT(n_windows),    REAL(worst),
    INT(n_holdout),   INT(n_holdout_right),   INT(warmup_right), INT(warmup_wrong),
    INT(timed_right), INT(timed_wrong),
};
#undef THIS
#define THIS struct aisp_account
static const struct aisp_field account_fields[] = {
    INT(cpu_ns),
    INT(minor_faults),
    INT(major_faults),
    INT(voluntary_switches),
    INT(involuntary_switches),
    INT(peak_rss_bytes),
    INT(setup_ns),
    INT(load_ns),
    INT(max_tasks),
    TEXT(output),
    INT(output_bytes),
};
#undef THIS
#define THIS struct aisp_variant_facts
static const struct aisp_field variant_fields[] = {
    TEXT(name),        TEXT(sha256),    TEXT(sha256_after), TEXT(decl.idea),
    TEXT(decl.expect), TEXT(decl.uses), TEXT(decl.place),
};
#undef THIS

/* An array that grows: where it lies in the evidence, and how its elements look. */
struct list {
    const char *name;
    const struct aisp_field *field;
    int n_fields;
    size_t size;
    bool as_rows;
};
static const struct list windows = { "windows", window_fields, COUNT(window_fields),
                                     sizeof(struct aisp_window), true };
static const struct list pairs = { "pairs", pair_fields, COUNT(pair_fields),
                                   sizeof(struct aisp_pair), false };
static const struct list observations = { "observations", observation_fields,
                                          COUNT(observation_fields),
                                          sizeof(struct aisp_observation), false };
/* Absent where there are none, as in records from before there were any. */
static const struct list placements = { "placements", placement_fields, COUNT(placement_fields),
                                        sizeof(struct aisp_placement), false };

static const struct list points = { "points", point_fields, COUNT(point_fields), sizeof(struct aisp_point), false };

static json_t *list_to_json(const struct list *list, const void *items, size_t n)
{
    json_t *rows = json_array(), *names;

    for (size_t i = 0; i < n; i++) {
        const void *item = (const char *)items + i * list->size;

        json_array_append_new(rows, list->as_rows
                                        ? aisp_fields_to_row(list->field, list->n_fields, item)
                                        : aisp_fields_to_object(list->field, list->n_fields, item));
    }
    if (!list->as_rows)
        return rows;
    names = json_array();
    for (int i = 0; i < list->n_fields; i++)
        json_array_append_new(names, json_string(list->field[i].name));
    return json_pack("{s:o, s:o}", "fields", names, "rows", rows);
}

/* Absent where there is none, and in records from before it was kept. */
static const struct aisp_field planned = AISP_FIELD_AT(struct aisp_evidence, AISP_FIELD_INT, planned_window_ns, 0, INT64_MAX);
static const struct aisp_field reference_in = AISP_FIELD_AT(struct aisp_evidence, AISP_FIELD_TEXT, reference_in, 1, 0);

json_t *aisp_evidence_to_json(const struct aisp_evidence *ev)
{
    json_t *json = aisp_fields_to_object(head, COUNT(head), ev), *variants = json_array(),
           *verified = json_array(), *accounts = json_array(), *processes = json_array(), *watched = json_array();

    for (int side = AISP_A; side <= AISP_B; side++) {
        json_array_append_new(variants, aisp_fields_to_object(variant_fields, COUNT(variant_fields),
                                                              &ev->variant[side]));
        json_array_append_new(
            verified,
            aisp_fields_to_object(verified_fields, COUNT(verified_fields), &ev->verified[side]));
        json_array_append_new(accounts, aisp_fields_to_object(account_fields, COUNT(account_fields),
                                                              &ev->account[side]));
    }
    json_object_set_new(json, "format", json_integer(FORMAT));
    if (ev->arithmetic)
        json_object_set_new(json, "arithmetic", json_string(aisp_dtype_name((enum aisp_dtype)ev->arithmetic)));
    for (int side = AISP_A; side <= AISP_B; side++)
        json_array_append_new(processes, aisp_process_facts_to_json(&ev->process[side]));
    json_object_set_new(json, "processes", processes);
    for (int i = 0; i < AISP_N_WATCHED; i++)
        json_array_append_new(watched, aisp_watched_to_json(&ev->watched[i]));
    json_object_set_new(json, "watched", watched);
    json_object_set_new(json, "variants", variants);
    json_object_set_new(json, "verified", verified);
    json_object_set_new(json, "accounts", accounts);
    if (ev->account[AISP_A].missing || ev->account[AISP_B].missing)
        json_object_set_new(json, "missing",
                            json_pack("[i, i]", (int)ev->account[AISP_A].missing, (int)ev->account[AISP_B].missing));
    json_object_set_new(json, windows.name, list_to_json(&windows, ev->window, ev->n_windows));
    json_object_set_new(json, pairs.name, list_to_json(&pairs, ev->pair, ev->n_pairs));
    json_object_set_new(json, observations.name,
                        list_to_json(&observations, ev->observation, ev->n_observations));
    if (ev->planned_window_ns)
        json_object_update_new(json, aisp_fields_to_object(&planned, 1, ev));
    if (*ev->reference_in)
        json_object_update_new(json, aisp_fields_to_object(&reference_in, 1, ev));
    if (ev->n_placements)
        json_object_set_new(json, placements.name,
                            list_to_json(&placements, ev->placement, ev->n_placements));
    if (ev->n_points)
        json_object_set_new(json, points.name, list_to_json(&points, ev->point, ev->n_points));
    if (ev->service.process)
        json_object_set_new(json, "service", aisp_service_to_json(&ev->service));
    if (*ev->limits.card)
        json_object_set_new(json, "limits", aisp_fields_to_object(limit_fields, COUNT(limit_fields), &ev->limits));
    if (ev->held.scope)
        json_object_set_new(json, "held", aisp_fields_to_object(held_fields, COUNT(held_fields), &ev->held));
    if (ev->cold.swept_bytes)
        json_object_set_new(json, "cold", aisp_cold_to_json(&ev->cold));
    if (*ev->files.pages)
        json_object_set_new(json, "files", aisp_fields_to_object(file_fields, N_FILE_FIELDS, &ev->files));
    if (aisp_rewrites_are_there(ev->rewrites))
        json_object_set_new(json, "rewrites",
                            json_pack("[o, o]", aisp_rewrites_to_json(&ev->rewrites[AISP_A]),
                                      aisp_rewrites_to_json(&ev->rewrites[AISP_B])));
    if (ev->answers[AISP_A].n || ev->answers[AISP_B].n)
        json_object_set_new(json, "answers", json_pack("[o, o]", aisp_answers_to_json(&ev->answers[AISP_A]),
                                                       aisp_answers_to_json(&ev->answers[AISP_B])));
    if (ev->footprint[AISP_A].n_repeats || ev->footprint[AISP_B].n_repeats)
        json_object_set_new(json, "footprints",
                            json_pack("[o, o]", aisp_footprint_to_json(&ev->footprint[AISP_A]),
                                      aisp_footprint_to_json(&ev->footprint[AISP_B])));
    if (ev->device_trace[AISP_A].taken || ev->device_trace[AISP_B].taken)
        json_object_set_new(json, "device_traces", aisp_device_traces_to_json(ev->device_trace));
    json_object_set_new(json, "machine", aisp_machine_to_json(&ev->machine));
    if (ev->kept.n)
        json_object_set_new(json, "kept", aisp_kept_to_json(&ev->kept));
    if (!aisp_workload_is_empty(&ev->workload))
        json_object_set_new(json, "workload", aisp_workload_to_json(&ev->workload));
    if (ev->ranks.n_ranks > 1)
        json_object_set_new(json, "ranks", aisp_ranks_to_json(&ev->ranks));
    json_object_set_new(json, "before", aisp_environment_to_json(&ev->before));
    json_object_set_new(json, "after", aisp_environment_to_json(&ev->after));
    json_object_set_new(json, "calibration", aisp_calibration_to_json(&ev->calibration));
    return json;
}

static enum aisp_status names_agree(const struct list *list, const json_t *names,
                                    struct aisp_err *err)
{
    for (int i = 0; i < list->n_fields; i++) {
        const char *name = json_string_value(json_array_get(names, (size_t)i));

        if (!name || strcmp(name, list->field[i].name))
            return aisp_fail(err, AISP_E_IO, "%s.fields[%d]: is not \"%s\"", list->name, i,
                             list->field[i].name);
    }
    return AISP_OK;
}

/* `array` points at the array pointer, as aisp_grow wants it. */
static enum aisp_status list_from_json(const struct list *list, const json_t *json, void *array,
                                       size_t *n, size_t *cap, struct aisp_err *err)
{
    const json_t *value = json_object_get(json, list->name), *rows = value;
    enum aisp_status st = AISP_OK;
    char path[64];

    if (list->as_rows) {
        rows = json_object_get(value, "rows");
        AISP_TRY(names_agree(list, json_object_get(value, "fields"), err));
    }
    if (!json_is_array(rows))
        return aisp_fail(err, AISP_E_IO, "%s: missing or not a list", list->name);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        void *item = aisp_grow(array, n, cap, list->size);

        snprintf(path, sizeof path, "%s[%zu]", list->name, i);
        AISP_TRY(list->as_rows
                     ? aisp_fields_from_row(list->field, list->n_fields, row, path, item, err)
                     : aisp_fields_from_object(list->field, list->n_fields, row, path, item, err));
    }
out:
    return st;
}

/* What hosts lacked of the cage: absent where they lacked nothing, and in records from before it was kept. */
static enum aisp_status missing_from_json(const json_t *json, int side, int32_t *missing, struct aisp_err *err)
{
    const json_t *list = json_object_get(json, "missing"), *value = json_array_get(list, (size_t)side);
    const json_int_t is = json_integer_value(value);

    *missing = (int32_t)is;
    if (list && (!json_is_integer(value) || is < 0 || is > INT32_MAX))
        return aisp_fail(err, AISP_E_IO, "missing[%d]: of the wrong type or out of range", side);
    return AISP_OK;
}

/* The type of the products, by name: absent in records from before it was kept. */
static enum aisp_status arithmetic_from_json(const json_t *json, int32_t *arithmetic, struct aisp_err *err)
{
    const char *name = json_string_value(json_object_get(json, "arithmetic"));

    if (!json_object_get(json, "arithmetic"))
        return AISP_OK;
    for (int32_t type = AISP_F64; name && type <= AISP_U8; type++)
        if (!strcmp(aisp_dtype_name((enum aisp_dtype)type), name)) {
            *arithmetic = type;
            return AISP_OK;
        }
    return aisp_fail(err, AISP_E_IO, "evidence.arithmetic: is no type");
}

static enum aisp_status side_from_json(const json_t *json, int side, struct aisp_evidence *ev,
                                       struct aisp_err *err)
{
    const json_t *variant = json_array_get(json_object_get(json, "variants"), (size_t)side);
    const json_t *verified = json_array_get(json_object_get(json, "verified"), (size_t)side);
    const json_t *account = json_array_get(json_object_get(json, "accounts"), (size_t)side);
    const json_t *process = json_array_get(json_object_get(json, "processes"), (size_t)side);
    enum aisp_status st;

    AISP_TRY(aisp_fields_from_object(variant_fields, COUNT(variant_fields), variant, "variants",
                                     &ev->variant[side], err));
    AISP_TRY(aisp_fields_from_object(verified_fields, COUNT(verified_fields), verified, "verified",
                                     &ev->verified[side], err));
    AISP_TRY(aisp_fields_from_object(account_fields, COUNT(account_fields), account, "accounts",
                                     &ev->account[side], err));
    AISP_TRY(missing_from_json(json, side, &ev->account[side].missing, err));
    /* Records from before processes were looked at have none. */
    if (process)
        AISP_TRY(aisp_process_facts_from_json(process, &ev->process[side], err));
out:
    return st;
}

static enum aisp_status field_from_json(const struct aisp_field *field, const json_t *json, struct aisp_evidence *ev,
                                        struct aisp_err *err)
{
    return json_object_get(json, field->name) ? aisp_fields_from_object(field, 1, json, "evidence", ev, err) : AISP_OK;
}

enum aisp_status aisp_evidence_from_json(const json_t *json, struct aisp_evidence *ev,
                                         struct aisp_err *err)
{
    struct aisp_evidence read = AISP_EVIDENCE_INIT;
    enum aisp_status st;

    if (json_integer_value(json_object_get(json, "format")) != FORMAT)
        return aisp_fail(err, AISP_E_IO, "evidence.format: is not %d", FORMAT);
    AISP_TRY(aisp_fields_from_object(head, COUNT(head), json, "evidence", &read, err));
    AISP_TRY(field_from_json(&planned, json, &read, err));
    AISP_TRY(field_from_json(&reference_in, json, &read, err));
    AISP_TRY(arithmetic_from_json(json, &read.arithmetic, err));
    AISP_TRY(side_from_json(json, AISP_A, &read, err));
    AISP_TRY(side_from_json(json, AISP_B, &read, err));
    for (int i = 0; i < AISP_N_WATCHED && json_object_get(json, "watched"); i++)
        AISP_TRY(aisp_watched_from_json(json_array_get(json_object_get(json, "watched"), (size_t)i),
                                        &read.watched[i], err));
    AISP_TRY(list_from_json(&windows, json, &read.window, &read.n_windows, &read.cap_windows, err));
    AISP_TRY(list_from_json(&pairs, json, &read.pair, &read.n_pairs, &read.cap_pairs, err));
    AISP_TRY(list_from_json(&observations, json, &read.observation, &read.n_observations,
                            &read.cap_observations, err));
    if (json_object_get(json, placements.name))
        AISP_TRY(list_from_json(&placements, json, &read.placement, &read.n_placements,
                                &read.cap_placements, err));
    if (json_object_get(json, points.name))
        AISP_TRY(list_from_json(&points, json, &read.point, &read.n_points, &read.cap_points, err));
    if (json_object_get(json, "service"))
        AISP_TRY(aisp_service_from_json(json_object_get(json, "service"), &read.service, err));
    if (json_object_get(json, "limits"))
        AISP_TRY(aisp_fields_from_object(limit_fields, COUNT(limit_fields), json_object_get(json, "limits"), "limits", &read.limits, err));
    if (json_object_get(json, "held"))
        AISP_TRY(aisp_fields_from_object(held_fields, COUNT(held_fields), json_object_get(json, "held"), "held", &read.held,
                                         err));
    if (json_object_get(json, "cold"))
        AISP_TRY(aisp_cold_from_json(json_object_get(json, "cold"), &read.cold, err));
    if (json_object_get(json, "files"))
        AISP_TRY(aisp_fields_from_object(file_fields, N_FILE_FIELDS, json_object_get(json, "files"), "files", &read.files, err));
    for (int side = AISP_A; side <= AISP_B && json_object_get(json, "rewrites"); side++)
        AISP_TRY(aisp_rewrites_from_json(json_array_get(json_object_get(json, "rewrites"), (size_t)side),
                                         &read.rewrites[side], err));
    for (int side = AISP_A; side <= AISP_B && json_object_get(json, "answers"); side++)
        AISP_TRY(aisp_answers_from_json(json_array_get(json_object_get(json, "answers"), (size_t)side), &read.answers[side], err));
    for (int side = AISP_A; side <= AISP_B && json_object_get(json, "footprints"); side++)
        AISP_TRY(aisp_footprint_from_json(
            json_array_get(json_object_get(json, "footprints"), (size_t)side),
            &read.footprint[side], err));
    if (json_object_get(json, "device_traces"))
        AISP_TRY(aisp_device_traces_from_json(json_object_get(json, "device_traces"),
                                              read.device_trace, err));
    AISP_TRY(aisp_machine_from_json(json_object_get(json, "machine"), &read.machine, err));
    AISP_TRY(aisp_kept_from_json(json_object_get(json, "kept"), &read.kept, err));
    if (json_object_get(json, "workload"))
        AISP_TRY(aisp_workload_from_json(json_object_get(json, "workload"), &read.workload, err));
    AISP_TRY(aisp_ranks_from_json(json_object_get(json, "ranks"), &read.ranks, err));
    AISP_TRY(aisp_environment_from_json(json_object_get(json, "before"), &read.before, err));
    AISP_TRY(aisp_environment_from_json(json_object_get(json, "after"), &read.after, err));
    AISP_TRY(
        aisp_calibration_from_json(json_object_get(json, "calibration"), &read.calibration, err));
    *ev = read;
    return AISP_OK;
out:
    aisp_evidence_release(&read);
    return st;
}
