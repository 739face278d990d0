/* bandit_autotune - which of `arms` small draft nets agrees most often with a model, over the states of a trace? The answer
 * is the net and the number of states on which it agrees with the model; it is right if that number is right and at most
 * 1/16 of the states below the best one's.
 * Why it is interesting: this is what a tuner does, with plans for nets and measurements for states. Each look at an arm
 * costs work, an arm's worth is known only by its looks, and most arms are known to be bad long before all looks are taken.
 * Why agreement and not time: a tuner's own yardstick is a clock, which no variant may read and no truth can repeat.
 * Agreement is as costly to find out, as noisy from look to look, and can be counted again. There is no way round the looks:
 * what a net chooses is no sum of which a part could be computed once for all nets. */
#include <stdio.h>
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

/* In doubles, from the last choice to the first. */
static int choice(const int8_t *net, const int8_t *x)
{
    double hidden[HIDDEN], most = 0;
    int best = -1;

    for (int i = 0; i < HIDDEN; i++) {
        double sum = 0;

        for (int j = DIM - 1; j >= 0; j--)
            sum += (double)net[i * DIM + j] * x[j];
        hidden[i] = sum > 0 ? (double)(int64_t)(sum / SHIFT) : 0;
    }
    for (int c = CHOICES - 1; c >= 0; c--) {
        double sum = 0;

        for (int i = 0; i < HIDDEN; i++)
            sum += net[HIDDEN * DIM + c * HIDDEN + i] * hidden[i];
        if (best < 0 || sum >= most) {
            most = sum;
            best = c;
        }
    }
    return best;
}

static int64_t accept(const struct aisp_view *in, const void *const *out, char *why, int why_size)
{
    const int64_t arms = in->param[ARMS], states = in->param[STATES], *best = out[0];
    const int8_t *nets = in->tensor[NETS], *x = in->tensor[X];
    int64_t *agree = calloc((size_t)arms, sizeof *agree), most = 0, wrong = 0;

    if (!agree)
        abort();
    for (int64_t i = 0; i < states; i++) {
        const int right = choice(in->tensor[MODEL], x + i * DIM);

        for (int64_t a = 0; a < arms; a++)
            agree[a] += choice(nets + a * NET, x + i * DIM) == right;
    }
    for (int64_t a = 0; a < arms; a++)
        most = agree[a] > most ? agree[a] : most;
    if (best[0] < 0 || best[0] >= arms || most - agree[best[0]] > states / 16) {
        snprintf(why, (size_t)why_size, "net %lld was chosen; another agrees on %lld states", (long long)best[0],
                 (long long)most);
        wrong = 1;
    } else if (best[1] != agree[best[0]]) {
        snprintf(why, (size_t)why_size, "net %lld agrees on %lld states, but here on %lld", (long long)best[0],
                 (long long)agree[best[0]], (long long)best[1]);
        wrong = 2;
    }
    free(agree);
    return wrong;
}

static const struct aisp_param params[] = {
    { "arms", 64, 11, 0, 60, 72, 1 },
    { "states", 2048, 1029, 8192, 1900, 2200, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "nets", AISP_IN, AISP_I8, "arms, 96", { AISP_INTEGERS, -16, 17 } },
    { "model", AISP_IN, AISP_I8, "96", { AISP_INTEGERS, -16, 17 } },
    { "x", AISP_IN, AISP_I8, "states, 8", { AISP_INTEGERS, -8, 24 } },
    { "best", AISP_OUT, AISP_I64, "2", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Find the draft net that agrees most often",
    .teaches = "adaptive engines: tuning as a bandit; elimination by bounds, successive halving",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*states + 96",
    /* Of a right answer only the winner's looks, and the model's, are certain. */
    .flops = "4*96*states",
    .tolerance = { .ulps = 0,
                   .why = "stated in accept: the count is right, and at most a sixteenth of the states below the best" },
    .accept = accept,
};
