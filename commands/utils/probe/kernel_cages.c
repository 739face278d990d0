/* kernel_cages.c - confinement by trying: each locks itself in, then does what it has given up. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "commands/utils/probe/probe.h"
#include "core/base/buf.h"

/* No folder may be listed any more: then / must be refused. */
int aisp_try_landlock(void)
{
    const struct landlock_ruleset_attr attr = { .handled_access_fs = LANDLOCK_ACCESS_FS_READ_DIR };
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);

    if (rules < 0)
        return errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_landlock_restrict_self, rules, 0))
        return errno;
    return open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0 && errno == EACCES ? 0 : -1;
}

/* getppid answers EDOM from now on, which it never does by itself. */
int aisp_try_seccomp(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EDOM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { sizeof code / sizeof *code, code };

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return errno;
    return syscall(SYS_getppid) < 0 && errno == EDOM ? 0 : -1;
}

/* The folder of our group: of the unified hierarchy, else of the controller `pids`; caller frees, NULL: none. */
static char *own_group(void)
{
    FILE *f = fopen("/proc/self/cgroup", "re");
    char line[512], *folder = NULL;

    while (f && fgets(line, sizeof line, f)) {
        char *path = strchr(line, ':') ? strchr(strchr(line, ':') + 1, ':') : NULL;

        line[strcspn(line, "\n")] = '\0';
        if (path && !strncmp(line, "0::", 3) && !access("/sys/fs/cgroup/cgroup.controllers", F_OK)) {
            free(folder);
            folder = aisp_format("/sys/fs/cgroup%s", path + 1);
        } else if (path && !folder && strstr(line, ":pids:"))
            folder = aisp_format("/sys/fs/cgroup/pids%s", path + 1);
    }
    if (f)
        fclose(f);
    return folder;
}

int aisp_try_cgroup(void)
{
    char *group = own_group(), *mine;
    int code = 0;

    if (!group)
        return ENOENT;
    mine = aisp_format("%s/aisp-probe-%d", group, (int)getpid());
    if (mkdir(mine, 0700) || rmdir(mine))
        code = errno;
    free(mine);
    free(group);
    return code;
}
