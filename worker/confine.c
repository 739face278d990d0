/* confine.c - the cage. Order: no new privileges, limits, user, file system, system calls. What
 * the host lacks is noted in `missing` and makes the grade a development one; it stops nobody.
 * Not here: the list of system calls (backends/cpu/filter.c makes it once for all workers),
 * process group, descriptors and environment (the supervisor sets them before exec).
 * No file can be written: there is no folder to write to, which is less to clean up than a
 * private one. */
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

enum { NOBODY = 65534, LOG_MAX_BYTES = 1 << 20 };

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

static bool set_limits(const struct aisp_spec *spec)
{
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
        good = limit(fixed[i].what, fixed[i].most) && good;
    if (LIMITS_ADDRESS_SPACE && spec->memory_limit_bytes > 0)
        good = mapped && limit(RLIMIT_AS, mapped + (uint64_t)spec->memory_limit_bytes) && good;
    return good;
}

/* Only with this another worker could neither be traced nor read. A variant that others may not
 * read could not be loaded after it. */
static bool become_nobody(void)
{
    struct stat st;

    if (fstat(AISP_FD_VARIANT, &st) || !(st.st_mode & S_IROTH))
        return false;
    return !setgroups(0, NULL) && !setresgid(NOBODY, NOBODY, NOBODY) &&
           !setresuid(NOBODY, NOBODY, NOBODY);
}

static void allow_reading(int ruleset, const char *path)
{
    struct landlock_path_beneath_attr rule = {
        .allowed_access =
            LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE,
        .parent_fd = open(path, O_PATH | O_CLOEXEC),
    };

    if (rule.parent_fd < 0)
        return;
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

/* Made before the user changes, since the variant's folder may be closed to nobody. -1: the
 * kernel has no Landlock. */
static int make_ruleset(const char *variant)
{
    static const char *const readable[] = { "/usr", "/lib",  "/lib32", "/lib64", "/opt",
                                            "/etc", "/proc", "/sys",   "/dev" };
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    /* All the rights that the kernel's version knows: whatever is not granted below is denied.
     * 3: truncate. */
    const struct landlock_ruleset_attr attr = { .handled_access_fs = (1ull << 13) - 1 +
                                                                     (version >= 3 ? 1 << 14 : 0) };
    const int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
    char folder[4096];
    char *slash;

    if (ruleset < 0)
        return -1;
    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++)
        allow_reading(ruleset, readable[i]);
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
        ruleset = make_ruleset((const char *)spec + spec->path_at);
        if (spec->flags & AISP_SPEC_DROP_USER && !become_nobody())
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
    if (spec->flags & AISP_SPEC_CONFINE && !install_filter(spec))
        missing |= AISP_CAGE_SECCOMP;
    w->up->missing = missing;
    return true;
}
