/* clean.c - `aisp clean`: remove what stopped runs left behind. Records are never touched. */
#include "commands/command.h"
#include "commands/place.h"

struct sweep {
    json_t *found;
    bool dry;
    int64_t bytes;
    enum aisp_status st;
    struct aisp_err *err;
};

static void sweep_one(void *context, const char *path)
{
    struct sweep *sweep = context;

    if (sweep->st)
        return;
    if (sweep->dry)
        sweep->bytes += aisp_place_bytes(path);
    else
        sweep->st = aisp_place_remove(path, &sweep->bytes, sweep->err);
    json_array_append_new(sweep->found, json_string(path));
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct sweep sweep = { json_array(), aisp_args_flag(request->args, "dry-run"), 0, AISP_OK,
                           request->err };

    (void)exit_code;
    aisp_place_each_left(sweep_one, &sweep);
    if (sweep.st) {
        json_decref(sweep.found);
        return sweep.st;
    }
    *value = json_pack("{s:b, s:I, s:o}", "dry_run", sweep.dry, "bytes", (json_int_t)sweep.bytes,
                       "folders", sweep.found);
    return AISP_OK;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *folders = json_object_get(value, "folders"), *path;
    const bool dry = json_is_true(json_object_get(value, "dry_run"));
    size_t i;

    (void)style;
    json_array_foreach(folders, i, path)
        aisp_buf_printf(out, "%s %s\n", dry ? "would remove" : "removed", json_string_value(path));
    aisp_buf_printf(out, "%zu folders of stopped runs, %lld bytes%s\n", json_array_size(folders),
                    (long long)json_integer_value(json_object_get(value, "bytes")),
                    dry ? "; nothing was removed" : "");
}

static const struct aisp_option options[] = {
    { "dry-run", 'n', AISP_OPT_FLAG, .help = "Only say what would be removed" },
    { 0 },
};

AISP_COMMAND(clean) = {
    .path = "clean",
    .sentence = "Remove private folders that stopped runs left behind; records stay",
    .example = "aisp clean --dry-run",
    .option = options,
    .flags = AISP_CMD_WRITES,
    .run = run,
    .render = render,
};
