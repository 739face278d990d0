/* manifest.c - where a run comes from: version, machine, libraries, tree, options, and the hash
 * of the secret that is told when the run is over. */
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "commands/session.h"
#include "commands/version.h"
#include "core/base/hash.h"

/* What git prints; false if it is not there, fails or dies. */
static bool git(const char *folder, const char *const *words, struct aisp_buf *out)
{
    const char *argv[12] = { "git", "-C", folder };
    posix_spawn_file_actions_t actions;
    int fd[2], status = -1;
    char part[4096];
    ssize_t n;
    pid_t pid;
    bool started;

    for (int i = 0; words[i]; i++)
        argv[3 + i] = words[i];
    if (pipe2(fd, O_CLOEXEC))
        return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fd[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    started = posix_spawnp(&pid, "git", &actions, NULL, (char *const *)argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(fd[1]);
    while (started && (n = read(fd[0], part, sizeof part)) > 0)
        aisp_buf_add(out, part, (size_t)n);
    close(fd[0]);
    if (started)
        waitpid(pid, &status, 0);
    return started && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* {"commit", "dirty"} of the tree that `folder` is in, or null. */
static json_t *git_state(const char *folder)
{
    static const char *const head[] = { "rev-parse", "HEAD", NULL }, *const changes[] = {
        "status", "--porcelain", NULL
    };
    struct aisp_buf commit = AISP_BUF_INIT, dirty = AISP_BUF_INIT;
    json_t *state = NULL;

    if (git(folder, head, &commit) && commit.s && git(folder, changes, &dirty)) {
        commit.s[strcspn(commit.s, "\n")] = '\0';
        state = json_pack("{s:s, s:b}", "commit", commit.s, "dirty", dirty.len > 0);
    }
    aisp_buf_release(&commit);
    aisp_buf_release(&dirty);
    return state ? state : json_null();
}

static int add_library(struct dl_phdr_info *info, size_t size, void *context)
{
    char hex[65];

    (void)size;
    if (info->dlpi_name && info->dlpi_name[0] == '/' && !aisp_hash_file(info->dlpi_name, hex, NULL))
        json_object_set_new(context, info->dlpi_name, json_string(hex));
    return 0;
}

/* Which checks there were: what another one needs may not be in the evidence. */
static json_t *check_names(void)
{
    json_t *names = json_array();

    AISP_FOR_EACH(aisp_checks, struct aisp_check, check)
    json_array_append_new(names, json_string(check->name));
    return names;
}

json_t *aisp_manifest_new(const struct aisp_bench *bench, const char *command, json_t *arguments)
{
    struct aisp_environment env;
    json_t *libraries = json_object(), *calibration = json_null(), *manifest;
    char host[65], now[32];
    const time_t t = time(NULL);
    struct tm utc;

    aisp_environment_probe(&env, "/");
    aisp_environment_fingerprint(&env, host);
    dl_iterate_phdr(add_library, libraries);
    gmtime_r(&t, &utc);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (bench->has_calibration)
        calibration = json_pack("{s:s, s:I}", "host", bench->calibration.host, "taken_at",
                                (json_int_t)bench->calibration.taken_at);
    manifest = json_pack(
        "{s:s, s:i, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:o, s:o}", "aisp", aisp_version(),
        "abi", AISP_ABI, "command", command, "started", now, "host", host, "bench_root",
        bench->request->bench_root, "environment", aisp_environment_to_json(&env), "git",
        git_state(bench->request->bench_root), "libraries", libraries, "seed_commitment",
        bench->commitment, "calibration", calibration, "options", arguments);
    if (!manifest)
        AISP_BUG("a manifest that is no JSON");
    json_object_set_new(manifest, "checks", check_names());
    return manifest;
}
