/* truth.c - a problem's reference.cuda.so: loaded once, called in this context, on this stream.
 * Its runtime library attaches itself to the primary context, which is ours. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <aisp/reference.h>

#include "judge_cuda/program.h"

static const struct aisp_reference *load(struct judge *j, const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct aisp_reference *reference = handle ? dlsym(handle, "aisp_reference") : NULL;

    if (!handle) /* its words begin with the path */
        judge_refuse(j, AISP_E_REFUSED, "%.220s", dlerror());
    else if (!reference)
        judge_refuse(j, AISP_E_REFUSED, "%.150s has no aisp_reference", path);
    else if (reference->abi != AISP_ABI || !reference->rows)
        judge_refuse(j, AISP_E_REFUSED, "%.150s was built for ABI %u, this is %u", path,
                     reference->abi, AISP_ABI);
    else
        return reference;
    if (handle)
        dlclose(handle);
    return NULL;
}

static const struct aisp_reference *find(struct judge *j, const char *path)
{
    const struct aisp_reference *reference;
    struct judge_library *grown;

    for (int i = 0; i < j->n_libraries; i++)
        if (!strcmp(j->library[i].path, path))
            return j->library[i].reference;
    reference = load(j, path);
    if (!reference)
        return NULL;
    grown = realloc(j->library, ((size_t)j->n_libraries + 1) * sizeof *grown);
    if (!grown)
        abort();
    j->library = grown;
    grown[j->n_libraries++] = (struct judge_library){ strdup(path), reference };
    return reference;
}

static bool point(struct judge *j, const struct wire_truth *truth, const void *tensor[64])
{
    if (truth->n_tensors < 0 || truth->n_tensors > 64 || truth->n < 0 || truth->row_elements < 0) {
        judge_refuse(j, AISP_E_DEVICE, "a truth of %d tensors and %lld rows", truth->n_tensors,
                     (long long)truth->n);
        return false;
    }
    for (int t = 0; t < truth->n_tensors; t++) {
        const int view = truth->view[t];

        if (view >= j->n_buffers) {
            judge_refuse(j, AISP_E_DEVICE, "buffer %d of %d as tensor %d of a truth", view,
                         j->n_buffers, t);
            return false;
        }
        tensor[t] = view < 0 ? NULL
                             : (const void *)(uintptr_t)(j->buffer[view].map +
                                                         j->buffer[view].place.data_offset);
    }
    return true;
}

bool judge_truth(struct judge *j, const struct wire_truth *truth)
{
    const void *tensor[64] = { 0 };
    const struct aisp_device_view view = { tensor, truth->param, j->stream };
    const struct aisp_reference *reference = find(j, truth->path);
    enum aisp_status st;

    if (!reference || !point(j, truth, tensor) ||
        !judge_make_room(j, (size_t)truth->n * (size_t)truth->row_elements * 8))
        return false;
    st = reference->rows(&view, truth->out, truth->first, truth->n, (void *)(uintptr_t)j->rows);
    if (st) {
        judge_refuse(j, st, "the reference kernel of %.150s could not be started", truth->path);
        return false;
    }
    return judge_wait(j);
}
