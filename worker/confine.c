/* confine.c - the cage. Order: no new privileges, limits, user, file system, system calls. What
 * the host lacks is noted in `missing`, which the supervisor copies before the variant is loaded, and
 * makes the grade a development one. It stops nobody but strangers: what keeps them from everything
 * is the filter of system calls, and where that cannot be had they are not loaded.
 * A device's driver starts threads and opens its nodes, so it comes between the file system and the system calls (main.c).
 * Not here: the list of system calls (backends/cpu/filter.c makes it once for all workers),
 * process group, descriptors and environment (the supervisor sets them before exec).
 * No file can be written: there is no folder to write to, which is less to clean up than a
 * private one. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker/worker.h"

enum { TRUNCATE = 1 << 14 }; /* LANDLOCK_ACCESS_FS_TRUNCATE, which older headers lack */
enum { NOBODY = 65534, LOG_MAX_BYTES = 1 << 20, FAR_DESCRIPTORS = 1024 };

/* Sanitizers map terabytes for their shadow: an address space limit would end them at once. */
#ifdef AISP_SANITIZED
enum { LIMITS_ADDRESS_SPACE = 0 };
#else
enum { LIMITS_ADDRESS_SPACE = 1 };
#endif

static bool limit(int what, uint64_t most)
{
    const struct rlimit r = { most, most };

    return setrlimit((__rlimit_resource_t)what, &r) == 0;
}

static uint64_t mapped_bytes(void)
{
    char text[64] = "";
    const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

    if (fd >= 0)
        close(fd);
    return n > 0 ? strtoull(text, NULL, 10) * 4096 : 0;
}

/* A driver reserves terabytes of address space and keeps many descriptors: what bounds memory there is the card's. */
static bool set_limits(const struct aisp_spec *spec)
{
    const bool is_far = spec->flags & AISP_SPEC_FAR;
    static const struct {
        int what;
        uint64_t most;
    } fixed[] = {
        { RLIMIT_CORE, 0 },   { RLIMIT_FSIZE, LOG_MAX_BYTES }, { RLIMIT_NOFILE, 64 },
        { RLIMIT_RTPRIO, 0 }, { RLIMIT_MSGQUEUE, 0 },
    };
    const uint64_t mapped = mapped_bytes();
    bool good = true;

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        good = limit(fixed[i].what, fixed[i].what == RLIMIT_NOFILE && is_far ? FAR_DESCRIPTORS : fixed[i].most) && good;
    if (LIMITS_ADDRESS_SPACE && !is_far && spec->memory_limit_bytes > 0)
        good = mapped && limit(RLIMIT_AS, mapped + (uint64_t)spec->memory_limit_bytes) && good;
    return good;
}

/* Only with this another worker could neither be traced nor read. A variant that others may not
 * read could not be loaded after it. */
static bool become_nobody(bool is_far)
{
    struct stat st;

    if (fstat(AISP_FD_VARIANT, &st) || !(st.st_mode & S_IROTH))
        return false;
    if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
        return false;
    if (is_far) /* else its own /proc is root's, and the driver names its threads there */
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    return true;
}

static void allow(int ruleset, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {
        .allowed_access = access,
        .parent_fd = open(path, O_PATH | O_CLOEXEC),
    };

    if (rule.parent_fd < 0)
        return;
    if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0)) {
        rule.allowed_access &= ~(uint64_t)TRUNCATE; /* an older kernel knows none */
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(rule.parent_fd);
}

static void allow_reading(int ruleset, const char *path)
{
    allow(ruleset, path, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE);
}

/* The nodes through which a driver speaks with its card, and where it names its threads: it does not start without either. */
static void allow_devices(int ruleset)
{
    const uint64_t read_write = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
    DIR *dir = opendir("/dev");
    char path[300];

    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        if (strncmp(e->d_name, "nvidia", 6))
            continue;
        snprintf(path, sizeof path, "/dev/%s", e->d_name);
        allow(ruleset, path, e->d_type == DT_DIR ? read_write | LANDLOCK_ACCESS_FS_READ_DIR : read_write);
    }
    if (dir)
        closedir(dir);
    allow(ruleset, "/proc/self", read_write | LANDLOCK_ACCESS_FS_READ_DIR | TRUNCATE);
}

/* What was shipped beside the program: libraries that a host may lack. */
static void allow_own_libraries(int ruleset)
{
    char path[4096 + 8];
    const ssize_t n = readlink("/proc/self/exe", path, 4096);
    char *slash;

    if (n <= 0)
        return;
    path[n] = 0;
    slash = strrchr(path, '/');
    strcpy(slash ? slash : path, "/lib");
    allow_reading(ruleset, path);
}

/* Made before the user changes, since the variant's folder may be closed to nobody. -1: the
 * kernel has no Landlock. */
static int make_ruleset(const char *variant, bool is_far)
{
    static const char *const readable[] = { "/usr", "/lib",  "/lib32", "/lib64", "/opt",
                                            "/etc", "/proc", "/sys",   "/dev" };
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    /* All the rights that the kernel's version knows: whatever is not granted below is denied.
     * 3: truncate. */
    const struct landlock_ruleset_attr attr = { .handled_access_fs = (1ull << 13) - 1 + (version >= 3 ? TRUNCATE : 0) };
    const int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
    char folder[4096];
    char *slash;

    if (ruleset < 0)
        return -1;
    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++)
        allow_reading(ruleset, readable[i]);
    allow_own_libraries(ruleset);
    if (is_far)
        allow_devices(ruleset);
    snprintf(folder, sizeof folder, "%s", variant);
    slash = strrchr(folder, '/');
    if (slash && slash > folder) {
        *slash = 0;
        allow_reading(ruleset, folder);
    }
    return ruleset;
}

/* The filter holds a marker where it compares with this process's own id. */
static bool install_filter(const struct aisp_spec *spec)
{
    static struct sock_filter program[AISP_CHANNEL_FILTER_MAX];
    /* Without "allow", older kernels make all speculation of a filtered process slower. */
    const unsigned flags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    struct sock_fprog whole = { .len = (unsigned short)spec->n_filter, .filter = program };

    if (!spec->n_filter || spec->n_filter > AISP_CHANNEL_FILTER_MAX)
        return false;
    memcpy(program, (const char *)spec + spec->filter_at, spec->n_filter * sizeof *program);
    for (uint32_t i = 0; i < spec->n_filter; i++)
        if (BPF_CLASS(program[i].code) == BPF_JMP && program[i].k == spec->pid_marker)
            program[i].k = (uint32_t)getpid();
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &whole) == 0;
}

bool worker_confine(const struct worker *w)
{
    const struct aisp_spec *spec = w->spec;
    uint32_t missing = 0;
    int ruleset;

    if (spec->flags & AISP_SPEC_CONFINE) {
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        missing |= set_limits(spec) ? 0 : AISP_CAGE_LIMITS;
        ruleset = make_ruleset((const char *)spec + spec->path_at, spec->flags & AISP_SPEC_FAR);
        if (spec->flags & AISP_SPEC_DROP_USER && !become_nobody(spec->flags & AISP_SPEC_FAR))
            missing |= AISP_CAGE_USER;
        if (ruleset < 0 || syscall(SYS_landlock_restrict_self, ruleset, 0))
            missing |= AISP_CAGE_LANDLOCK;
        if (ruleset >= 0)
            close(ruleset);
    }
    /* If the supervisor dies, so does this process; it may be dead already. After the change of
     * user, which forgets it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != spec->supervisor_pid)
        return false;
    w->up->missing = missing;
    return true;
}

bool worker_lock(const struct worker *w)
{
    w->up->missing |= w->device_missing;
    if (!(w->spec->flags & AISP_SPEC_CONFINE) || install_filter(w->spec))
        return true;
    w->up->missing |= AISP_CAGE_SECCOMP;
    if (!(w->spec->flags & AISP_SPEC_STRICT))
        return true;
    snprintf(w->up->text, sizeof w->up->text,
             "this host gives no filter of system calls (seccomp: %s), and without one code that nobody trusts is not loaded",
             w->spec->n_filter ? strerror(errno) : "none could be made");
    return false;
}
