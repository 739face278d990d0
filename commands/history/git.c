/* git.c - git and the shell, started in folders that are named.
 * Why the words GIT_DIR and the like are taken from the environment: in a hook they would name the user's own tree. */
#include "commands/history/git.h"

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

enum { MAX_WORDS = 16 };

/* ---- starting ---- */

static char **environment_without_git(void)
{
    size_t n = 0, kept = 0;
    char **copy;

    while (environ[n])
        n++;
    copy = aisp_xcalloc(n + 1, sizeof *copy);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "GIT_", 4))
            copy[kept++] = environ[i];
    return copy;
}

/* Where goes what it prints, and what it complains of: to two descriptors, or both to a log. */
struct sink {
    int out, complaints;
    const char *log;
};
static bool start(const char *folder, const char *const *argv, const struct sink *sink, int *status)
{
    posix_spawn_file_actions_t actions;
    char **env = environment_without_git();
    pid_t pid;
    int failed;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (sink->log)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, sink->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    else
        posix_spawn_file_actions_adddup2(&actions, sink->out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, sink->log ? STDOUT_FILENO : sink->complaints, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    failed = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, env);
    posix_spawn_file_actions_destroy(&actions);
    free(env);
    if (failed) {
        errno = failed;
        return false;
    }
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    return true;
}

static bool is_fine(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void read_all(FILE *f, struct aisp_buf *out)
{
    char part[4096];
    size_t n;

    rewind(f);
    while ((n = fread(part, 1, sizeof part, f)))
        aisp_buf_add(out, part, n);
}

/* The last line of a complaint, in place. */
static const char *last_line(struct aisp_buf *text)
{
    const char *newline;

    while (text->len && text->s[text->len - 1] == '\n')
        text->s[--text->len] = '\0';
    newline = text->len ? strrchr(text->s, '\n') : NULL;
    return !text->len ? "failed" : newline ? newline + 1 : text->s;
}

/* `git words...` in a folder; *out (may be NULL) takes what it prints. AISP_E_REFUSED: git says no; its last line. */
static enum aisp_status git(const char *folder, const char *const *words, struct aisp_buf *out, struct aisp_err *err)
{
    const char *argv[MAX_WORDS] = { "git", "-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false" };
    FILE *said = tmpfile(), *complaints = tmpfile();
    struct aisp_buf why = AISP_BUF_INIT;
    enum aisp_status st = AISP_OK;
    int status = -1;

    for (int i = 0; words[i]; i++)
        argv[5 + i] = words[i];
    if (!said || !complaints)
        st = aisp_fail_errno(err, AISP_E_IO, "cannot make a temporary file");
    else if (!start(folder, argv, &(struct sink){ fileno(said), fileno(complaints), NULL }, &status))
        st = aisp_fail_errno(err, AISP_E_UNAVAILABLE, "git in %s", folder);
    if (st)
        goto out;
    read_all(complaints, &why);
    if (!is_fine(status))
        st = aisp_fail(err, AISP_E_REFUSED, "git %s: %s", words[0], last_line(&why));
    else if (out)
        read_all(said, out);
out:
    aisp_buf_release(&why);
    if (said)
        fclose(said);
    if (complaints)
        fclose(complaints);
    return st;
}

/* ---- commits ---- */

void aisp_git_commits_release(struct aisp_git_commits *commits)
{
    for (size_t i = 0; i < commits->n; i++)
        free(commits->commit[i].subject);
    free(commits->commit);
    *commits = (struct aisp_git_commits){ 0 };
}

/* Lines of "hash date subject". */
static void add_lines(struct aisp_git_commits *commits, char *text)
{
    char *rest = NULL;

    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        struct aisp_git_commit *c = aisp_grow(&commits->commit, &commits->n, &commits->cap, sizeof *c);
        int subject = 0;

        if (sscanf(line, "%64s %10s %n", c->hash, c->date, &subject) < 2)
            AISP_BUG("git log printed \"%s\"", line);
        c->subject = aisp_xstrdup(line + subject);
    }
}

static enum aisp_status resolve(const char *repository, const char *option, const char *name, char hash[65],
                                struct aisp_err *err)
{
    char *commit = aisp_format("%s^{commit}", name);
    struct aisp_buf text = AISP_BUF_INIT;
    enum aisp_status st = AISP_E_REFUSED;

    if (*name != '-') /* git would take it for an option */
        st = git(repository, (const char *const[]){ "rev-parse", "--verify", "--quiet", commit, NULL }, &text, err);
    free(commit);
    if (!st && sscanf(text.s ? text.s : "", "%64s", hash) != 1)
        st = AISP_E_REFUSED;
    aisp_buf_release(&text);
    return st == AISP_E_REFUSED ? aisp_fail(err, AISP_E_NOT_FOUND, "--%s %s: no such commit in %s", option, name, repository)
                                : st;
}

enum aisp_status aisp_git_range(const char *repository, const char *good, const char *bad, struct aisp_git_commits *commits,
                                struct aisp_err *err)
{
    struct aisp_buf text = AISP_BUF_INIT;
    char from[65], to[65], range[140];
    enum aisp_status st;

    if (!aisp_place_is_folder(repository))
        return aisp_fail(err, AISP_E_NOT_FOUND, "--repo %s: no such folder", repository);
    st = git(repository, (const char *const[]){ "rev-parse", "--git-dir", NULL }, NULL, err);
    if (st == AISP_E_REFUSED)
        return aisp_fail(err, AISP_E_NOT_FOUND, "--repo %s: not a git repository", repository);
    if (st)
        return st;
    AISP_TRY(resolve(repository, "good", good, from, err));
    AISP_TRY(resolve(repository, "bad", bad, to, err));
    st = git(repository, (const char *const[]){ "merge-base", "--is-ancestor", from, to, NULL }, NULL, err);
    if (st == AISP_E_REFUSED || !strcmp(from, to)) {
        st = aisp_fail(err, AISP_E_USAGE, "--good %s is %s --bad %s: the good one must be older, and lead to the bad one", good,
                       st ? "no ancestor of" : "the same as", bad);
        goto out;
    }
    if (st)
        goto out;
    AISP_TRY(git(repository, (const char *const[]){ "log", "-1", "--format=%H %as %s", from, NULL }, &text, err));
    snprintf(range, sizeof range, "%s..%s", from, to);
    AISP_TRY(git(repository, (const char *const[]){ "log", "--first-parent", "--reverse", "--format=%H %as %s", range, NULL },
                 &text, err));
    add_lines(commits, text.s);
out:
    aisp_buf_release(&text);
    return st;
}

/* ---- the tree ---- */

enum aisp_status aisp_worktree_init(struct aisp_worktree *w, const char *repository, const char *folder, const char *commit,
                                    struct aisp_err *err)
{
    *w = (struct aisp_worktree){ .repository = aisp_xstrdup(repository),
                                 .tree = aisp_format("%s/tree", folder),
                                 .log = aisp_format("%s/build.log", folder) };
    return git(repository, (const char *const[]){ "worktree", "add", "--quiet", "--detach", "--force", w->tree, commit, NULL },
               NULL, err);
}

enum aisp_status aisp_worktree_checkout(const struct aisp_worktree *w, const char *commit, struct aisp_err *err)
{
    return git(w->tree, (const char *const[]){ "checkout", "--quiet", "--detach", "--force", commit, NULL }, NULL, err);
}

/* The first line of a log that says "error", else the last; caller frees. */
static char *reason_in(const char *log)
{
    char line[300], last[300] = "it says nothing";
    FILE *f = fopen(log, "r");
    bool is_error = false;

    while (f && !is_error && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        is_error = strstr(line, "error") != NULL;
        if (*line)
            strcpy(last, line);
    }
    if (f)
        fclose(f);
    return aisp_xstrdup(last);
}

enum aisp_status aisp_worktree_build(const struct aisp_worktree *w, const char *command, struct aisp_err *err)
{
    enum aisp_status st;
    int status = -1;
    char *why;

    if (!start(w->tree, (const char *const[]){ "/bin/sh", "-c", command, NULL }, &(struct sink){ .log = w->log }, &status))
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "/bin/sh");
    if (is_fine(status))
        return AISP_OK;
    why = reason_in(w->log);
    st = aisp_fail(err, AISP_E_REFUSED, "does not build: %s", why);
    free(why);
    return st;
}

void aisp_worktree_release(struct aisp_worktree *w)
{
    if (w->tree && aisp_place_is_folder(w->tree))
        git(w->repository, (const char *const[]){ "worktree", "remove", "--force", "--force", w->tree, NULL }, NULL, NULL);
    free(w->repository);
    free(w->tree);
    free(w->log);
    *w = (struct aisp_worktree){ 0 };
}
