/* bench_source.c - `bench source VARIANT`: the text that a variant is compiled from, which opens with its idea.
 * Only files of the folder that the build notes for its target are read: named after the variant, no link followed.
 * Not here: the headers of the target and of kit/, which a variant shares with others. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands/pick.h"
#include "commands/sources.h"
#include "core/base/buf.h"

enum { MOST_BYTES = 256 << 10 };             /* of a file */

struct reading {
    const struct aisp_variant_ref *variant;
    json_t *files;
    char *missing;                           /* why there is not all of it; NULL: there is */
    int64_t built_at;
    bool is_newer;
};

static void miss(struct reading *r, char *why_take)
{
    if (r->missing)
        free(why_take);
    else
        r->missing = why_take;
}

static const char *language_of(const char *name)
{
    const char *dot = strrchr(name, '.');

    return !strcmp(dot, ".cu") ? "CUDA C" : !strcmp(dot, ".S") ? "assembly" : "C";
}

/* All of a file that is small enough and still as long as it was; NULL: why. The caller frees it. */
static char *read_whole(int fd, size_t n)
{
    char *text = aisp_xmalloc(n + 1);
    size_t done = 0;
    ssize_t got;

    while (done < n && (got = read(fd, text + done, n - done)) > 0)
        done += (size_t)got;
    text[done] = '\0';
    if (done == n && !memchr(text, '\0', n))
        return text;
    free(text);
    return NULL;
}

static void add_text(struct reading *r, const char *name, int fd, const struct stat *info)
{
    const size_t n = (size_t)info->st_size;
    char *text = read_whole(fd, n);
    json_t *file = text ? json_pack("{s:s, s:s, s:I, s:s}", "path", name, "language", language_of(name), "bytes",
                                    (json_int_t)n, "text", text) : NULL;

    free(text);
    if (!file) {
        miss(r, aisp_format("%s is no text in UTF-8", name));
        return;
    }
    r->is_newer |= info->st_mtime > r->built_at;
    json_array_append_new(r->files, file);
}

/* O_NONBLOCK: a pipe of that name would keep us. */
static void add_file(struct reading *r, int folder, const char *name)
{
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;

    if (fd < 0)
        miss(r, errno == ELOOP ? aisp_format("%s is a link, and none is followed", name)
                               : aisp_format("%s cannot be read: %s", name, strerror(errno)));
    else if (fstat(fd, &info) || !S_ISREG(info.st_mode))
        miss(r, aisp_format("%s is no plain file", name));
    else if (info.st_size > MOST_BYTES)
        miss(r, aisp_format("%s has over %d KiB", name, MOST_BYTES >> 10));
    else
        add_text(r, name, fd, &info);
    if (fd >= 0)
        close(fd);
}

/* Assembly that is linked with it: NAME*.S, as the build takes it. */
static const char *wanted;

static int is_assembly(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name);

    return !strncmp(entry->d_name, wanted, strlen(wanted)) && n > 2 && !strcmp(entry->d_name + n - 2, ".S");
}

/* What could be neither printed nor said in JSON. */
static bool is_plain(const char *name)
{
    while (*name >= ' ' && *name <= '~')
        name++;
    return !*name;
}

static void add_assembly(struct reading *r, int folder)
{
    struct dirent **found = NULL;
    int n;

    wanted = r->variant->name;
    n = scandirat(folder, ".", &found, is_assembly, alphasort);
    for (int i = 0; i < n; i++) {
        if (is_plain(found[i]->d_name))
            add_file(r, folder, found[i]->d_name);
        else
            miss(r, aisp_xstrdup("a file of its assembly has a name that is no plain text"));
        free(found[i]);
    }
    free(found);
}

static void read_files(struct reading *r, const struct aisp_target *target)
{
    const bool is_cuda = !strcmp(r->variant->device, "cuda");
    char *name = aisp_format("%s.%s", r->variant->name, is_cuda ? "cu" : "c");
    struct aisp_sources sources;
    struct aisp_err why;
    const enum aisp_status found = aisp_sources_find(target, false, &sources, &why);
    const int folder = found ? -1 : open(sources.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat object;

    r->built_at = stat(r->variant->path, &object) ? INT64_MAX : object.st_mtime;
    if (found == AISP_E_UNAVAILABLE) {
        miss(r, aisp_xstrdup(why.text));
    } else if (found) {
        miss(r, aisp_xstrdup("this build is installed without its sources"));
    } else if (folder < 0) {
        miss(r, aisp_format("%s cannot be opened", sources.folder));
    } else {
        add_file(r, folder, name);
        if (!is_cuda)
            add_assembly(r, folder);
        close(folder);
    }
    free(name);
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_target *target;
    struct aisp_catalogue cat;
    struct reading r = { 0 };
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_pick_catalogue(request, &cat));
    AISP_TRY(aisp_pick_spelled(&cat, request->args->operand[0], aisp_args_text(request->args, "device"), &target, &r.variant,
                               request->err));
    r.files = json_array();
    read_files(&r, target);
    *value = json_pack("{s:s, s:s, s:s, s:s, s:o, s:b, s:s?}", "target", target->id, "variant", r.variant->name, "device",
                       r.variant->device, "idea", r.variant->decl.idea, "files", r.files, "is_newer", r.is_newer, "missing",
                       r.missing);
    if (!*value)
        AISP_BUG("%s: what it declares is no JSON", target->id);
out:
    free(r.missing);
    aisp_catalogue_release(&cat);
    return st;
}

/* A terminal must not be told anything by a source: U+0080 to U+009F are orders too. */
static void add_plain(struct aisp_buf *out, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text, after = (unsigned char)text[1];
        const bool is_two = c == 0xc2 && after >= 0x80 && after <= 0x9f;

        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f || is_two)
            aisp_buf_puts(out, "\xef\xbf\xbd");
        else
            aisp_buf_add(out, text, 1);
        text += is_two;
    }
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const char *missing = json_string_value(json_object_get(value, "missing"));
    const json_t *files = json_object_get(value, "files"), *file;
    size_t i;

    json_array_foreach(files, i, file)
    {
        const char *text = json_string_value(json_object_get(file, "text"));

        if (json_array_size(files) > 1) {
            aisp_buf_puts(out, i ? "\n" : "");
            aisp_paint(out, style, AISP_PAINT_BOLD, 0, json_string_value(json_object_get(file, "path")));
            aisp_buf_puts(out, "\n");
        }
        add_plain(out, text);
        if (*text && text[strlen(text) - 1] != '\n')
            aisp_buf_puts(out, "\n");
    }
    if (json_is_true(json_object_get(value, "is_newer")))
        aisp_buf_puts(out, "note: changed since this variant was built\n");
    if (missing)
        aisp_buf_printf(out, "no source of %s/%s: %s\n", json_string_value(json_object_get(value, "target")),
                        json_string_value(json_object_get(value, "variant")), missing);
}

static const struct aisp_operand operands[] = { { "VARIANT", "One variant: ch07:transpose/optimized_tiled" }, { 0 } };

static const struct aisp_option options[] = {
    { "device", 0, AISP_OPT_CHOICE, .meta = "cpu|cuda", .help = "Its form for this device" },
    { 0 },
};

AISP_COMMAND(bench_source) = {
    .path = "bench source",
    .sentence = "Show the source that a variant is compiled from, of at most 256 KiB a file",
    .example = "aisp bench source ch07:transpose/optimized_tiled",
    .operand = operands,
    .option = options,
    .run = run,
    .render = render,
};
