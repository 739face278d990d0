/* same_code.c - how often was this code measured here before? By the hashes of what was compared: a variant under another name is
 * the same one, and a changed one under its old name is not. */
#include "store/attempt.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/json.h"
#include "store/db.h"
#include "store/index.h"

static bool is_known(const json_t *code)
{
    return json_is_string(json_object_get(code, "problem")) && json_is_string(json_object_get(code, "a")) &&
           json_is_string(json_object_get(code, "b"));
}

/* The same question to the same code; what was only verified asked none. */
static bool is_same(const json_t *result, const json_t *other)
{
    static const char *const names[] = { "code", "params", "device", "scope" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!json_equal(json_object_get(result, names[i]), json_object_get(other, names[i])))
            return false;
    return json_integer_value(json_object_get(other, "n_pairs")) > 0;
}

enum aisp_status aisp_store_same_code(struct aisp_store *store, const json_t *result, int64_t *n, struct aisp_err *err)
{
    const json_t *code = json_object_get(result, "code");
    /* The hash narrows it down; what it is the hash of is seen in the JSON. */
    char *like = aisp_format("%%%s%%", aisp_json_text(code, "b"));
    const char *const values[] = { aisp_json_text(result, "target"), like };
    struct aisp_stmt *stmt = NULL;
    enum aisp_status st = AISP_OK;
    bool row;

    *n = 0;
    if (!is_known(code))
        goto out;
    AISP_TRY(aisp_db_prepare(store, "SELECT result FROM result WHERE target = ?1 AND result LIKE ?2", values, 2, &stmt, err));
    for (;;) {
        json_t *other;

        AISP_TRY(aisp_db_step(store, stmt, &row, err));
        if (!row)
            break;
        AISP_TRY(aisp_db_json(store, stmt, 0, &other, err));
        *n += is_same(result, other);
        json_decref(other);
    }
out:
    aisp_db_finalize(stmt);
    free(like);
    return st;
}
