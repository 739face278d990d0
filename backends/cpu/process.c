/* process.c - what a worker's process looks like from outside: which files it has mapped and open, where code lies that is no
 * file's or no longer its file's, whether the harness's memory is still mapped as it was laid out, on which cores it may run.
 * Looked at while it sleeps: at the end of setup, and at the end of the session. Cheap enough for both: a list of mappings, and
 * of the pages of code alone whether they are the file's. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "core/base/buf.h"
#include "core/base/hash.h"

enum { N_HASHES = 64 };

struct mapping {
    uint64_t from, to, offset, inode;
    bool can_read, can_write, can_run, is_shared;
    char path[AISP_OBJECT_PATH_MAX];
};

struct map {
    struct mapping *at;
    size_t n, cap;
};

/* Lines that do not fit a path are cut: longer paths than that are nobody's library. False: it lives and may not be looked into.
 * One that is dying has no mappings, and what the supervisor is short of is nobody's fault. */
static bool read_map(pid_t pid, struct map *map)
{
    char *line = NULL, path[64], access[8];
    size_t room = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    file = fopen(path, "re");
    if (!file)
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EINTR;
    while (getline(&line, &room, file) > 0) {
        struct mapping m = { 0 };
        unsigned long long from, to, offset, inode;
        int at = 0;

        if (sscanf(line, "%llx-%llx %7s %llx %*x:%*x %llu %n", &from, &to, access, &offset, &inode,
                   &at) < 5)
            continue;
        m.from = from;
        m.to = to;
        m.offset = offset;
        m.inode = inode;
        m.can_read = access[0] == 'r';
        m.can_write = access[1] == 'w';
        m.can_run = access[2] == 'x';
        m.is_shared = access[3] == 's';
        line[strcspn(line, "\n")] = 0;
        snprintf(m.path, sizeof m.path, "%s", at ? line + at : "");
        *(struct mapping *)aisp_grow(&map->at, &map->n, &map->cap, sizeof *map->at) = m;
    }
    fclose(file);
    free(line);
    return true;
}

/* The same file is mapped by each worker of each pair: its hash is remembered until the file changes. */
static void hash_once(const char *path, char hex[65])
{
    static __thread struct {
        struct stat st;
        char hex[65];
    } known[N_HASHES];
    static __thread unsigned n_known;
    struct stat st;
    unsigned i;

    *hex = 0;
    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return;
    for (i = 0; i < N_HASHES; i++)
        if (*known[i].hex && known[i].st.st_ino == st.st_ino && known[i].st.st_dev == st.st_dev &&
            known[i].st.st_size == st.st_size &&
            !memcmp(&known[i].st.st_mtim, &st.st_mtim, sizeof st.st_mtim) &&
            !memcmp(&known[i].st.st_ctim, &st.st_ctim, sizeof st.st_ctim)) {
            memcpy(hex, known[i].hex, 65);
            return;
        }
    if (aisp_hash_file(path, hex, NULL))
        *hex = 0;
    i = n_known++ % N_HASHES;
    known[i].st = st;
    memcpy(known[i].hex, hex, 65);
}

/* Memory of no file stands in the list of mappings under such names too: anonymous huge pages, the ring of io_setup. */
bool cpu_is_file(const char *path)
{
    return path[0] == '/' && strncmp(path, "/memfd:", 7) && strncmp(path, "/dev/", 5) && strcmp(path, "/anon_hugepage (deleted)") &&
           strcmp(path, "/[aio] (deleted)");
}

/* The files of FILE tensors are the harness's gift. By their inode, since file systems in layers name devices in two ways. */
static bool is_given(const struct aisp_session *s, enum aisp_side side, uint64_t inode)
{
    struct stat ours;

    for (int i = 0; i < s->n_files; i++)
        if (!fstat(s->file_fd[side][i], &ours) && ours.st_ino == inode)
            return true;
    return false;
}

static void note_object(struct aisp_process_facts *facts, const char *path, bool runs, bool open,
                        enum aisp_phase phase)
{
    struct aisp_process_object *o = aisp_process_object(facts, path);

    if (!o)
        return;
    if (o->first_phase < 0) {
        o->first_phase = (int8_t)phase;
        hash_once(path, o->sha256);
    }
    o->is_executable |= runs;
    o->is_open |= open;
}

static void note_open_files(const struct aisp_session *s, const struct cpu_worker *w, enum aisp_phase phase,
                            struct aisp_process_facts *facts)
{
    char folder[64], path[AISP_OBJECT_PATH_MAX];
    DIR *dir;

    snprintf(folder, sizeof folder, "/proc/%d/fd", (int)w->pid);
    dir = opendir(folder);
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        const ssize_t n = readlinkat(dirfd(dir), e->d_name, path, sizeof path - 1);
        struct stat open;

        if (n <= 0 || (!fstatat(dirfd(dir), e->d_name, &open, 0) && is_given(s, w->side, open.st_ino)))
            continue;
        path[n] = 0;
        if (path[0] == '/' && strncmp(path, "/memfd:", 7) && strncmp(path, "/dev/", 5) &&
            strncmp(path, "/proc/", 6) && strncmp(path, "/sys/", 5))
            note_object(facts, path, false, true, phase);
    }
    if (dir)
        closedir(dir);
}

/* Pages of a mapping of code that are private copies: somebody has written to them. */
static int64_t patched_bytes(int pagemap, const struct mapping *m)
{
    enum { AT_ONCE = 512 };
    const uint64_t present = 1ull << 63, of_file = 1ull << 61;
    uint64_t entry[AT_ONCE];
    int64_t n_pages = 0;

    for (uint64_t at = m->from; at < m->to; at += AT_ONCE * CPU_PAGE) {
        const uint64_t left = (m->to - at) / CPU_PAGE;
        const size_t n = left < AT_ONCE ? left : AT_ONCE;
        const ssize_t got = pread(pagemap, entry, n * sizeof *entry, (off_t)(at / CPU_PAGE * 8));

        for (ssize_t i = 0; i < got / (ssize_t)sizeof *entry; i++)
            n_pages += (entry[i] & present) && !(entry[i] & of_file);
    }
    return n_pages * CPU_PAGE;
}

/* A stranger's variant was loaded out of a sealed memory file, and it can make none itself: that one is its file. */
static void name_variant(const struct cpu_worker *w, struct map *map)
{
    static const char name[] = "/memfd:aisp-product";

    for (size_t i = 0; i < map->n && w->is_untrusted; i++)
        if (!strncmp(map->at[i].path, name, sizeof name - 1))
            snprintf(map->at[i].path, sizeof map->at[i].path, "%s", w->path);
}

static void note_code(const struct aisp_session *s, const struct cpu_worker *w, const struct map *map, enum aisp_phase phase,
                      struct aisp_process_facts *facts)
{
    char path[64];
    int pagemap;

    snprintf(path, sizeof path, "/proc/%d/pagemap", (int)w->pid);
    pagemap = open(path, O_RDONLY | O_CLOEXEC);
    for (size_t i = 0; i < map->n; i++) {
        const struct mapping *m = &map->at[i];
        const int64_t bytes = (int64_t)(m->to - m->from);
        int64_t patched;

        if (cpu_is_file(m->path) && (m->can_run || !is_given(s, w->side, m->inode)))
            note_object(facts, m->path, m->can_run, false, phase);
        if (!m->can_run || m->path[0] == '[')
            continue;
        if (m->can_write)
            facts->writable_code_bytes += bytes;
        if (!cpu_is_file(m->path)) {
            facts->jit_setup_bytes += bytes; /* so far: told apart by who asked */
            continue;
        }
        patched = pagemap < 0 || m->can_write ? 0 : patched_bytes(pagemap, m);
        facts->patched_code_bytes += patched;
        if (patched && !*facts->patched_object)
            memcpy(facts->patched_object, m->path, sizeof facts->patched_object);
    }
    if (pagemap >= 0)
        close(pagemap);
}

static int by_address(const void *key, const void *of)
{
    const uint64_t address = *(const uint64_t *)key;
    const struct mapping *m = of;

    return address < m->from ? -1 : address >= m->to;
}

static const struct mapping *mapping_at(const struct map *map, uint64_t address)
{
    return map->n ? bsearch(&address, map->at, map->n, sizeof *map->at, by_address) : NULL;
}

enum { AS_LAID_OUT, PROTECTED, REPLACED };

/* Is this piece of the harness's memory still where and what it was? */
static int state_of(const struct map *map, uint64_t address, uint64_t bytes, uint64_t offset,
                    uint64_t inode, bool writable)
{
    for (uint64_t at = address; at < address + bytes;) {
        const struct mapping *m = mapping_at(map, at);

        if (!m || m->inode != inode || m->offset + (at - m->from) != offset + (at - address))
            return REPLACED;
        if (!m->can_read || (writable && !m->can_write))
            return PROTECTED;
        at = m->to;
    }
    return AS_LAID_OUT;
}

static bool is_within(const struct aisp_area *a, const struct mapping *m)
{
    return a->map_bytes && m->from >= a->map_address && m->to <= a->map_address + a->map_bytes;
}

/* Mappings of either memory file beyond those that the layout names. Neighbours may have been joined by the kernel, so what
 * counts is whether each begins where something was laid out. */
static bool is_laid_out(const struct aisp_session *s, const struct cpu_worker *w,
                        const struct mapping *m)
{
    const struct cpu_files *files = &s->files[w->rank];
    const struct aisp_spec *spec = (const void *)(files->in + files->spec_offset[w->side]);
    const struct aisp_area *area = (const void *)((const char *)spec + spec->area_at);
    const uint64_t own[] = { spec->spec_address, spec->down_address, spec->up_address };

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (m->from == own[i])
            return true;
    for (int i = 0; i < spec->n_slots * spec->n_tensors; i++)
        if (is_within(&area[i], m) || m->from == area[i].map_address)
            return true;
    return false;
}

static uint64_t inode_of(int fd)
{
    struct stat st;

    return fstat(fd, &st) ? 0 : st.st_ino;
}

static void note_buffers(struct aisp_session *s, const struct cpu_worker *w, const struct map *map,
                         struct aisp_process_facts *facts)
{
    const struct cpu_files *f = &s->files[w->rank];
    const uint64_t in = inode_of(f->fd_in), out = inode_of(f->fd_out), up = inode_of(f->fd_up[w->side]);

    for (int i = 0; i < s->n_slots * s->inst.n_tensors; i++) {
        const struct aisp_area *a = &s->buffer[i].area[w->side];
        const bool is_output = a->kind == AISP_AREA_OUTPUT;
        int state;

        if (!a->map_bytes || a->kind == AISP_AREA_HUGE || a->kind == AISP_AREA_FAR ||
            cpu_rank_of(s, i % s->inst.n_tensors) != w->rank)
            continue;
        state = state_of(map, a->map_address, a->map_bytes, a->file_offset, is_output ? out : in,
                         is_output);
        facts->n_outputs_protected += is_output && state == PROTECTED;
        facts->n_outputs_replaced += is_output && state == REPLACED;
        facts->n_inputs_replaced += !is_output && state == REPLACED;
    }
    for (size_t i = 0; i < map->n; i++)
        if (map->at[i].inode && (map->at[i].inode == in || map->at[i].inode == out || map->at[i].inode == up) &&
            !strncmp(map->at[i].path, "/memfd:aisp-", 12))
            facts->n_extra_views += !is_laid_out(s, w, &map->at[i]);
}

static void note_cores(const struct aisp_session *s, const struct cpu_worker *w,
                       struct aisp_process_facts *facts)
{
    const cpu_set_t given = cpu_cores_of(s, w->rank);
    cpu_set_t all = given, one;
    char path[64];
    DIR *dir;

    snprintf(path, sizeof path, "/proc/%d/task", (int)w->pid);
    dir = opendir(path);
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
        if (e->d_name[0] != '.' && !sched_getaffinity(atoi(e->d_name), sizeof one, &one))
            CPU_OR(&all, &all, &one);
    if (dir)
        closedir(dir);
    facts->n_cpus_given = CPU_COUNT(&given);
    facts->n_cpus_allowed = CPU_COUNT(&all);
}

static void note_memory(const struct cpu_worker *w, struct aisp_process_facts *facts)
{
    char text[4096];
    const ssize_t n = w->status_fd < 0 ? -1 : pread(w->status_fd, text, sizeof text - 1, 0);
    const char *at;

    text[n > 0 ? n : 0] = 0;
    at = strstr(text, "\nRssAnon:");
    facts->grown_bytes = at ? strtoll(at + 9, NULL, 10) * 1024 : 0;
    at = strstr(text, "\nVmSwap:");
    facts->swapped_bytes = at ? strtoll(at + 8, NULL, 10) * 1024 : 0;
}

static void look(struct aisp_session *s, const struct cpu_worker *w, enum aisp_phase phase,
                 struct aisp_process_facts *facts)
{
    struct map map = { 0 };

    memset(facts, 0, sizeof *facts);
    facts->n_unseen = !read_map(w->pid, &map);
    if (!map.n)
        return;
    facts->n_looks = 1;
    name_variant(w, &map);
    note_code(s, w, &map, phase, facts);
    note_open_files(s, w, phase, facts);
    note_buffers(s, w, &map, facts);
    note_cores(s, w, facts);
    note_memory(w, facts);
    free(map.at);
}

void cpu_process_begin(struct aisp_session *s, struct cpu_worker *w)
{
    if (!aisp_defends(&s->policy, AISP_PROCESS_FACTS) || w->begin)
        return;
    w->begin = aisp_xcalloc(1, sizeof *w->begin);
    look(s, w, AISP_PHASE_SETUP, w->begin);
    w->resident_bytes = w->begin->grown_bytes;
    w->begin->grown_bytes = 0;
}

/* What setup reserved is touched by the first calls, once: memory that calls take and do not reuse grows after them as well. In a
 * trial the first window is of few calls, however quick they are. */
void cpu_process_touched(struct cpu_worker *w)
{
    struct aisp_process_facts now;

    if (!w->begin || w->has_touched)
        return;
    note_memory(w, &now);
    w->resident_bytes = now.grown_bytes;
    w->has_touched = true;
}

/* What is new since setup is of the windows; the rest was there before. */
static void process(struct aisp_session *s, const struct cpu_worker *w, enum aisp_phase phase,
                    struct aisp_process_facts *facts)
{
    const struct aisp_process_facts *begin = w->begin;
    struct aisp_process_facts *end;

    if (!w->alive || !begin)
        return;
    if (!begin->n_looks) {
        facts->n_unseen += begin->n_unseen;
        return;
    }
    end = aisp_xcalloc(1, sizeof *end);
    look(s, w, phase, end);
    end->jit_window_bytes = end->jit_setup_bytes - begin->jit_setup_bytes;
    end->jit_setup_bytes = begin->jit_setup_bytes;
    end->grown_bytes -= w->resident_bytes;
    aisp_process_merge(facts, begin);
    aisp_process_merge(facts, end);
    facts->n_looks -= end->n_looks > 0; /* both were at one process */
    free(end);
}

void cpu_process(struct aisp_session *s, enum aisp_side side, enum aisp_phase phase,
                 struct aisp_process_facts *facts)
{
    for (int rank = 0; rank < s->n_ranks; rank++)
        process(s, &s->worker[side][rank], phase, facts);
}
