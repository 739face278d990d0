/* root.c - a root of memory in which only what the plan shows can be seen, read-only, and a work folder of bounded size.
 * /proc is the place where it is put together: it exists everywhere, and nothing of it is needed any more. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail/jail.h"

#define ROOT "/proc"
enum { ROOT_KIB = 4096, ROOT_FILES = 4096, WORK_FILES = 1024 };

/* Of <sys/mount.h>, which cannot be had together with <linux/mount.h>. */
enum {
    MOUNT_NOSUID = 2,
    MOUNT_NODEV = 4,
    MOUNT_REC = 16384,
    MOUNT_PRIVATE = 1 << 18,
    MOUNT_DETACH = 2
};
int mount(const char *source, const char *target, const char *type, unsigned long flags,
          const void *data);
int umount2(const char *target, int flags);

static int set_attributes(int fd, const char *path, unsigned flags, uint64_t attributes)
{
    struct mount_attr attr = { .attr_set = attributes };

    return (int)syscall(SYS_mount_setattr, fd, path, flags, &attr, sizeof attr);
}

/* The host's file or folder at the same path, without its privileges and devices. */
static int show(const char *from, const char *to)
{
    const uint64_t attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    const int fd = (int)syscall(SYS_open_tree, AT_FDCWD, from,
                                OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW);
    int bad;

    if (fd < 0)
        return -1;
    bad = set_attributes(fd, "", AT_EMPTY_PATH, attributes) ||
          syscall(SYS_move_mount, fd, "", AT_FDCWD, to, MOVE_MOUNT_F_EMPTY_PATH);
    close(fd);
    return bad;
}

static int make_file(const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);

    if (fd < 0)
        return -1;
    return close(fd);
}

static int carry_out(const struct jail *j, const struct aisp_jail_step *step)
{
    const char *at = jail_text(j, step->at);
    char to[4200];

    snprintf(to, sizeof to, ROOT "%s", at);
    switch ((enum aisp_jail_op)step->op) {
    case AISP_JAIL_FOLDER:
        return mkdir(to, 0755) && errno != EEXIST;
    case AISP_JAIL_LINK:
        return symlink(jail_text(j, step->what), to);
    case AISP_JAIL_SHOW_FOLDER:
        return (mkdir(to, 0755) && errno != EEXIST) || show(at, to);
    case AISP_JAIL_SHOW_FILE:
        return make_file(to) || show(at, to);
    case AISP_JAIL_WRITE:
        break;
    }
    return 0;
}

void jail_make_root(struct jail *j)
{
    const struct aisp_jail_plan *p = j->plan;
    const struct aisp_jail_step *step = (const void *)jail_text(j, p->steps_at);
    char options[96];

    if (mount(NULL, "/", NULL, MOUNT_REC | MOUNT_PRIVATE, NULL))
        jail_fail(j, "private mounts");
    snprintf(options, sizeof options, "size=%dk,nr_inodes=%d,mode=755", ROOT_KIB, ROOT_FILES);
    if (mount("aisp", ROOT, "tmpfs", MOUNT_NOSUID | MOUNT_NODEV, options))
        jail_fail(j, "a root in memory");
    for (uint32_t i = 0; i < p->n_steps; i++)
        if (carry_out(j, &step[i])) {
            const char *at = jail_text(j, step[i].at);
            const size_t n = strlen(at);

            jail_fail(j, n < 60 ? at : at + n - 60);
        }
    snprintf(options, sizeof options, "size=%lluk,nr_inodes=%d,mode=777",
             (unsigned long long)(p->space_bytes >> 10), WORK_FILES);
    if (mkdir(ROOT "/build", 0755) ||
        mount("aisp", ROOT "/build", "tmpfs", MOUNT_NOSUID | MOUNT_NODEV, options))
        jail_fail(j, "a work folder in memory");
    if (set_attributes(AT_FDCWD, ROOT, 0, MOUNT_ATTR_RDONLY))
        jail_fail(j, "a read-only root");
    if (chdir(ROOT) || syscall(SYS_pivot_root, ".", ".") || umount2(".", MOUNT_DETACH) ||
        chdir("/build"))
        jail_fail(j, "the change of root");
}

static void make_folders(const char *path)
{
    char part[256];

    for (const char *end = path; (end = strchr(end, '/')); end++) {
        snprintf(part, sizeof part, "%.*s", (int)(end - path), path);
        mkdir(part, 0755);
    }
}

void jail_write_files(struct jail *j)
{
    const struct aisp_jail_step *step = (const void *)jail_text(j, j->plan->steps_at);

    for (uint32_t i = 0; i < j->plan->n_steps; i++) {
        const char *at = jail_text(j, step[i].at);
        int fd;

        if (step[i].op != AISP_JAIL_WRITE)
            continue;
        make_folders(at);
        fd = open(at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (fd < 0 ||
            write(fd, jail_text(j, step[i].what), step[i].bytes) != (ssize_t)step[i].bytes)
            jail_fail(j, "a file of the build");
        close(fd);
    }
}
