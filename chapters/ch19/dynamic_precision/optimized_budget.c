/* optimized_budget - the layers with the smallest gains take 8-bit weights, as many as the error budget allows; the others
 * 16. A group of 32 weights of 8 bits is off by 0.5 % of its size (root mean square), so layer l adds an error of 0.005
 * |gain| |f(h)|, |f(h)| being about half of |h|; errors of different layers are independent and their squares add up. The
 * largest of some hundred elements is four deviations away, so the deviation may be an eighth of the tolerance, which leaves
 * a factor of two.
 * Expected: gains are spread evenly over seven powers of two, those up to about 2^-5.5 fit: a third to a half of the layers
 * reads one byte a weight instead of two, 1.2 to 1.35x over optimized_fixed16.
 * Costs: a third copy; a rule that rests on what weights and layers are like, and must be checked against the truth. */
#include "copies.h"

/* Of one 8-bit layer of gain 1, and of all of them, relative to h. */
static const float error_of_8 = 0.0026f, budget = 0x1p-13f;

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)padded(param[WIDTH]) * (sizeof(float) + sizeof(int16_t)) + (size_t)param[LAYERS];
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    return copies_setup(s, 1);
}

/* short_enough[l]: the smallest gains first, until the budget is used up. */
static void share_out(const float *gain, unsigned char *short_enough, int64_t layers)
{
    float left = budget * budget;

    memset(short_enough, 0, (size_t)layers);
    for (;;) {
        int64_t next = -1;
        float error;

        for (int64_t l = 0; l < layers; l++)
            if (!short_enough[l] && (next < 0 || fabsf(gain[l]) < fabsf(gain[next])))
                next = l;
        if (next < 0)
            return;
        error = error_of_8 * gain[next];
        left -= error * error;
        if (left < 0)
            return;
        short_enough[next] = 1;
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t width = call->param[WIDTH], layers = call->param[LAYERS];
    const float *gain = call->tensor[GAIN];
    float *h = call->tensor[Y], *f = call->workspace;
    int16_t *f_short = (int16_t *)(f + padded(width));
    unsigned char *short_enough = (unsigned char *)(f_short + padded(width));

    share_out(gain, short_enough, layers);
    memcpy(h, call->tensor[X], (size_t)width * sizeof *h);
    for (int64_t l = 0; l < layers; l++) {
        squash(h, f, width);
        if (!short_enough[l]) {
            layer16(call->state, l, gain[l], f, h, width);
            continue;
        }
        squash_short(f, f_short, padded(width));
        layer8(call->state, l, gain[l], f_short, h, width);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: layers whose gain makes their error small take 8-bit weights, chosen anew in each call\n"
             "expect: bytes read / 1.3 of optimized_fixed16\n"
             "uses: allocates");

AISP_VARIANT = {
    .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .setup = setup, .run = run, .teardown = copies_teardown,
};
