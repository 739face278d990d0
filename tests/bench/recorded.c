/* recorded.c - read recorded A/A runs. */
#include "tests/bench/recorded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/noise.h"
#include "core/base/buf.h"
#include "tests/replay/replay.h"

/* time target load1 pairs ratio lo95 hi95 verdict */
static enum aisp_status read_line(const char *line, struct recorded_runs *runs, struct aisp_err *err)
{
    char ratio[32], lo[32], hi[32];
    struct recorded_run *run;
    double se;

    if (sscanf(line, "%*s %*s %*s %*s %31s %31s %31s", ratio, lo, hi) != 3)
        return aisp_fail(err, AISP_E_USAGE, "is no run");
    if (!strcmp(lo, "-")) {
        runs->n_without++;
        return AISP_OK;
    }
    se = aisp_noise_se_log(atof(lo), atof(hi));
    if (!(atof(ratio) > 0) || !isfinite(se))
        return aisp_fail(err, AISP_E_USAGE, "has the ratio %s [%s, %s]", ratio, lo, hi);
    run = aisp_grow(&runs->run, &runs->n, &runs->cap, sizeof *run);
    *run = (struct recorded_run){ log(atof(ratio)), se };
    return AISP_OK;
}

enum aisp_status recorded_runs_read(const char *path, struct recorded_runs *runs, struct aisp_err *err)
{
    FILE *f = fopen(path, "r");
    struct aisp_err why = { AISP_OK, "" };
    enum aisp_status st = AISP_OK;
    char line[256];

    if (!f)
        return aisp_fail_errno(err, AISP_E_NOT_FOUND, "%s", path);
    for (int n = 1; !st && fgets(line, sizeof line, f); n++) {
        st = n > 1 ? read_line(line, runs, &why) : AISP_OK; /* the first names the columns */
        if (st)
            aisp_fail(err, st, "%s: line %d %s", path, n, why.text);
    }
    fclose(f);
    if (!st && !runs->n)
        st = aisp_fail(err, AISP_E_USAGE, "%s holds no run with an interval", path);
    return st;
}

void recorded_runs_release(struct recorded_runs *runs)
{
    free(runs->run);
    *runs = (struct recorded_runs){ 0 };
}

struct recorded_run recorded_runs_at(const struct recorded_runs *runs, size_t place, uint64_t *random)
{
    struct recorded_run run = runs->run[place % runs->n];

    if (replay_random(random) & 1)
        run.log_ratio = -run.log_ratio;
    return run;
}

struct recorded_run recorded_runs_draw(const struct recorded_runs *runs, uint64_t *random)
{
    return recorded_runs_at(runs, (size_t)(replay_uniform(random) * (double)runs->n), random);
}
