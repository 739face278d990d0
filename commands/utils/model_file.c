/* model_file.c - a model by its name, or by a file that states its shape. */
#include <jansson.h>
#include <string.h>

#include "commands/command.h"
#include "commands/utils/model.h"

#define MEMBER(name)                                                                                                           \
    {                                                                                                                          \
#name, offsetof(struct aisp_model, name)                                                                               \
    }
static const struct {
    const char *name;
    size_t offset;
} members[] = {
    MEMBER(layers),     MEMBER(hidden),       MEMBER(vocab),         MEMBER(heads),          MEMBER(kv_heads),
    MEMBER(head_dim),   MEMBER(q_latent),     MEMBER(kv_latent),     MEMBER(rope_dim),       MEMBER(value_dim),
    MEMBER(ffn),        MEMBER(dense_layers), MEMBER(experts),       MEMBER(experts_active), MEMBER(experts_shared),
    MEMBER(expert_ffn), MEMBER(window),       MEMBER(window_layers),
};
enum { N_MEMBERS = sizeof members / sizeof *members };

static int64_t *member_of(struct aisp_model *model, const char *name)
{
    for (size_t i = 0; i < N_MEMBERS; i++)
        if (!strcmp(members[i].name, name))
            return (int64_t *)(void *)((char *)model + members[i].offset);
    return NULL;
}

static enum aisp_status unknown_member(const char *path, const char *name, struct aisp_err *err)
{
    const char *known[N_MEMBERS], *nearest;

    for (size_t i = 0; i < N_MEMBERS; i++)
        known[i] = members[i].name;
    nearest = aisp_nearest(name, known, N_MEMBERS);
    if (nearest)
        return aisp_fail(err, AISP_E_USAGE, "%s: unknown member \"%s\": did you mean \"%s\"?", path, name, nearest);
    return aisp_fail(err, AISP_E_USAGE, "%s: unknown member \"%s\"", path, name);
}

/* What the formulas divide and multiply by has to be there. */
static enum aisp_status check(const char *path, const struct aisp_model *m, struct aisp_err *err)
{
    if (!m->layers || !m->hidden || !m->vocab || !m->heads || !m->kv_heads || !m->head_dim)
        return aisp_fail(err, AISP_E_USAGE, "%s: layers, hidden, vocab, heads, kv_heads and head_dim are needed", path);
    if (m->dense_layers > m->layers || m->window_layers > m->layers)
        return aisp_fail(err, AISP_E_USAGE, "%s: more dense_layers or window_layers than layers", path);
    if ((m->dense_layers || !m->experts) && !m->ffn)
        return aisp_fail(err, AISP_E_USAGE, "%s: dense layers need ffn, the width of their MLP", path);
    if (m->experts && (!m->experts_active || m->experts_active > m->experts || !m->expert_ffn))
        return aisp_fail(err, AISP_E_USAGE, "%s: experts need experts_active (at most experts) and expert_ffn", path);
    if (m->kv_latent && (!m->q_latent || !m->rope_dim || !m->value_dim))
        return aisp_fail(err, AISP_E_USAGE, "%s: kv_latent needs q_latent, rope_dim and value_dim", path);
    return AISP_OK;
}

static enum aisp_status from_file(const char *path, struct aisp_model *model, struct aisp_err *err)
{
    json_error_t error;
    json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &error), *value;
    enum aisp_status st = AISP_OK;
    const char *name;

    if (!file && error.line < 0)
        return aisp_fail(err, AISP_E_NOT_FOUND, "%s", error.text);
    if (!file)
        return aisp_fail(err, AISP_E_USAGE, "%s, line %d: %s", path, error.line, error.text);
    *model = (struct aisp_model){ .name = "", .title = "", .source = "" };
    json_object_foreach(file, name, value)
    {
        int64_t *member = member_of(model, name);

        if (!member)
            AISP_TRY(unknown_member(path, name, err));
        if (!json_is_integer(value) || json_integer_value(value) < 0 || json_integer_value(value) > 10000000) {
            st = aisp_fail(err, AISP_E_USAGE, "%s: \"%s\" must be a whole number from 0 to 10000000", path, name);
            goto out;
        }
        *member = json_integer_value(value);
    }
    if (!model->experts && !json_object_get(file, "dense_layers"))
        model->dense_layers = model->layers;
    st = check(path, model, err);
out:
    json_decref(file);
    return st;
}

enum aisp_status aisp_model_load(const char *name, struct aisp_model *model, struct aisp_err *err)
{
    const size_t n = strlen(name);
    const struct aisp_model *found;
    struct aisp_buf known = AISP_BUF_INIT;
    const char *nearest = NULL;
    enum aisp_status st;

    if (n > 5 && !strcmp(name + n - 5, ".json"))
        return from_file(name, model, err);
    found = aisp_model_find(name, &nearest);
    if (found) {
        *model = *found;
        return AISP_OK;
    }
    for (size_t i = 0; aisp_model_at(i); i++)
        aisp_buf_printf(&known, "%s%s", i ? ", " : "", aisp_model_at(i)->name);
    if (nearest)
        st = aisp_fail(err, AISP_E_USAGE, "--model %s: did you mean \"%s\"? Known are %s", name, nearest, known.s);
    else
        st = aisp_fail(err, AISP_E_USAGE, "--model %s: known are %s; or give a file NAME.json that states the shape", name,
                       known.s);
    aisp_buf_release(&known);
    return st;
}
