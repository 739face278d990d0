/* buffers.c - what the judge does with the tensors: fill, poison, read, inspect. The worker
 * sleeps meanwhile. Where a side wants huge pages the buffer there is private memory of that
 * worker: whatever is written to the judge's is also pushed there, and outputs are read from
 * there. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "backends/cpu/cpu.h"
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/share.h"

enum { PART_BYTES = 256 << 10, SHARED_PARTS = 16 };

static bool move_huge(const struct cpu_worker *w, bool to_worker, char *here, uint64_t there,
                      size_t n)
{
    while (n) {
        struct iovec local = { here, n }, remote = { (void *)there, n };
        const ssize_t moved = to_worker ? process_vm_writev(w->pid, &local, 1, &remote, 1, 0)
                                        : process_vm_readv(w->pid, &local, 1, &remote, 1, 0);

        if (moved <= 0)
            return false;
        here += moved;
        there += (uint64_t)moved;
        n -= (size_t)moved;
    }
    return true;
}

static bool no_huge; /* of this process: the host's rules do not change under it */

bool cpu_has_no_huge(void)
{
    return __atomic_load_n(&no_huge, __ATOMIC_RELAXED);
}

bool cpu_reaches_huge(struct aisp_session *s, enum aisp_side side)
{
    char nothing = 0;

    for (int i = 0; i < s->n_slots * s->inst.n_tensors; i++) {
        const struct aisp_area *a = &s->buffer[i].area[side];
        const struct cpu_worker *w = &s->worker[side][cpu_rank_of(s, i % s->inst.n_tensors)];

        if (a->kind != AISP_AREA_HUGE || move_huge(w, true, &nothing, a->data_address, 1) ||
            (errno != EPERM && errno != EACCES && errno != ENOSYS))
            continue;
        __atomic_store_n(&no_huge, true, __ATOMIC_RELAXED);
        return false;
    }
    return true;
}

/* A worker can unmap or protect its own huge pages, or make itself unreadable: that is its end, and not the run's, for before it
 * was loaded they were reached. What is said of it comes with its next window. Any other error is this host's. */
static bool is_its_own_doing(struct cpu_worker *w)
{
    if (w->alive && errno != EFAULT && errno != ESRCH && errno != EPERM)
        return false;
    w->lost_buffer |= w->alive && errno == EFAULT;
    w->is_hidden |= w->alive && errno == EPERM;
    cpu_kill(w);
    return true;
}

/* Bring bytes [offset, offset + n) of the judge's buffer to the disk, or to the sides that have their own. */
static enum aisp_status push(struct aisp_session *s, int tensor, struct cpu_buffer *b,
                             size_t offset, size_t n, struct aisp_err *err)
{
    if (b->file)
        return cpu_file_write(b, offset, n, err);
    for (int side = 0; side < s->n_workers; side++) {
        const struct aisp_area *a = &b->area[side];
        struct cpu_worker *w = &s->worker[side][cpu_rank_of(s, tensor)];

        if (a->kind == AISP_AREA_HUGE && w->alive &&
            !move_huge(w, true, b->data + offset, a->data_address + offset, n) &&
            !is_its_own_doing(w))
            return aisp_fail_errno(err, AISP_E_UNAVAILABLE,
                                   "writing to the huge pages of a worker");
    }
    return AISP_OK;
}

/* What a fill hides is not remembered any longer. */
static void remember(struct cpu_buffer *b, const struct cpu_fill *fill, int64_t elements)
{
    const int64_t end = fill->first + fill->n;
    size_t n = 0;

    if (fill->first == 0 && fill->n == elements) {
        b->n_fills = 0;
        free(b->planted);
        b->planted = NULL;
    }
    for (size_t i = 0; i < b->n_fills; i++) {
        const struct cpu_fill *was = &b->fill[i];

        if (was->is_poison || was->first < fill->first || was->first + was->n > end)
            b->fill[n++] = *was;
    }
    b->n_fills = n;
    *(struct cpu_fill *)aisp_grow(&b->fill, &b->n_fills, &b->cap_fills, sizeof *fill) = *fill;
}

/* Elements [first, first + n) of a tensor; first is a multiple of 64. */
struct part {
    int tensor;
    int64_t first, n;
    size_t offset, bytes; /* where they lie in it */
};

static struct part part_of(const struct aisp_session *s, int tensor, int64_t first, int64_t n)
{
    const size_t size = aisp_dtype_bytes(s->inst.problem->tensor[tensor].dtype);

    return (struct part){ tensor, first, n, (size_t)first * size, (size_t)n * size };
}

/* What a remembered fill has of a part, to where it begins. */
static void make(const struct aisp_session *s, const struct part *part, const struct cpu_fill *fill, char *to)
{
    const struct aisp_tensor *t = &s->inst.problem->tensor[part->tensor];
    const struct aisp_filling what = { t->fill, t->dtype, s->inst.extent[part->tensor].elements,
                                       fill->key };
    const int64_t end = part->first + part->n, fill_end = fill->first + fill->n;
    const int64_t first = part->first > fill->first ? part->first : fill->first, n = (end < fill_end ? end : fill_end) - first;

    if (fill->is_poison)
        aisp_poison(to, part->bytes, t->dtype, &fill->key);
    else if (n > 0)
        aisp_fill(&what, (char *)((uintptr_t)to - part->offset), first, n);
}

static void make_again(const struct aisp_session *s, const struct cpu_buffer *b, const struct part *part, char *to)
{
    if (b->planted)
        memcpy(to, b->planted + part->offset, part->bytes);
    for (size_t f = 0; f < b->n_fills; f++)
        make(s, part, &b->fill[f], to);
}

void cpu_make_again(const struct aisp_session *s, const struct cpu_buffer *b, int tensor, char *to)
{
    const struct part all = part_of(s, tensor, 0, s->inst.extent[tensor].elements);

    make_again(s, b, &all, to);
}

enum aisp_status cpu_fill(struct aisp_session *s, int slot, int tensor,
                          const struct aisp_philox *key, int64_t first, int64_t n,
                          struct aisp_err *err)
{
    const int64_t elements = s->inst.extent[tensor].elements;
    const size_t size = aisp_dtype_bytes(s->inst.problem->tensor[tensor].dtype);
    struct cpu_buffer *b = cpu_buffer_of(s, slot, tensor);
    const struct cpu_fill fill = { .key = *key, .first = n ? first : 0, .n = n ? n : elements };
    const size_t offset = (size_t)fill.first * size, bytes = (size_t)fill.n * size;
    const struct part all = part_of(s, tensor, 0, elements);

    cpu_held_note_made(s, slot, tensor);
    if (b->far >= 0) {
        cpu_far_fill(s, b, tensor, &fill);
        remember(b, &fill, elements);
        return AISP_OK;
    }
    if (b->copy) {
        make(s, &all, &fill, b->copy);
        memcpy(b->data + offset, b->copy + offset, bytes);
    } else {
        make(s, &all, &fill, b->data);
        remember(b, &fill, elements);
    }
    return push(s, tensor, b, offset, bytes, err);
}

/* Kept, so that a change can be seen: it cannot be made again from a key. */
enum aisp_status cpu_plant(struct aisp_session *s, int slot, int tensor, const void *bytes,
                           struct aisp_err *err)
{
    struct cpu_buffer *b = cpu_buffer_of(s, slot, tensor);

    if (!b->planted)
        b->planted = aisp_xmalloc(b->bytes);
    memcpy(b->planted, bytes, b->bytes);
    b->n_fills = 0;
    if (b->far >= 0) {
        b->is_copied = false;
        s->far->write(s->far->judge, b->far, 0, bytes, b->bytes);
        return AISP_OK;
    }
    memcpy(b->data, bytes, b->bytes);
    return push(s, tensor, b, 0, b->bytes, err);
}

enum aisp_status cpu_write_again(struct aisp_session *s, int slot, int tensor, struct aisp_err *err)
{
    struct cpu_buffer *b = cpu_buffer_of(s, slot, tensor);

    if (b->far < 0) {
        if (b->copy)
            memcpy(b->data, b->copy, b->bytes);
        else
            cpu_make_again(s, b, tensor, b->data);
        return push(s, tensor, b, 0, b->bytes, err);
    }
    if (b->planted)
        s->far->write(s->far->judge, b->far, 0, b->planted, b->bytes);
    for (size_t i = 0; i < b->n_fills; i++)
        if (b->fill[i].is_poison)
            cpu_far_poison(s, b, tensor, &b->fill[i].key);
        else
            cpu_far_fill(s, b, tensor, &b->fill[i]);
    return cpu_far_ready(s, err);
}

enum aisp_status cpu_poison(struct aisp_session *s, int slot, int tensor,
                            const struct aisp_philox *key, struct aisp_err *err)
{
    const int64_t elements = s->inst.extent[tensor].elements;
    struct cpu_buffer *b = cpu_buffer_of(s, slot, tensor);
    const struct cpu_fill fill = { .key = *key, .n = elements, .is_poison = true };
    const struct part all = part_of(s, tensor, 0, elements);

    cpu_held_note_made(s, slot, tensor);
    if (b->far >= 0) {
        cpu_far_poison(s, b, tensor, key);
        remember(b, &fill, elements);
        return AISP_OK;
    }
    make(s, &all, &fill, b->data);
    remember(b, &fill, elements);
    return push(s, tensor, b, 0, b->bytes, err);
}

enum aisp_status cpu_read(struct aisp_session *s, enum aisp_side side, int slot, int tensor,
                          size_t offset, size_t n_bytes, void *to, struct aisp_err *err)
{
    struct cpu_buffer *b = cpu_buffer_of(s, slot, tensor);
    const struct aisp_area *a = &b->area[side];
    struct cpu_worker *w = &s->worker[side][cpu_rank_of(s, tensor)];

    if (offset > b->bytes || n_bytes > b->bytes - offset)
        AISP_BUG("read of %zu bytes at %zu of tensor %d", n_bytes, offset, tensor);
    if (b->far >= 0)
        return cpu_far_read(s, b, offset, n_bytes, to, err);
    if (a->kind != AISP_AREA_HUGE) {
        memcpy(to, b->data + offset, n_bytes);
        return AISP_OK;
    }
    if (w->alive && move_huge(w, false, to, a->data_address + offset, n_bytes))
        return AISP_OK;
    if (!is_its_own_doing(w))
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "reading the huge pages of a worker");
    memset(to, 0, n_bytes); /* it left nothing behind */
    return AISP_OK;
}

/* Now, not when the compiler likes: somebody may write there at the same time. */
static void store(char *to, const char *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((volatile char *)to)[i] = from[i];
}

bool cpu_overwrite(struct aisp_session *s, enum aisp_side side, int slot, int tensor, size_t offset, size_t n_bytes,
                   const void *from)
{
    struct cpu_buffer *b = cpu_buffer_of(s, slot, tensor);
    const struct aisp_area *a = &b->area[side];
    struct cpu_worker *w = &s->worker[side][cpu_rank_of(s, tensor)];

    if (offset > b->bytes || n_bytes > b->bytes - offset)
        AISP_BUG("%zu bytes overwritten at %zu of tensor %d", n_bytes, offset, tensor);
    if (b->far >= 0)
        return false;
    if (a->kind == AISP_AREA_HUGE) {
        const bool is_there = move_huge(w, true, (char *)from, a->data_address + offset, n_bytes);

        if (!is_there)
            is_its_own_doing(w); /* who protects an output while it is timed hides it from us */
        return is_there;
    }
    store(b->data + offset, from, n_bytes);
    return true;
}

const void *cpu_input(struct aisp_session *s, int slot, int tensor)
{
    struct cpu_buffer *b = cpu_buffer_of(s, slot, tensor);

    if (b->far >= 0)
        return cpu_far_copy(s, b);
    return b->copy ? b->copy : b->data;
}

static void write_canaries(const struct aisp_session *s, struct cpu_buffer *b)
{
    char *end = b->data + b->bytes;

    for (char *p = b->map; p < b->data; p++)
        *p = (char)s->canary[(p - b->map) % CPU_LINE];
    for (char *p = end; p < end + b->back_bytes; p++)
        *p = (char)s->canary[(p - b->map) % CPU_LINE];
}

static bool is_canary(const struct aisp_session *s, const struct cpu_buffer *b, const char *p)
{
    return *p == (char)s->canary[(p - b->map) % CPU_LINE];
}

/* Where in the mapping the first byte of [from, to) lies that is no longer the canary; -1: all
 * are. */
static ptrdiff_t broken_canary(const struct aisp_session *s, const struct cpu_buffer *b,
                               const char *from, const char *to)
{
    const char *p = from;

    while (p < to && (p - b->map) % CPU_LINE && is_canary(s, b, p))
        p++;
    while ((p - b->map) % CPU_LINE == 0 && p + CPU_LINE <= to && !memcmp(p, s->canary, CPU_LINE))
        p += CPU_LINE;
    while (p < to && is_canary(s, b, p))
        p++;
    return p < to ? p - b->map : -1;
}

static bool inspect_canaries(struct aisp_session *s, enum aisp_side side, int slot, int tensor,
                             struct aisp_observation *seen)
{
    struct cpu_buffer *b = cpu_buffer_of(s, slot, tensor);
    const char *name = s->inst.problem->tensor[tensor].name;
    ptrdiff_t before, behind;

    if (b->area[side].kind != AISP_AREA_OUTPUT)
        return false;
    before = broken_canary(s, b, b->map, b->data);
    behind = broken_canary(s, b, b->data + b->bytes, b->data + b->bytes + b->back_bytes);
    if (before < 0 && behind < 0)
        return false;
    cpu_observation(seen, side, AISP_SEEN_CANARY, s->worker[side][cpu_rank_of(s, tensor)].phase);
    seen->slot = slot;
    seen->tensor = tensor;
    if (behind >= 0)
        snprintf(seen->detail, sizeof seen->detail, "%td bytes past the end of %s of slot %d",
                 behind - (b->data - b->map) - (ptrdiff_t)b->bytes, name, slot);
    else
        snprintf(seen->detail, sizeof seen->detail, "%td bytes before %s of slot %d",
                 (b->data - b->map) - before, name, slot);
    write_canaries(s, b); /* the next finding is another's */
    return true;
}

/* Elements of a tensor that are made again and compared at a time, in memory that stays near. What cannot be made or read in parts
 * is one part. */
static int64_t part_elements(const struct aisp_session *s, const struct cpu_buffer *b, int tensor)
{
    const struct aisp_tensor *t = &s->inst.problem->tensor[tensor];
    const int64_t all = s->inst.extent[tensor].elements, part = PART_BYTES / (int64_t)aisp_dtype_bytes(t->dtype);

    return b->file || !aisp_fill_is_chunked(&t->fill) || all < part ? all : part;
}

/* What the side has there: where it lies, or brought into `own`; NULL: it cannot be read. */
static const char *side_has(struct aisp_session *s, enum aisp_side side, struct cpu_buffer *b, const struct part *part, char *own)
{
    const struct aisp_area *a = &b->area[side];
    const struct cpu_worker *w = &s->worker[side][cpu_rank_of(s, part->tensor)];

    if (b->file)
        return cpu_file_read(b, own) ? own : NULL;
    if (a->kind != AISP_AREA_HUGE)
        return b->data + part->offset;
    return move_huge(w, false, own, a->data_address + part->offset, part->bytes) ? own : NULL;
}

struct search {
    struct aisp_session *s;
    enum aisp_side side;
    struct cpu_buffer *b;
    int tensor;
    int64_t most;            /* elements looked at in one go */
    _Atomic int64_t changed; /* offset of a byte */
};

static void lower(_Atomic int64_t *least, int64_t at)
{
    int64_t now = *least;

    while (at < now && !atomic_compare_exchange_weak(least, &now, at))
        ;
}

static void search_part(void *context, int64_t begin, int64_t n)
{
    struct search *search = context;
    const size_t room = part_of(search->s, search->tensor, 0, search->most).bytes;
    char *right = aisp_xmalloc(room), *own = aisp_xmalloc(room);
    bool found = false;

    for (int64_t first = begin; first < begin + n && !found; first += search->most) {
        const int64_t left = begin + n - first;
        const struct part part = part_of(search->s, search->tensor, first, left < search->most ? left : search->most);
        const char *is = side_has(search->s, search->side, search->b, &part, own);
        size_t i = 0;

        make_again(search->s, search->b, &part, right);
        if (!is || !memcmp(is, right, part.bytes))
            continue;
        while (is[i] == right[i])
            i++;
        lower(&search->changed, (int64_t)(part.offset + i));
        found = true;
    }
    free(right);
    free(own);
}

/* The first byte that is not what was filled; -1: all is. Contents are made again: nothing has to be kept for it, and it costs only
 * where it is asked for. */
static int64_t first_changed(struct aisp_session *s, enum aisp_side side, struct cpu_buffer *b, int tensor)
{
    struct search search = { s, side, b, tensor, part_elements(s, b, tensor), INT64_MAX };

    aisp_share(s->inst.extent[tensor].elements, search.most * SHARED_PARTS, search_part, &search);
    return search.changed == INT64_MAX ? -1 : search.changed;
}

static bool inspect_contents(struct aisp_session *s, enum aisp_side side, int slot, int tensor,
                             struct aisp_observation *seen)
{
    const int64_t at = first_changed(s, side, cpu_buffer_of(s, slot, tensor), tensor);

    if (at < 0)
        return false;
    cpu_observation(seen, side, AISP_SEEN_INPUT_CHANGED, s->worker[side][cpu_rank_of(s, tensor)].phase);
    seen->slot = slot;
    seen->tensor = tensor;
    seen->element = at / (int64_t)aisp_dtype_bytes(s->inst.problem->tensor[tensor].dtype);
    snprintf(seen->detail, sizeof seen->detail, "%s of slot %d differs from what was filled, first at byte %lld",
             s->inst.problem->tensor[tensor].name, slot, (long long)at);
    return true;
}

bool cpu_is_hashed(enum aisp_role role, enum aisp_hash hash)
{
    if (role == AISP_WEIGHT)
        return hash & AISP_HASH_WEIGHTS;
    return (role == AISP_IN || role == AISP_FILE) && (hash & AISP_HASH_INPUTS);
}

static int inspect_buffers(struct aisp_session *s, enum aisp_side side, enum aisp_hash hash,
                           struct aisp_observation *seen, int max)
{
    int n = 0;

    for (int slot = 0; slot < s->n_slots; slot++)
        for (int t = 0; t < s->inst.n_tensors; t++) {
            const enum aisp_role role = s->inst.problem->tensor[t].role;

            if ((slot > 0 && role == AISP_WEIGHT) || cpu_buffer_of(s, slot, t)->far >= 0)
                continue;
            if (n < max && aisp_defends(&s->policy, AISP_GUARDS))
                n += inspect_canaries(s, side, slot, t, &seen[n]);
            if (n < max && cpu_is_hashed(role, hash))
                n += inspect_contents(s, side, slot, t, &seen[n]);
        }
    return n;
}

static bool inspect_threads(struct aisp_session *s, struct cpu_worker *w,
                            struct aisp_observation *seen)
{
    if (w->threads_reported || w->max_tasks <= w->own_tasks || aisp_declaration_uses(&w->decl, "threads") ||
        aisp_declaration_uses(&w->decl, "library") || !aisp_defends(&s->policy, AISP_THREAD_COUNT))
        return false;
    w->threads_reported = true;
    cpu_observation(seen, w->side, AISP_SEEN_EXTRA_THREADS, w->phase);
    seen->seen = w->max_tasks;
    seen->expected = w->own_tasks;
    snprintf(seen->detail, sizeof seen->detail, "%d tasks; threads are not declared", w->max_tasks);
    cpu_observe_rank(s, w, seen);
    return true;
}

static bool inspect_log(const struct aisp_session *s, struct cpu_worker *w,
                        struct aisp_observation *seen)
{
    const int64_t bytes = cpu_log_bytes(w);

    if (w->log_reported || bytes < CPU_LOG_MAX)
        return false;
    w->log_reported = true;
    cpu_observation(seen, w->side, AISP_SEEN_OUTPUT_FLOOD, w->phase);
    seen->seen = (double)bytes;
    seen->allowed = CPU_LOG_MAX;
    snprintf(seen->detail, sizeof seen->detail, "printed %d bytes, the most that are kept",
             CPU_LOG_MAX);
    cpu_observe_rank(s, w, seen);
    return true;
}

int cpu_inspect(struct aisp_session *s, enum aisp_side side, enum aisp_hash hash,
                struct aisp_observation *seen, int max)
{
    int n = inspect_buffers(s, side, hash, seen, max);

    if (s->far && n < max)
        n += cpu_far_inspect(s, side, hash, &seen[n], max - n);
    for (int r = 0; r < s->n_ranks; r++) {
        struct cpu_worker *w = &s->worker[side][r];

        if (n < max)
            n += inspect_threads(s, w, &seen[n]);
        if (n < max)
            n += inspect_log(s, w, &seen[n]);
    }
    return n;
}

enum aisp_status cpu_first_contents(struct aisp_session *s, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (int slot = 0; slot < s->n_slots; slot++)
        for (int t = 0; t < s->inst.n_tensors; t++) {
            const bool is_weight = s->inst.problem->tensor[t].role == AISP_WEIGHT;
            const struct aisp_key key =
                aisp_key_derive(&s->secret, is_weight ? "weight" : "first poison", slot, t, 0, 0);
            const struct aisp_philox p = aisp_philox_of(&key);

            if (slot > 0 && is_weight)
                continue;
            if (cpu_buffer_of(s, slot, t)->far < 0) /* those of a device are there from its making */
                write_canaries(s, cpu_buffer_of(s, slot, t));
            AISP_TRY(is_weight ? cpu_fill(s, slot, t, &p, 0, 0, err)
                               : cpu_poison(s, slot, t, &p, err));
        }
out:
    return st;
}
