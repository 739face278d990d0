/* far.c - tensors in a device's memory: what buffers.c does with those of this machine's. The device's judge does the work
 * (struct cpu_far); kept here is what each buffer was filled with, and a copy of what lies there where the truth reads it on the host.
 * Not here: where in the address space they lie (layout.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "core/base/buf.h"
#include "core/base/err.h"

static struct cpu_buffer *far_buffer(struct aisp_session *s, int number)
{
    for (int i = 0; i < s->n_slots * s->inst.n_tensors; i++)
        if (s->buffer[i].map_bytes && s->buffer[i].far == number)
            return &s->buffer[i];
    AISP_BUG("no buffer %d on the device", number);
}

enum aisp_status cpu_far_make(struct aisp_session *s, struct aisp_err *err)
{
    struct cpu_far_place place[AISP_MAX_FAR];

    if (s->n_far > AISP_MAX_FAR)
        return aisp_fail(err, AISP_E_UNAVAILABLE, "%d buffers on the device: at most %d", s->n_far, AISP_MAX_FAR);
    for (int i = 0; i < s->n_far; i++) {
        const struct cpu_buffer *b = far_buffer(s, i);

        place[i] = (struct cpu_far_place){ b->map_bytes, b->map_bytes - b->back_bytes - b->bytes, b->bytes };
    }
    return s->far->make(s->far->judge, place, s->n_far, s->far_fd, err);
}

void cpu_far_close_descriptors(struct aisp_session *s)
{
    for (int i = 0; i < s->n_far && i < AISP_MAX_FAR; i++) {
        if (s->far_fd[i] >= 0)
            close(s->far_fd[i]);
        s->far_fd[i] = -1;
    }
}

void cpu_far_release(struct aisp_session *s)
{
    if (!s->far)
        return;
    cpu_far_close_descriptors(s);
    for (int i = 0; i < s->n_slots * s->inst.n_tensors; i++)
        if (s->buffer[i].far >= 0 && s->buffer[i].data)
            munmap(s->buffer[i].data, s->buffer[i].bytes);
    s->far->unmake(s->far->judge, NULL);
}

void cpu_far_fill(struct aisp_session *s, struct cpu_buffer *b, int tensor, const struct cpu_fill *fill)
{
    const struct aisp_tensor *t = &s->inst.problem->tensor[tensor];
    const struct aisp_filling what = { t->fill, t->dtype, s->inst.extent[tensor].elements, fill->key };

    b->is_copied = false;
    s->far->fill(s->far->judge, b->far, &what, fill->first, fill->n);
}

void cpu_far_poison(struct aisp_session *s, struct cpu_buffer *b, int tensor, const struct aisp_philox *key)
{
    b->is_copied = false;
    s->far->poison(s->far->judge, b->far, s->inst.problem->tensor[tensor].dtype, key);
}

const void *cpu_far_copy(struct aisp_session *s, struct cpu_buffer *b)
{
    if (!b->data) {
        b->data = mmap(NULL, b->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (b->data == MAP_FAILED)
            AISP_BUG("no %zu bytes for a copy of a device's buffer", b->bytes);
    }
    if (!b->is_copied)
        b->is_copied = s->far->read(s->far->judge, b->far, 0, b->bytes, b->data, &s->far_error) == AISP_OK;
    return b->data;
}

enum aisp_status cpu_far_ready(struct aisp_session *s, struct aisp_err *err)
{
    if (s->far_error.status) {
        if (err)
            *err = s->far_error;
        return s->far_error.status;
    }
    return s->far->flush(s->far->judge, err);
}

enum aisp_status cpu_far_read(struct aisp_session *s, const struct cpu_buffer *b, size_t offset, size_t n, void *to,
                              struct aisp_err *err)
{
    return s->far_error.status ? cpu_far_ready(s, err) : s->far->read(s->far->judge, b->far, offset, n, to, err);
}

/* From *at on, the next elements of fill i that no later one hides: [*at, *end). */
static bool find_visible(const struct cpu_buffer *b, size_t i, int64_t *at, int64_t *end)
{
    const int64_t last = b->fill[i].first + b->fill[i].n;
    bool has_moved;

    do {
        has_moved = false;
        *end = last;
        for (size_t j = i + 1; j < b->n_fills; j++) {
            const int64_t first = b->fill[j].first, behind = first + b->fill[j].n;

            if (first <= *at && *at < behind) {
                *at = behind;
                has_moved = true;
            } else if (first > *at && first < *end) {
                *end = first;
            }
        }
    } while (has_moved);
    return *at < last;
}

/* Of what was filled the first element that is another now, or -1. Poison under it has no kernel that knows it. */
static int64_t first_unlike_fills(struct aisp_session *s, const struct cpu_buffer *b, int tensor)
{
    const struct aisp_tensor *t = &s->inst.problem->tensor[tensor];
    struct cpu_far_contents *contents = NULL;
    size_t n = 0, cap = 0;
    int64_t bad = -1;

    for (size_t i = 0; i < b->n_fills; i++) {
        int64_t at = b->fill[i].first, end;

        for (; !b->fill[i].is_poison && find_visible(b, i, &at, &end); at = end)
            *(struct cpu_far_contents *)aisp_grow(&contents, &n, &cap, sizeof *contents) =
                (struct cpu_far_contents){ { t->fill, t->dtype, s->inst.extent[tensor].elements, b->fill[i].key }, at, end - at };
    }
    if (n)
        s->far->holds(s->far->judge, b->far, contents, (int)n, &bad, &s->far_error);
    free(contents);
    return bad;
}

/* The same where the host made what lies below. */
static int64_t first_unlike_planted(struct aisp_session *s, struct cpu_buffer *b, int tensor)
{
    char *right = aisp_xmalloc(b->bytes);
    const char *is;
    size_t i = 0;

    cpu_make_again(s, b, tensor, right);
    b->is_copied = false;
    is = cpu_far_copy(s, b);
    while (b->is_copied && i < b->bytes && is[i] == right[i])
        i++;
    free(right);
    return b->is_copied && i < b->bytes ? (int64_t)(i / aisp_dtype_bytes(s->inst.problem->tensor[tensor].dtype)) : -1;
}

static bool inspect_contents(struct aisp_session *s, enum aisp_side side, int slot, int tensor,
                             struct aisp_observation *seen)
{
    struct cpu_buffer *b = cpu_buffer_of(s, slot, tensor);
    const int64_t bad = b->planted ? first_unlike_planted(s, b, tensor) : first_unlike_fills(s, b, tensor);

    if (bad < 0)
        return false;
    cpu_observation(seen, side, AISP_SEEN_INPUT_CHANGED, s->worker[side][0].phase);
    seen->slot = slot;
    seen->tensor = tensor;
    seen->element = bad;
    snprintf(seen->detail, sizeof seen->detail, "%s of slot %d differs from what was filled, first at element %lld",
             s->inst.problem->tensor[tensor].name, slot, (long long)bad);
    return true;
}

static void describe_canary(struct aisp_session *s, enum aisp_side side, int slot, int tensor, int64_t at,
                            struct aisp_observation *seen)
{
    const struct cpu_buffer *b = cpu_buffer_of(s, slot, tensor);
    const int64_t data = (int64_t)(b->map_bytes - b->back_bytes - b->bytes);
    const char *name = s->inst.problem->tensor[tensor].name;

    cpu_observation(seen, side, AISP_SEEN_CANARY, s->worker[side][0].phase);
    seen->slot = slot;
    seen->tensor = tensor;
    if (at >= data)
        snprintf(seen->detail, sizeof seen->detail, "%lld bytes past the end of %s of slot %d",
                 (long long)(at - data - (int64_t)b->bytes), name, slot);
    else
        snprintf(seen->detail, sizeof seen->detail, "%lld bytes before %s of slot %d", (long long)(data - at), name, slot);
}

static int inspect_canaries(struct aisp_session *s, enum aisp_side side, struct aisp_observation *seen, int max)
{
    int buffer[AISP_MAX_FAR], slot[AISP_MAX_FAR], tensor[AISP_MAX_FAR], n = 0, found = 0;
    int64_t bad[AISP_MAX_FAR];

    for (int i = 0; i < s->n_slots * s->inst.n_tensors && n < AISP_MAX_FAR; i++) {
        const struct cpu_buffer *b = &s->buffer[i];

        if (!b->map_bytes || b->far < 0 || !b->area[side].is_output)
            continue;
        buffer[n] = b->far;
        slot[n] = i / s->inst.n_tensors;
        tensor[n++] = i % s->inst.n_tensors;
    }
    if (!n || s->far->canaries(s->far->judge, buffer, n, bad, &s->far_error))
        return 0;
    for (int i = 0; i < n && found < max; i++)
        if (bad[i] >= 0)
            describe_canary(s, side, slot[i], tensor[i], bad[i], &seen[found++]);
    return found;
}

int cpu_far_inspect(struct aisp_session *s, enum aisp_side side, enum aisp_hash hash, struct aisp_observation *seen, int max)
{
    int n = aisp_defends(&s->policy, AISP_GUARDS) ? inspect_canaries(s, side, seen, max) : 0;

    for (int i = 0; hash && i < s->n_slots * s->inst.n_tensors && n < max; i++) {
        const enum aisp_role role = s->inst.problem->tensor[i % s->inst.n_tensors].role;

        if (s->buffer[i].map_bytes && s->buffer[i].far >= 0 && cpu_is_hashed(role, hash))
            n += inspect_contents(s, side, i / s->inst.n_tensors, i % s->inst.n_tensors, &seen[n]);
    }
    return n;
}
