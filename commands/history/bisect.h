/* bisect.h - what the parts of `aisp bisect` share.
 *   bisect.c          the options, the loop, the answer         bisect_text.c    its text
 *   bisect_commit.c   one commit built, kept, measured          git.c            commits and worktrees */
#ifndef AISP_COMMANDS_HISTORY_BISECT_H
#define AISP_COMMANDS_HISTORY_BISECT_H

#include "analysis/bisection.h"
#include "commands/history/git.h"
#include "commands/session.h"

/* What is known of one commit. */
struct aisp_bisect_commit {
    bool is_built;
    char *object;                /* the variant as this commit makes it, kept in a folder of ours */
    char sha256[65];
    size_t same_as;              /* an earlier built commit whose object is byte for byte the same; itself if there is none */
    int n_failed;                /* runs that measured nothing, because the variant was wrong or crashed */
    char why[400];               /* why it is skipped; "" */
    double *log_ratio;           /* of its runs */
    size_t n_runs, cap_runs;
};

struct aisp_bisect {
    struct aisp_bench bench;     /* nothing is recorded: these are runs of commits, not of this tree */
    struct aisp_git_commits commits;
    struct aisp_bisect_commit *commit;       /* [0] the good one */
    struct aisp_worktree worktree;
    struct aisp_bisection bisection;
    char *folder;                /* private: the tree, the objects kept, the pair that is measured */
    char *id, *group_and_name, *variant;     /* "ch07:transpose", "ch07/transpose", "optimized_tiled" */
    const char *build, *built;   /* the command, and where its targets are then */
    size_t n_builds, n_blind;    /* n_blind: runs too short for an interval */
    int longer;                  /* runs take as many times the asked time: doubled after each blind one */
};

/* Check out, build, keep the object. A commit that does not build, or has no such variant, is skipped: no error. */
enum aisp_status aisp_bisect_build(struct aisp_bisect *b, size_t commit, struct aisp_err *err);
/* One run: this commit against the good one, in pairs. What it says goes into the bisection. */
enum aisp_status aisp_bisect_measure(struct aisp_bisect *b, size_t commit, struct aisp_err *err);
void aisp_bisect_commit_release(struct aisp_bisect_commit *commit);

void aisp_bisect_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out);

#endif
