/* landlock.c - where there are no namespaces: the host's files stay in place, and all but the toolchain is closed. */
#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail/jail.h"

/* Rights by the version that knew them first; newer headers have names for all. */
enum {
    READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE,
    READ_FOLDER = READ | LANDLOCK_ACCESS_FS_READ_DIR,
    ALL_OF_1 = (1 << 13) - 1,
    REFER = 1 << 13,
    TRUNCATE = 1 << 14,
    DEVICES = 1 << 15,
    NET_ALL = 3,
    SCOPE_ALL = 3,
};

struct rules {
    uint64_t files, net, scope;
};

static void allow(int set, const char *path, uint64_t rights)
{
    struct landlock_path_beneath_attr rule = { .allowed_access = rights,
                                               .parent_fd = open(path, O_PATH | O_CLOEXEC) };

    if (rule.parent_fd < 0)
        return;
    syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

bool jail_landlock(struct jail *j)
{
    const struct aisp_jail_step *step = (const void *)jail_text(j, j->plan->steps_at);
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    const struct rules all = { .files = ALL_OF_1 | (version >= 2 ? REFER : 0) |
                                        (version >= 3 ? TRUNCATE : 0) |
                                        (version >= 5 ? DEVICES : 0),
                               .net = version >= 4 ? NET_ALL : 0,
                               .scope = version >= 6 ? SCOPE_ALL : 0 };
    const size_t bytes = version >= 6 ? sizeof all : version >= 4 ? 16 : 8;
    const int set = version < 1 ? -1 : (int)syscall(SYS_landlock_create_ruleset, &all, bytes, 0);
    bool good;

    if (set < 0)
        return false;
    for (uint32_t i = 0; i < j->plan->n_steps; i++) {
        if (step[i].op == AISP_JAIL_SHOW_FOLDER)
            allow(set, jail_text(j, step[i].at), READ_FOLDER);
        else if (step[i].op == AISP_JAIL_SHOW_FILE)
            allow(set, jail_text(j, step[i].at), READ);
    }
    allow(set, ".",
          (ALL_OF_1 & ~(uint64_t)(LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                                  LANDLOCK_ACCESS_FS_MAKE_CHAR)) |
              (version >= 3 ? TRUNCATE : 0));
    good = syscall(SYS_landlock_restrict_self, set, 0) == 0;
    close(set);
    return good;
}
