/* prune.c - `store prune`: make room without losing results.
 * Here and not in the store: what outside of it refers to runs, the expectations beside the chapters. */
#include "store/prune.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "commands/store/store_command.h"
#include "store/file.h"

/* nftw has no context. */
static struct {
    json_t *held;            /* {RUN: FILE} */
    int n_files;
    enum aisp_status st;
    struct aisp_err *err;
} walk;

/* Every text that could be a run's id: one too many is held rather than one too few. */
static void collect(const json_t *value, const char *path)
{
    const char *name;
    json_t *item;
    size_t i;

    if (json_is_string(value) && json_string_length(value) < AISP_RUN_ID_MAX && strchr(json_string_value(value), 'T'))
        json_object_set_new(walk.held, json_string_value(value), json_string(path));
    json_array_foreach(value, i, item)
        collect(item, path);
    if (json_is_object(value))
        json_object_foreach((json_t *)value, name, item)
            collect(item, path);
}

static int visit(const char *path, const struct stat *info, int type, struct FTW *at)
{
    const char *name = path + at->base;
    const size_t n = strlen(name);
    struct aisp_err why = { 0 };
    json_t *file = NULL;

    (void)info;
    if (type == FTW_DNR || type == FTW_NS) {
        walk.st = aisp_fail(walk.err, AISP_E_IO, "%s: cannot be read, and expectations in it may refer to runs", path);
        return 1;
    }
    if (type == FTW_D || strncmp(name, "expectations_", 13) || n < 5 || strcmp(name + n - 5, ".json"))
        return 0;
    walk.st = aisp_file_read_json(path, &file, &why);
    if (walk.st) {
        aisp_fail(walk.err, walk.st, "%s; it may refer to runs, so nothing was pruned: put it right first", why.text);
        return 1;
    }
    walk.n_files++;
    collect(file, path);
    json_decref(file);
    return 0;
}

/* Where expectations are looked for. A folder that is not there holds none, and so nothing back: that has to be meant. */
static enum aisp_status check_place(const struct aisp_args *args, struct aisp_err *err)
{
    const char *folder = aisp_args_text(args, "chapters-dir");
    const bool is_given = aisp_args_given(args, "chapters-dir");
    struct stat info;

    if (!stat(folder, &info) && S_ISDIR(info.st_mode))
        return AISP_OK;
    if (is_given)
        return aisp_fail(err, AISP_E_USAGE, "--chapters-dir %s: no such folder", folder);
    if (aisp_args_flag(args, "yes"))
        return aisp_fail(err, AISP_E_USAGE,
                         "there is no folder %s here, whose expectations may refer to runs: name it by --chapters-dir, or an "
                         "empty folder if there are none",
                         folder);
    return AISP_OK;
}

/* The runs that expectations were made of; who cannot be read could name any, so nothing is pruned then. Links are followed. */
static enum aisp_status read_expectations(const char *chapters_dir, json_t *held, int *n_files, struct aisp_err *err)
{
    char *labs = aisp_format("%s/../labs", chapters_dir);
    const char *const folders[] = { chapters_dir, labs };

    walk.held = held;
    walk.n_files = 0;
    walk.st = AISP_OK;
    walk.err = err;
    for (int i = 0; i < 2 && !walk.st; i++)
        if (nftw(folders[i], visit, 16, 0) && !walk.st && errno != ENOENT)
            walk.st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be read, and expectations in it may refer to runs",
                                      folders[i]);
    free(labs);
    *n_files = walk.n_files;
    return walk.st;
}

/* "90d", "12w" or "2y"; false: it is none. */
static bool to_days(const char *text, int64_t *days)
{
    char *end;
    const long long n = strtoll(text, &end, 10);

    if (end == text || n < 0 || n > 100000 || !*end || end[1] || !strchr("dwy", *end))
        return false;
    *days = n * (*end == 'w' ? 7 : *end == 'y' ? 365 : 1);
    return true;
}

static enum aisp_status read_options(const struct aisp_args *args, int64_t *days, struct aisp_err *err)
{
    const char *age = aisp_args_text(args, "older-than");

    if (aisp_args_flag(args, "dry-run") == aisp_args_flag(args, "yes"))
        return aisp_fail(err, AISP_E_USAGE,
                         "store prune removes evidence for good: say --dry-run to see what would go, or --yes to do it");
    if (!to_days(age, days))
        return aisp_fail(err, AISP_E_USAGE, "--older-than %s: not an age such as 90d, 12w or 2y", age);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    const bool dry = aisp_args_flag(args, "dry-run");
    struct aisp_prune prune = { .dry = dry, .keep_latest = (int)aisp_args_integer(args, "keep-latest") };
    struct aisp_store *store = NULL;
    json_t *held = json_object();
    enum aisp_status st;
    int64_t days = 0;
    int n_files = 0;

    (void)exit_code;
    AISP_TRY(read_options(args, &days, request->err));
    AISP_TRY(check_place(args, request->err));
    AISP_TRY(read_expectations(aisp_args_text(args, "chapters-dir"), held, &n_files, request->err));
    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, !dry, request->err));
    prune.before = time(NULL) - days * 86400;
    prune.held = held;
    AISP_TRY(aisp_store_prune(store, &prune, value, request->err));
    json_object_set_new(*value, "dry_run", json_boolean(dry));
    json_object_set_new(*value, "older_than_days", json_integer(days));
    json_object_set_new(*value, "keep_latest", json_integer(prune.keep_latest));
    json_object_set_new(*value, "expectation_files", json_integer(n_files));
out:
    aisp_store_close(store);
    json_decref(held);
    return st;
}

static long long count(const json_t *value, const char *name)
{
    return (long long)json_integer_value(json_object_get(value, name));
}

enum { SHOWN = 12 };

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const bool dry = json_is_true(json_object_get(value, "dry_run"));
    const json_t *list = json_object_get(value, "list"), *held = json_object_get(value, "held_results"), *entry;
    size_t i;

    (void)style;
    json_array_foreach(list, i, entry) {
        if (i == SHOWN) {
            aisp_buf_printf(out, "... and %zu more runs; --json lists them all\n", json_array_size(list) - SHOWN);
            break;
        }
        aisp_buf_printf(out, "%s %s %lld evidence files, ", dry ? "would prune" : "pruned",
                        json_string_value(json_object_get(entry, "run")), count(entry, "results"));
        aisp_store_put_bytes(out, count(entry, "bytes"));
        aisp_buf_puts(out, "\n");
    }
    aisp_buf_printf(out, "%lld run%s older than %lld days: %lld evidence files, ", count(value, "runs"),
                    count(value, "runs") == 1 ? "" : "s", count(value, "older_than_days"), count(value, "results"));
    aisp_store_put_bytes(out, count(value, "bytes"));
    aisp_buf_printf(out,
                    "%s; results stay\n"
                    "held: %lld that expectations refer to (%lld files read), %lld among the newest\n"
                    "of their variants, %lld of variants in quarantine; and %lld open runs\n",
                    dry ? " would go" : " freed", count(held, "referred"), count(value, "expectation_files"),
                    count(held, "newest"), count(held, "quarantined"), count(value, "open_runs"));
}

static const struct aisp_option options[] = {
    { "dry-run", 'n', AISP_OPT_FLAG, .help = "Only say what would go" },
    { "yes", 'y', AISP_OPT_FLAG, .help = "Do it" },
    { "older-than", 0, AISP_OPT_TEXT, .meta = "AGE", .help = "Only runs older than this: 90d, 12w, 2y", .preset = "90d" },
    { "keep-latest", 0, AISP_OPT_INTEGER, .meta = "N",
      .help = "Keep the evidence of so many newest valid results of each variant, on each kind of machine", .preset = "1",
      .low = 1, .high = 1000000 },
    { "chapters-dir", 0, AISP_OPT_PATH, .meta = "DIR",
      .help = "Source folder of the chapters: runs that their expectations refer to are held", .preset = "chapters" },
    { 0 },
};

AISP_COMMAND(store_prune) = {
    .path = "store prune",
    .sentence = "Make room: remove the evidence of old results; the results themselves stay",
    .example = "aisp store prune --dry-run\naisp store prune --yes --older-than 180d --keep-latest 5",
    .option = options,
    .flags = AISP_CMD_READS_STORE | AISP_CMD_WRITES,
    .run = run,
    .render = render,
};
