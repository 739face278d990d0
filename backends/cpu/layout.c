/* layout.c - where everything lies. Two files in memory for each rank: one for what a worker may only read
 * (spec, orders, inputs, weights), sealed once the judge has mapped it, and one for what it
 * writes; and one for each worker's answers, which no other can reach. Both workers of a pair map them
 * at the same secret addresses, so that neither owes its speed to where its data lie; the next pair gets others.
 *
 *   worker's view of a buffer:   unmapped | canary | data | canary 0..63 lines | unmapped
 *
 * The seal is what makes inputs read-only: without it a worker could mprotect its own view back
 * to writable. */
#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "core/base/buf.h"
#include "core/base/err.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

/* A stretch of the address space that neither the program, its libraries nor its heap use.
 * ThreadSanitizer knows few. */
#if defined(__SANITIZE_THREAD__)
static const uint64_t LOWEST_ADDRESS = 0x7e8000000000, N_PLACES = 1 << 17;
#else
static const uint64_t LOWEST_ADDRESS = 0x200000000000, N_PLACES = 1 << 23;
#endif

enum { FAR_LINE = 512 }; /* as a device's own allocator aligns */

struct plan {
    struct aisp_dice dice;
    uint64_t address, in_offset[AISP_MAX_RANKS], out_offset[AISP_MAX_RANKS];
};

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

static uint64_t take_address(struct plan *p, uint64_t bytes, uint64_t align)
{
    uint64_t at;

    p->address +=
        CPU_PAGE * (1 + aisp_dice_below(&p->dice, 16)); /* never mapped: the guard before it */
    at = p->address = round_up(p->address, align);
    p->address += round_up(bytes, CPU_PAGE) + CPU_PAGE; /* and the guard behind it */
    return at;
}

static uint64_t take_offset(uint64_t *offset, uint64_t bytes)
{
    const uint64_t at = *offset;

    *offset += round_up(bytes, CPU_PAGE);
    return at;
}

static const char *declared_name(const struct aisp_session *s, int tensor)
{
    return aisp_ranks_declared(s->inst.problem)->tensor[tensor % s->inst.n_declared].name;
}

static bool is_placed(const struct aisp_session *s, int side, int tensor, const char *where)
{
    char wish[16];

    aisp_declaration_place(&s->worker[side][0].decl, declared_name(s, tensor), wish);
    return !strcmp(wish, where);
}

enum place { ON_HOST, ON_DEVICE };

/* On a device's session everything lies there, but for what both sides have on the host, pinned or not (cpu.c sees that they agree). */
static enum place place_of(const struct aisp_session *s, int tensor)
{
    return s->far && !is_placed(s, AISP_A, tensor, "pinned") && !is_placed(s, AISP_A, tensor, "pageable") ? ON_DEVICE
                                                                                                        : ON_HOST;
}

/* A device maps in large pieces: the data lie at the end of one, before what is not mapped, with a canary in between that shifts
 * them from pair to pair. */
static void plan_far(struct aisp_session *s, struct plan *p, struct cpu_buffer *b, bool is_output)
{
    const uint64_t whole = round_up(b->bytes, FAR_LINE), behind = FAR_LINE * aisp_dice_below(&p->dice, 16);
    struct aisp_area area = { .kind = AISP_AREA_FAR, .is_output = is_output, .data_bytes = b->bytes };

    b->map_bytes = round_up(FAR_LINE + whole + behind, s->far->granularity);
    b->back_bytes = whole + behind - b->bytes;
    b->far = s->n_far++;
    area.map_bytes = b->map_bytes;
    area.map_address = take_address(p, b->map_bytes, s->far->granularity);
    area.data_address = area.map_address + b->map_bytes - behind - whole;
    area.file_offset = (uint64_t)b->far;
    b->area[AISP_A] = b->area[AISP_B] = area;
}

static void plan_buffer(struct aisp_session *s, struct plan *p, int slot, int tensor)
{
    const struct aisp_tensor *t = &s->inst.problem->tensor[tensor];
    const bool guards = aisp_defends(&s->policy, AISP_GUARDS);
    struct cpu_buffer *b = &s->buffer[slot * s->inst.n_tensors + tensor];
    const int rank = cpu_rank_of(s, tensor);
    const bool is_file = t->role == AISP_FILE; /* the worker's buffer is what says which descriptor it is */
    const uint64_t bytes = is_file ? sizeof(struct aisp_file) : s->inst.extent[tensor].bytes;
    const uint64_t whole_lines = round_up(bytes, CPU_LINE);
    const uint64_t behind = CPU_LINE * aisp_dice_below(&p->dice, 64) + (guards ? 0 : CPU_PAGE + CPU_LINE); /* without them, room for what is a page past the end */
    const enum place place = place_of(s, tensor);
    struct aisp_area area = { .kind = aisp_role_is_written(t->role) ? AISP_AREA_OUTPUT
                                                                   : AISP_AREA_INPUT };

    b->far = -1;
    b->bytes = bytes;
    if (place == ON_DEVICE) {
        plan_far(s, p, b, aisp_role_is_written(t->role));
        return;
    }
    b->map_bytes = round_up(CPU_LINE + whole_lines + behind, CPU_PAGE);
    b->back_bytes = whole_lines + behind - b->bytes;
    area.is_output = aisp_role_is_written(t->role);
    area.map_bytes = b->map_bytes;
    area.data_bytes = b->bytes;
    area.map_address = take_address(p, b->map_bytes, CPU_PAGE);
    area.data_address = area.map_address + b->map_bytes - behind - whole_lines;
    area.file_offset = take_offset(area.is_output ? &p->out_offset[rank] : &p->in_offset[rank], b->map_bytes);
    b->area[AISP_A] = b->area[AISP_B] = area;
    for (int side = 0; side < s->n_workers; side++)
        b->area[side].is_pinned = s->far && is_placed(s, side, tensor, "pinned");
}

/* A side that wants huge pages has a memory of its own; memory files give none on most hosts. */
static void plan_huge(struct aisp_session *s, struct plan *p, int slot, int tensor)
{
    struct cpu_buffer *b = &s->buffer[slot * s->inst.n_tensors + tensor];
    const enum aisp_role role = s->inst.problem->tensor[tensor].role;
    uint64_t address = 0;

    if (cpu_has_no_huge() || b->far >= 0)
        return;
    if (role == AISP_FILE || role == AISP_ARRIVALS || role == AISP_EMISSIONS) /* no memory, or shared while a call runs */
        return;
    for (int side = 0; side < s->n_workers; side++) {
        if (!is_placed(s, side, tensor, "huge"))
            continue;
        b->area[side].kind = AISP_AREA_HUGE;
        b->area[side].map_bytes = round_up(b->bytes, CPU_HUGE_PAGE);
        address = address ? address : take_address(p, b->area[side].map_bytes, CPU_HUGE_PAGE);
        b->area[side].map_address = b->area[side].data_address = address;
    }
}

static bool is_recorded(const struct aisp_session *s)
{
    return s->far && s->is_audit && s->far->recorder;
}

static size_t spec_bytes(const struct aisp_session *s, int side, size_t n_filter)
{
    return sizeof(struct aisp_spec) +
           (size_t)(s->n_slots * s->inst.n_declared) * sizeof(struct aisp_area) +
           n_filter * sizeof(struct sock_filter) + strlen(s->worker[side][0].path) + 1 +
           (s->far && s->far->library ? strlen(s->far->library) + 1 : 0) + (is_recorded(s) ? strlen(s->far->recorder) + 1 : 0);
}

size_t cpu_working_bytes(const struct aisp_session *s)
{
    size_t bytes[AISP_MAX_RANKS] = { 0 }, most = 0;

    for (int t = 0; t < s->inst.n_tensors; t++) {
        size_t *of = &bytes[cpu_rank_of(s, t)];

        *of += s->inst.extent[t].bytes *
               (size_t)(s->inst.problem->tensor[t].role == AISP_WEIGHT ? 1 : s->n_slots);
        most = *of > most ? *of : most;
    }
    return most;
}

bool cpu_is_primed(const struct aisp_session *s)
{
    const long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);

    return s->n_threads == 1 && !s->far && l2 > 0 && cpu_working_bytes(s) <= (size_t)l2;
}

static uint32_t spec_flags(const struct aisp_session *s)
{
    uint32_t flags = 0;

    flags |= s->spin ? AISP_SPEC_SPIN : 0;
    flags |= cpu_is_primed(s) ? AISP_SPEC_PRIME : 0;
    flags |= aisp_defends(&s->policy, AISP_READ_ONLY_INPUTS) ? 0 : AISP_SPEC_WRITABLE_INPUTS;
    flags |= aisp_defends(&s->policy, AISP_CONFINEMENT) ? AISP_SPEC_CONFINE : 0;
    flags |= geteuid() == 0 ? AISP_SPEC_DROP_USER : 0;
    flags |= s->far ? AISP_SPEC_FAR : 0;
    flags |= s->n_workers == 1 ? AISP_SPEC_SNUG : 0; /* a pair of workers is timed, one alone is looked at */
    flags |= s->can_hold ? AISP_SPEC_HELD : 0;
    flags |= is_recorded(s) ? AISP_SPEC_AUDIT : 0;
    flags |= s->is_measured && aisp_defends(&s->policy, AISP_MEMORY_CAP) ? AISP_SPEC_MEASURED : 0;
    for (int side = 0; side < s->n_workers; side++)
        flags |= s->worker[side][0].is_untrusted ? AISP_SPEC_PRELOAD : 0;
    return flags;
}

/* Fill in one worker's spec; its tables follow it in memory. */
static void write_spec(struct aisp_session *s, struct cpu_worker *w, const struct aisp_spec *common)
{
    const struct cpu_files *f = &s->files[w->rank];
    struct aisp_spec *spec = (struct aisp_spec *)(f->in + f->spec_offset[w->side]);
    const int n_declared = s->inst.n_declared, n = s->n_slots * n_declared;
    struct aisp_area *area;
    size_t n_filter;
    const struct sock_filter *filter = s->far            ? cpu_far_filter(&n_filter)
                                       : w->is_untrusted ? cpu_strict_filter(&n_filter)
                                                         : cpu_filter(cpu_makes_code(&w->decl), &n_filter);

    *spec = *common;
    spec->flags |= w->is_untrusted ? AISP_SPEC_STRICT : 0;
    spec->rank = w->rank;
    spec->memory_limit_bytes = s->limit_bytes[w->side];
    spec->spec_offset = f->spec_offset[w->side];
    spec->down_offset += (uint64_t)w->side * round_up(sizeof(struct aisp_down), CPU_PAGE);
    spec->total_bytes = spec_bytes(s, w->side, n_filter);
    spec->area_at = sizeof *spec;
    spec->filter_at = spec->area_at + (uint32_t)((size_t)n * sizeof *area);
    spec->n_filter = (uint32_t)n_filter;
    spec->path_at = spec->filter_at + (uint32_t)(n_filter * sizeof *filter);
    area = (struct aisp_area *)((char *)spec + spec->area_at);
    for (int i = 0; i < n; i++) {
        const int slot = i / n_declared, tensor = w->rank * n_declared + i % n_declared;
        const struct cpu_buffer *b = cpu_buffer_of(s, slot, tensor);

        area[i] = b->area[w->side];
        if (b != &s->buffer[slot * s->inst.n_tensors + tensor])
            area[i].map_bytes = 0; /* a weight, mapped with slot 0 */
    }
    if (n_filter)
        memcpy((char *)spec + spec->filter_at, filter, n_filter * sizeof *filter);
    strcpy((char *)spec + spec->path_at, w->path);
    if (s->far && s->far->library) {
        spec->driver_at = spec->path_at + (uint32_t)strlen(w->path) + 1;
        strcpy((char *)spec + spec->driver_at, s->far->library);
    }
    if (is_recorded(s)) { /* the last: behind it the spec ends */
        spec->recorder_at = (uint32_t)(spec->total_bytes - strlen(s->far->recorder) - 1);
        strcpy((char *)spec + spec->recorder_at, s->far->recorder);
    }
    w->down = (struct aisp_down *)(f->in + spec->down_offset);
    w->up = (struct aisp_up *)f->up[w->side];
}

static enum aisp_status map_file(const char *name, size_t bytes, int *fd, char **map,
                                 struct aisp_err *err)
{
    *fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd < 0 || ftruncate(*fd, (off_t)bytes))
        return aisp_fail_errno(err, AISP_E_NO_MEMORY, "a memory file of %zu bytes", bytes);
    *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, *fd, 0);
    if (*map == MAP_FAILED) {
        *map = NULL;
        return aisp_fail_errno(err, AISP_E_NO_MEMORY, "mapping %zu bytes", bytes);
    }
    return AISP_OK;
}

static size_t up_bytes(void)
{
    return round_up(sizeof(struct aisp_up), CPU_PAGE);
}

static enum aisp_status map_files(struct aisp_session *s, int rank, const struct plan *p,
                                  struct aisp_err *err)
{
    struct cpu_files *f = &s->files[rank];
    const int size = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    int seals = size;
    enum aisp_status st;

    f->in_bytes = p->in_offset[rank];
    f->out_bytes = p->out_offset[rank] ? p->out_offset[rank] : CPU_PAGE; /* outputs may all be a device's */
    AISP_TRY(map_file("aisp-in", f->in_bytes, &f->fd_in, &f->in, err));
    AISP_TRY(map_file("aisp-out", f->out_bytes, &f->fd_out, &f->out, err));
    for (int side = 0; side < s->n_workers; side++) {
        AISP_TRY(map_file("aisp-up", up_bytes(), &f->fd_up[side], &f->up[side], err));
        if (fcntl(f->fd_up[side], F_ADD_SEALS, size))
            return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "sealing a file of answers");
    }
    if (aisp_defends(&s->policy, AISP_READ_ONLY_INPUTS))
        seals |= F_SEAL_FUTURE_WRITE;
    if (fcntl(f->fd_in, F_ADD_SEALS, seals) ||
        fcntl(f->fd_out, F_ADD_SEALS, size))
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE,
                               "sealing the inputs (Linux 5.1 or newer is needed)");
out:
    return st;
}

static void set_host_pointers(struct aisp_session *s)
{
    for (int slot = 0; slot < s->n_slots; slot++)
        for (int t = 0; t < s->inst.n_tensors; t++) {
            struct cpu_buffer *b = &s->buffer[slot * s->inst.n_tensors + t];
            const struct cpu_files *f = &s->files[cpu_rank_of(s, t)];
            const enum aisp_role role = s->inst.problem->tensor[t].role;

            if (!b->map_bytes || b->far >= 0)
                continue;
            b->map = (aisp_role_is_written(role) ? f->out : f->in) + b->area[AISP_A].file_offset;
            b->data = b->map + (b->map_bytes - b->back_bytes - b->bytes);
            b->copy = role == AISP_INOUT ? aisp_xcalloc(b->bytes, 1) : NULL;
        }
}

/* Specs, orders and answers come first in the files, at the same place in those of all ranks. */
static void plan_pages(struct aisp_session *s, struct plan *p, struct aisp_spec *common)
{
    const size_t down = round_up(sizeof(struct aisp_down), CPU_PAGE);
    size_t n_filter, n_strict, widest = 0;

    cpu_filter(true, &n_filter);
    cpu_filter(false, &n_strict);
    n_filter = n_strict > n_filter ? n_strict : n_filter;
    cpu_strict_filter(&n_strict);
    n_filter = n_strict > n_filter ? n_strict : n_filter;
    cpu_far_filter(&n_strict);
    n_filter = n_strict > n_filter ? n_strict : n_filter;
    for (int side = 0; side < s->n_workers; side++) {
        const size_t bytes = spec_bytes(s, side, n_filter);

        widest = bytes > widest ? bytes : widest;
        for (int r = 0; r < s->n_ranks; r++)
            s->files[r].spec_offset[side] = take_offset(&p->in_offset[r], bytes);
    }
    common->spec_address = take_address(p, widest, CPU_PAGE);
    common->down_address = take_address(p, sizeof(struct aisp_down), CPU_PAGE);
    common->up_address = take_address(p, sizeof(struct aisp_up), CPU_PAGE);
    for (int r = 0; r < s->n_ranks; r++)
        common->down_offset = take_offset(&p->in_offset[r], 2 * down);
    if (is_recorded(s)) {
        common->record_bytes = s->record_bytes = round_up(s->far->record_bytes, CPU_PAGE);
        common->record_address = take_address(p, common->record_bytes, CPU_PAGE);
        common->record_offset = s->record_offset = take_offset(&p->out_offset[0], common->record_bytes);
    }
    if (s->n_ranks > 1 && !cpu_has_wires(s)) {
        common->meet_address = take_address(p, CPU_MEET_BYTES, CPU_PAGE);
        common->meet_bytes = CPU_MEET_BYTES;
    }
}

static void describe(const struct aisp_session *s, struct aisp_spec *common)
{
    common->supervisor_pid = getpid();
    common->n_slots = s->n_slots;
    common->n_tensors = s->inst.n_declared;
    common->n_params = s->inst.n_params;
    common->n_threads = s->n_threads;
    common->n_ranks = s->n_ranks;
    common->has_wires = s->n_ranks > 1 && cpu_has_wires(s);
    common->pid_marker = CPU_PID_MARKER;
    common->hold_ns = s->call_timeout_ns;
    memcpy(common->param, s->inst.param, sizeof common->param);
    for (int t = 0; t < s->inst.n_declared; t++)
        common->role[t] = (int32_t)s->inst.problem->tensor[t].role;
}

enum aisp_status cpu_layout(struct aisp_session *s, struct aisp_err *err)
{
    const struct aisp_key key = aisp_key_derive(&s->secret, "layout", 0, 0, 0, 0);
    struct aisp_spec common = { .version = AISP_CHANNEL_VERSION, .flags = spec_flags(s) };
    struct plan p = { 0 };
    enum aisp_status st = AISP_OK;

    aisp_dice_init(&p.dice, &key);
    for (size_t i = 0; i < sizeof s->canary; i++)
        s->canary[i] = (unsigned char)aisp_dice_u32(&p.dice);
    p.address = LOWEST_ADDRESS + aisp_dice_below(&p.dice, N_PLACES) * CPU_HUGE_PAGE;
    plan_pages(s, &p, &common);
    for (int slot = 0; slot < s->n_slots; slot++)
        for (int t = 0; t < s->inst.n_tensors; t++)
            if (slot == 0 || s->inst.problem->tensor[t].role != AISP_WEIGHT) {
                plan_buffer(s, &p, slot, t);
                plan_huge(s, &p, slot, t);
            }
    common.workspace_address =
        take_address(&p, CPU_PAGE, CPU_PAGE); /* the last: room behind it is free */
    common.shift_bytes = CPU_PAGE * aisp_dice_below(&p.dice, 4096);
    common.stack_shift_bytes = 16 * aisp_dice_below(&p.dice, 1024);
    describe(s, &common);
    for (int r = 0; r < s->n_ranks; r++)
        AISP_TRY(map_files(s, r, &p, err));
    for (int side = 0; side < s->n_workers; side++)
        for (int r = 0; r < s->n_ranks; r++)
            write_spec(s, &s->worker[side][r], &common);
    set_host_pointers(s);
out:
    return st;
}

static void release_file(int fd, char *map, size_t bytes)
{
    if (map)
        munmap(map, bytes);
    if (fd >= 0)
        close(fd);
}

void cpu_layout_release(struct aisp_session *s)
{
    for (int i = 0; s->buffer && i < s->n_slots * s->inst.n_tensors; i++) {
        free(s->buffer[i].copy);
        free(s->buffer[i].fill);
        free(s->buffer[i].planted);
    }
    free(s->buffer);
    for (int r = 0; r < s->n_ranks; r++) {
        const struct cpu_files *f = &s->files[r];

        release_file(f->fd_in, f->in, f->in_bytes);
        release_file(f->fd_out, f->out, f->out_bytes);
        for (int side = 0; side < 2; side++)
            release_file(f->fd_up[side], f->up[side], up_bytes());
    }
}
