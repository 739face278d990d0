/* proofs.c - one small file for each machine, replaced whole. */
#include "store/proofs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "store/file.h"

static char *path_of(const char *artifacts_dir, const char *host)
{
    return aisp_format("%s/proofs/%s.json", artifacts_dir, host);
}

enum aisp_status aisp_proofs_load(const char *artifacts_dir, const char *host, json_t **out,
                                  struct aisp_err *err)
{
    char *path = path_of(artifacts_dir, host);
    enum aisp_status st;

    *out = NULL;
    st = aisp_file_read_json(path, out, err);
    free(path);
    return st == AISP_E_NOT_FOUND ? AISP_OK : st;
}

static enum aisp_status make_folder(const char *path, struct aisp_err *err)
{
    if (mkdir(path, 0777) && errno != EEXIST)
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot make this folder", path);
    return AISP_OK;
}

enum aisp_status aisp_proofs_add(const char *artifacts_dir, const json_t *machine,
                                 const json_t *fixtures, struct aisp_err *err)
{
    const char *host = json_string_value(json_object_get(machine, "host"));
    char *folder = aisp_format("%s/proofs", artifacts_dir),
         *path = path_of(artifacts_dir, host ? host : "");
    json_t *earlier = NULL, *all = json_object(), *file = json_copy((json_t *)machine);
    enum aisp_status st;
    int lock = -1;

    if (!host) {
        st = aisp_fail(err, AISP_E_USAGE, "a machine without \"host\"");
        goto out;
    }
    AISP_TRY(make_folder(artifacts_dir, err));
    AISP_TRY(make_folder(folder, err));
    lock = aisp_folder_hold(folder); /* the file is read, and written with more in it */
    AISP_TRY(aisp_proofs_load(artifacts_dir, host, &earlier, err));
    if (earlier)
        json_object_update(all, json_object_get(earlier, "fixtures"));
    json_object_update(all, (json_t *)fixtures);
    json_object_set(file, "fixtures", all);
    AISP_TRY(aisp_file_write_json(path, file, NULL, err));
out:
    if (lock >= 0)
        close(lock);
    json_decref(earlier);
    json_decref(all);
    json_decref(file);
    free(folder);
    free(path);
    return st;
}
