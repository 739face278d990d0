/* git.h - commits of a repository, and a tree of its own to build them in.
 * Not here: what is done with them (bisect.c).
 * The user's tree, index, branches and hooks are never touched: all happens in a worktree below $TMPDIR, its head detached. */
#ifndef AISP_COMMANDS_HISTORY_GIT_H
#define AISP_COMMANDS_HISTORY_GIT_H

#include <stddef.h>

#include "core/base/err.h"

struct aisp_git_commit {
    char hash[65];
    char date[11];               /* of the author: 2026-11-28 */
    char *subject;
};

struct aisp_git_commits {
    struct aisp_git_commit *commit;      /* oldest first */
    size_t n, cap;
};
void aisp_git_commits_release(struct aisp_git_commits *commits);

/* [0] is `good`, the last `bad`; of merges only the first parents are followed. Errors: AISP_E_NOT_FOUND (no repository, no
 * such commit), AISP_E_USAGE (good is no ancestor of bad, or the same), AISP_E_UNAVAILABLE (no git). */
enum aisp_status aisp_git_range(const char *repository, const char *good, const char *bad, struct aisp_git_commits *commits,
                                struct aisp_err *err);

/* A worktree in `folder`/tree. Starts as { 0 }. */
struct aisp_worktree { char *repository, *tree, *log; };
enum aisp_status aisp_worktree_init(struct aisp_worktree *w, const char *repository, const char *folder, const char *commit,
                                    struct aisp_err *err);
/* Check out a commit; files that git does not track stay, so that a build goes on where the last one was. */
enum aisp_status aisp_worktree_checkout(const struct aisp_worktree *w, const char *commit, struct aisp_err *err);
/* Run a shell command in it. Errors: AISP_E_REFUSED with the first line that says "error", else the last one. */
enum aisp_status aisp_worktree_build(const struct aisp_worktree *w, const char *command, struct aisp_err *err);
void aisp_worktree_release(struct aisp_worktree *w);

#endif
