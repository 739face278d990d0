/* process_facts.c - add what one session showed to what is known of a side. */
#include "core/process_facts.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "core/base/hash.h"

struct aisp_process_object *aisp_process_object(struct aisp_process_facts *facts, const char *path)
{
    struct aisp_process_object *o;

    for (int i = 0; i < facts->n_objects; i++)
        if (!strcmp(facts->object[i].path, path))
            return &facts->object[i];
    if (facts->n_objects == AISP_MAX_OBJECTS) {
        facts->n_objects_dropped++;
        return NULL;
    }
    o = &facts->object[facts->n_objects++];
    memset(o, 0, sizeof *o);
    snprintf(o->path, sizeof o->path, "%s", path);
    o->first_phase = -1;
    return o;
}

static void merge_object(struct aisp_process_facts *to, const struct aisp_process_object *one)
{
    struct aisp_process_object *o = aisp_process_object(to, one->path);

    if (!o)
        return;
    if (o->first_phase < 0) {
        *o = *one;
        return;
    }
    o->is_executable |= one->is_executable;
    o->is_open |= one->is_open;
    o->is_changed |= one->is_changed || (*one->sha256 && strcmp(o->sha256, one->sha256));
    if (one->first_phase < o->first_phase)
        o->first_phase = one->first_phase;
}

static void raise64(int64_t *to, int64_t value)
{
    *to = value > *to ? value : *to;
}

static void raise32(int32_t *to, int32_t value)
{
    *to = value > *to ? value : *to;
}

void aisp_process_merge(struct aisp_process_facts *to, const struct aisp_process_facts *one)
{
    to->n_unseen += one->n_unseen;
    if (!one->n_looks)
        return;
    to->n_looks += one->n_looks;
    to->n_objects_dropped += one->n_objects_dropped;
    for (int i = 0; i < one->n_objects; i++)
        merge_object(to, &one->object[i]);
    if (one->patched_code_bytes > to->patched_code_bytes)
        memcpy(to->patched_object, one->patched_object, sizeof to->patched_object);
    raise64(&to->jit_setup_bytes, one->jit_setup_bytes);
    raise64(&to->jit_window_bytes, one->jit_window_bytes);
    raise64(&to->writable_code_bytes, one->writable_code_bytes);
    raise64(&to->patched_code_bytes, one->patched_code_bytes);
    raise32(&to->n_outputs_protected, one->n_outputs_protected);
    raise32(&to->n_outputs_replaced, one->n_outputs_replaced);
    raise32(&to->n_inputs_replaced, one->n_inputs_replaced);
    raise32(&to->n_extra_views, one->n_extra_views);
    raise64(&to->grown_bytes, one->grown_bytes);
    raise64(&to->swapped_bytes, one->swapped_bytes);
    raise32(&to->n_cpus_given, one->n_cpus_given);
    raise32(&to->n_cpus_allowed, one->n_cpus_allowed);
    if (one->shipped_answer_at)
        to->shipped_answer_at = one->shipped_answer_at;
}

bool aisp_watched_find(struct aisp_watched *watched, const void *address)
{
    Dl_info info;

    memset(watched, 0, sizeof *watched);
    if (!dladdr(address, &info) || !info.dli_fname || !*info.dli_fname)
        return false;
    if (aisp_hash_file(info.dli_fname, watched->sha256, NULL)) {
        *watched->sha256 = 0;
        return false;
    }
    snprintf(watched->path, sizeof watched->path, "%s", info.dli_fname);
    return true;
}

void aisp_watched_after(struct aisp_watched *watched)
{
    *watched->sha256_after = 0;
    if (*watched->path && aisp_hash_file(watched->path, watched->sha256_after, NULL))
        *watched->sha256_after = 0;
}
