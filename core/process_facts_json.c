/* process_facts_json.c - facts of processes and files as JSON and back. */
#include "core/fields.h"
#include "core/process_facts.h"

#define COUNT(a)           ((int)(sizeof(a) / sizeof *(a)))
#define TEXT(member)       AISP_FIELD_AT(THIS, AISP_FIELD_TEXT, member, 1, 0)
#define INT(member)        AISP_FIELD_AT(THIS, AISP_FIELD_INT, member, 1, 0)
#define IN(member, lo, hi) AISP_FIELD_AT(THIS, AISP_FIELD_INT, member, lo, hi)
#define BOOL(member)       AISP_FIELD_AT(THIS, AISP_FIELD_BOOL, member, 1, 0)

#define THIS struct aisp_process_object
static const struct aisp_field object_fields[] = {
    TEXT(path),    TEXT(sha256),     BOOL(is_executable),
    BOOL(is_open), BOOL(is_changed), IN(first_phase, -1, 127),
};
#undef THIS
#define THIS struct aisp_watched
static const struct aisp_field watched_fields[] = { TEXT(path), TEXT(sha256), TEXT(sha256_after) };
#undef THIS
#define THIS struct aisp_scan_facts
static const struct aisp_field scan_fields[] = {
    BOOL(is_scanned),           BOOL(has_writable_code), BOOL(has_executable_stack),
    BOOL(has_text_relocations), BOOL(has_fast_math),     BOOL(has_run_path),
    BOOL(has_flags),            INT(n_constructors),     INT(code_bytes),
    INT(data_bytes),            TEXT(compiler),          TEXT(flags),
    TEXT(symbols),              TEXT(needed),            TEXT(run_sha256),
    TEXT(code_sha256),
};
#undef THIS
#define THIS struct aisp_process_facts
static const struct aisp_field fields[] = {
    TEXT(variant_path),
    INT(n_looks),
    INT(n_objects_dropped),
    INT(jit_setup_bytes),
    INT(jit_window_bytes),
    INT(writable_code_bytes),
    INT(patched_code_bytes),
    TEXT(patched_object),
    INT(n_outputs_protected),
    INT(n_outputs_replaced),
    INT(n_inputs_replaced),
    INT(n_extra_views),
    INT(grown_bytes),
    INT(swapped_bytes),
    INT(n_cpus_given),
    INT(n_cpus_allowed),
    INT(n_setup_answers),
    INT(n_warmup_answers),
    INT(shipped_answer_at),
};
#undef THIS

json_t *aisp_process_facts_to_json(const struct aisp_process_facts *facts)
{
    json_t *json = aisp_fields_to_object(fields, COUNT(fields), facts), *objects = json_array();

    if (facts->n_unseen) /* as in records from before it was counted */
        json_object_set_new(json, "n_unseen", json_integer(facts->n_unseen));
    for (int i = 0; i < facts->n_objects; i++)
        json_array_append_new(objects, aisp_fields_to_object(object_fields, COUNT(object_fields),
                                                             &facts->object[i]));
    json_object_set_new(json, "objects", objects);
    json_object_set_new(json, "scan",
                        aisp_fields_to_object(scan_fields, COUNT(scan_fields), &facts->scan));
    return json;
}

static enum aisp_status unseen_from_json(const json_t *value, int32_t *n, struct aisp_err *err)
{
    const json_int_t is = json_integer_value(value);

    *n = (int32_t)is;
    if (value && (!json_is_integer(value) || is < 0 || is > INT32_MAX))
        return aisp_fail(err, AISP_E_IO, "process.n_unseen: of the wrong type or out of range");
    return AISP_OK;
}

enum aisp_status aisp_process_facts_from_json(const json_t *json, struct aisp_process_facts *facts,
                                              struct aisp_err *err)
{
    const json_t *objects = json_object_get(json, "objects");
    enum aisp_status st;

    AISP_TRY(aisp_fields_from_object(fields, COUNT(fields), json, "process", facts, err));
    AISP_TRY(aisp_fields_from_object(scan_fields, COUNT(scan_fields), json_object_get(json, "scan"),
                                     "process.scan", &facts->scan, err));
    AISP_TRY(unseen_from_json(json_object_get(json, "n_unseen"), &facts->n_unseen, err));
    if (!json_is_array(objects) || json_array_size(objects) > AISP_MAX_OBJECTS)
        return aisp_fail(err, AISP_E_IO, "process.objects: missing, no list, or too long");
    for (size_t i = 0; i < json_array_size(objects); i++)
        AISP_TRY(aisp_fields_from_object(object_fields, COUNT(object_fields),
                                         json_array_get(objects, i), "process.objects",
                                         &facts->object[i], err));
    facts->n_objects = (int32_t)json_array_size(objects);
out:
    return st;
}

json_t *aisp_watched_to_json(const struct aisp_watched *watched)
{
    return aisp_fields_to_object(watched_fields, COUNT(watched_fields), watched);
}

enum aisp_status aisp_watched_from_json(const json_t *json, struct aisp_watched *watched,
                                        struct aisp_err *err)
{
    return aisp_fields_from_object(watched_fields, COUNT(watched_fields), json, "watched", watched,
                                   err);
}
