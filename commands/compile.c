/* compile.c - the compiler, started for one variant.
 * Why without a shell: a file's name is a name, whatever is in it. */
#include "commands/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/place.h"
#include "core/base/buf.h"

enum { MAX_MORE = 16, MAX_WORDS = AISP_COMPILE_MAX_FLAGS + 12 + MAX_MORE };

/* The first line of a log that says "error", else the first line; caller frees. */
static char *first_error(const char *log)
{
    char line[400], *first = NULL;
    FILE *f = fopen(log, "r");

    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (strstr(line, "error")) {
            free(first);
            first = aisp_xstrdup(line);
            break;
        }
        if (!first)
            first = aisp_xstrdup(line);
    }
    if (f)
        fclose(f);
    return first ? first : aisp_xstrdup("no message");
}

static enum aisp_status start(const char *const *argv, const char *log, int *status,
                              struct aisp_err *err)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int failed;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    failed = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) {
        errno = failed;
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE,
                               "the compiler \"%s\" cannot be started; name another one by CC",
                               argv[0]);
    }
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    return AISP_OK;
}

const char *aisp_compile_compiler(void)
{
    const char *own = getenv("CC");

    return own && *own ? own : aisp_place_is_file(AISP_COMPILER) ? AISP_COMPILER : "cc";
}

static const char *const always[] = { "-std=gnu11", "-D_GNU_SOURCE" };
enum { N_ALWAYS = sizeof always / sizeof *always };

char *aisp_compile_flags(const char *flag[AISP_COMPILE_MAX_FLAGS])
{
    char *flags = aisp_xstrdup(AISP_VARIANT_FLAGS), *rest = NULL;
    int n = 0;

    for (char *word = strtok_r(flags, " ", &rest); word && n < AISP_COMPILE_MAX_FLAGS - N_ALWAYS - 1;
         word = strtok_r(NULL, " ", &rest))
        flag[n++] = word;
    for (int i = 0; i < N_ALWAYS; i++)
        flag[n++] = always[i];
    flag[n] = NULL;
    return flags;
}

enum aisp_status aisp_compile_variant(const struct aisp_compile *spec, struct aisp_err *err)
{
    const char *argv[MAX_WORDS], *flag[AISP_COMPILE_MAX_FLAGS];
    char *flags = aisp_compile_flags(flag);
    char *why, *include = spec->include ? aisp_xstrdup(spec->include) : aisp_place_include();
    enum aisp_status st;
    int n = 0, status = -1;

    if (spec->n_more > MAX_MORE)
        AISP_BUG("%zu further words for the compiler", spec->n_more);
    if (!include) {
        st = aisp_fail(
            err, AISP_E_UNAVAILABLE,
            "%s cannot be compiled: aisp/problem.h is neither beside aisp nor in ../include",
            spec->source);
        goto out;
    }
    argv[n++] = aisp_compile_compiler();
    for (int i = 0; flag[i]; i++)
        argv[n++] = flag[i];
    argv[n++] = "-fPIC";
    argv[n++] = "-shared";
    argv[n++] = "-I";
    argv[n++] = include;
    argv[n++] = "-o";
    argv[n++] = spec->object;
    argv[n++] = spec->source;
    for (size_t i = 0; i < spec->n_more; i++)
        argv[n++] = spec->more[i];
    argv[n++] = "-lm";
    argv[n] = NULL;
    AISP_TRY(start(argv, spec->log, &status, err));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        goto out;
    why = first_error(spec->log);
    st = aisp_fail(err, AISP_E_REFUSED, "%s does not compile: %s", spec->source, why);
    free(why);
out:
    free(flags);
    free(include);
    return st;
}
