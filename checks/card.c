/* card.c - was it the card that was asked for, and did it stay as it was: its clocks, its heat, its
 * power, its driver? Only for runs whose device is a card; what the card says is in core/card.h. */
#include <stdlib.h>
#include <string.h>

#include "checks/check.h"
#include "checks/samples.h"
#include "core/base/buf.h"
#include "core/base/sort.h"

static bool is_asked(const struct aisp_card *c)
{
    return c->asked && *c->uuid;
}

static bool is_timed(const struct aisp_card_block *b)
{
    return b->block >= 0 && b->n > 0;
}

/* ---- 68 ---- */

enum { SAMPLES_LEAST = 10, BUSY_PERCENT = 50 };

/* Families whose compute capability is known: a card that calls itself one and computes as another
 * is neither. */
static const struct family {
    const char *name;
    int32_t compute;
} families[] = { { "V100", 70 }, { "A100", 80 }, { "L40", 89 },  { "RTX 40", 89 },
                 { "H100", 90 }, { "H200", 90 }, { "B200", 100 } };

static void compare_names(const struct aisp_check *self, const struct aisp_card *c,
                          struct aisp_findings *out)
{
    if (strcmp(c->name, c->name_after) || strcmp(c->uuid, c->uuid_after))
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "the card was \"%s\" (%s) before and \"%s\" (%s) after the run", c->name, c->uuid,
                  c->name_after, c->uuid_after);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strstr(c->name, families[i].name) && c->compute > 0 &&
            c->compute != families[i].compute)
            aisp_find(
                out, self, AISP_VIOLATION, -1,
                "the card calls itself \"%s\", which has compute capability %d.%d, and has %d.%d",
                c->name, families[i].compute / 10, families[i].compute % 10, c->compute / 10,
                c->compute % 10);
}

static void device_mismatch(const struct aisp_check *self, const struct aisp_evidence *ev,
                            struct aisp_findings *out)
{
    const struct aisp_card *c = &ev->machine.card;

    if (c->asked && c->n_cards > 0 && !*c->uuid) {
        aisp_find(out, self, AISP_VIOLATION, -1, "card \"%s\" was asked for: %s", c->requested,
                  c->unknown);
        return;
    }
    if (!is_asked(c))
        return;
    if (!strncmp(c->requested, "GPU-", 4) && strcmp(c->requested, c->uuid))
        aisp_find(out, self, AISP_VIOLATION, -1, "card %s was asked for, %s was used", c->requested,
                  c->uuid);
    compare_names(self, c, out);
    if (c->n_samples >= SAMPLES_LEAST && c->busy_high == 0 && c->elsewhere_busy_high > BUSY_PERCENT)
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "card %s was asked for and never busy in %d samples, card %d was busy to %d %%: "
                  "the work is done elsewhere",
                  c->requested, c->n_samples, c->elsewhere, c->elsewhere_busy_high);
    if (c->mig == 1 && strncmp(c->requested, "MIG-", 4))
        aisp_find(out, self, AISP_DEVELOPMENT, -1,
                  "the card is divided (MIG) and the whole of it was asked for");
}

AISP_CHECK(device_mismatch_check) = {
    .issue = 68,
    .name = "device-mismatch",
    .family = "environment",
    .title = "The card that was asked for is the one that works, and it stays the same",
    .needs = "gpu (proved with a fake NVML)",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 16,
    .examine = device_mismatch,
};

/* ---- 69 ---- */

/* One of that side; of no control pair, where both run the reference. Side -1: any. */
static bool is_of(const struct aisp_evidence *ev, const struct aisp_card_block *b, int side)
{
    return side < 0 || (b->side == side && !aisp_evidence_is_control(ev, b->pair));
}

static double median_mhz(const struct aisp_evidence *ev, int side, size_t from, size_t to)
{
    const struct aisp_card *c = &ev->machine.card;
    double *x = aisp_xmalloc((c->n_blocks + 1) * sizeof *x), median;
    size_t n = 0;

    for (size_t i = from; i < to; i++)
        if (is_timed(&c->block[i]) && is_of(ev, &c->block[i], side) && c->block[i].sm_mhz_low > 0)
            x[n++] = 0.5 * (c->block[i].sm_mhz_low + c->block[i].sm_mhz_high);
    median = aisp_median_or_zero(x, n);
    free(x);
    return median;
}

/* In how many of a side's timed parts was the clock held down by power or heat, as the card says? */
static int n_held_down(const struct aisp_evidence *ev, int side)
{
    const int64_t held = AISP_CARD_POWER_CAP | AISP_CARD_POWER_BRAKE | AISP_CARD_SLOWDOWN | AISP_CARD_THERMAL_SOFTWARE |
                         AISP_CARD_THERMAL_HARDWARE;
    const struct aisp_card *c = &ev->machine.card;
    int n = 0;

    for (size_t i = 0; i < c->n_blocks; i++)
        n += is_timed(&c->block[i]) && is_of(ev, &c->block[i], side) && (c->block[i].reasons & held);
    return n;
}

/* A kernel that draws more power runs at a lower clock on a card that is at its limit, however honest: that is said. Where neither
 * power nor heat holds the clock down, somebody sets it. */
static void frequency_boost(const struct aisp_check *self, const struct aisp_evidence *ev,
                            struct aisp_findings *out)
{
    const struct aisp_card *c = &ev->machine.card;
    const size_t third = c->n_blocks / 3;
    const double a = median_mhz(ev, AISP_A, 0, c->n_blocks),
                 b = median_mhz(ev, AISP_B, 0, c->n_blocks), first = median_mhz(ev, -1, 0, third),
                 last = median_mhz(ev, -1, c->n_blocks - third, c->n_blocks);

    if (a > 0 && b > 0 && (a > 1.01 * b || b > 1.01 * a)) {
        const int n = n_held_down(ev, AISP_A) + n_held_down(ev, AISP_B);

        aisp_find(out, self, n ? AISP_DEVELOPMENT : AISP_VIOLATION, -1,
                  "the card ran at %.0f MHz for %s and at %.0f MHz for %s; in %d timed parts power or heat held its clock down", a,
                  ev->variant[AISP_A].name, b, ev->variant[AISP_B].name, n);
    }
    if (first > 0 && last > 0 && (first > 1.03 * last || last > 1.03 * first))
        aisp_find(
            out, self, AISP_DEVELOPMENT, -1,
            "the card's clock drifted: %.0f MHz in the first third of the blocks, %.0f MHz in "
            "the last (at most %d MHz)",
            first, last, c->sm_mhz_most);
}

AISP_CHECK(frequency_boost_check) = {
    .issue = 69,
    .name = "frequency-boost",
    .family = "environment",
    .title =
        "Both sides run at the card's same clock, and it does not drift; it is never set by us",
    .needs = "gpu (proved with a fake NVML)",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 19,
    .examine = frequency_boost,
};

/* ---- 74 ---- */

static void thermal(const struct aisp_check *self, const struct aisp_evidence *ev,
                    struct aisp_findings *out)
{
    const int64_t hot =
        AISP_CARD_THERMAL_SOFTWARE | AISP_CARD_THERMAL_HARDWARE | AISP_CARD_SLOWDOWN;
    const struct aisp_card *c = &ev->machine.card;
    const struct aisp_card_block *first = NULL;
    int n = 0, n_timed = 0;

    for (size_t i = 0; i < c->n_blocks; i++) {
        const struct aisp_card_block *b = &c->block[i];

        if (!is_timed(b))
            continue;
        n_timed++;
        if (!(b->reasons & hot))
            continue;
        first = first ? first : b;
        n++;
    }
    if (first)
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "the card was slowed down by heat in %d of %d timed parts, first in block %d of "
                  "pair %d (reasons 0x%llx, %d degrees): those times are not the kernel's",
                  n, n_timed, first->block, first->pair, (unsigned long long)first->reasons,
                  first->celsius_high);
}

AISP_CHECK(thermal_check) = {
    .issue = 74,
    .name = "thermal",
    .family = "environment",
    .title = "A window in which the card was slowed down by heat is no result",
    .needs = "gpu (proved with a fake NVML)",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 17,
    .examine = thermal,
};

/* ---- 75 ---- */

struct limits {
    int64_t low_mw, high_mw;
    int n, n_capped;
};

static struct limits limits_of(const struct aisp_evidence *ev, int side)
{
    const struct aisp_card *c = &ev->machine.card;
    struct limits l = { -1, -1, 0, 0 };

    for (size_t i = 0; i < c->n_blocks; i++) {
        const struct aisp_card_block *b = &c->block[i];

        if (b->n < 1 || !is_of(ev, b, side) || b->limit_mw_low < 0)
            continue; /* in warm-up too: a limit is set once */
        l.low_mw = l.n == 0 || b->limit_mw_low < l.low_mw ? b->limit_mw_low : l.low_mw;
        l.high_mw = b->limit_mw_high > l.high_mw ? b->limit_mw_high : l.high_mw;
        l.n_capped += (b->reasons & (AISP_CARD_POWER_CAP | AISP_CARD_POWER_BRAKE)) != 0;
        l.n++;
    }
    return l;
}

/* Nearly all parts of one side have a lower limit than nearly all of the other: whose code runs decides of it. What firmware
 * gives and takes as heat and the processor's share allow goes up and down on both sides alike. */
static bool limits_go_with_sides(const struct aisp_evidence *ev)
{
    const struct aisp_card *c = &ev->machine.card;
    double *x[2], least[2], most[2];
    size_t n[2] = { 0, 0 };

    x[AISP_A] = aisp_xmalloc((c->n_blocks + 1) * sizeof **x);
    x[AISP_B] = aisp_xmalloc((c->n_blocks + 1) * sizeof **x);
    for (size_t i = 0; i < c->n_blocks; i++)
        for (int side = AISP_A; side <= AISP_B; side++)
            if (c->block[i].n > 0 && c->block[i].block >= 0 && is_of(ev, &c->block[i], side) && c->block[i].limit_mw_low >= 0)
                x[side][n[side]++] = 0.5 * (double)(c->block[i].limit_mw_low + c->block[i].limit_mw_high);
    for (int side = AISP_A; side <= AISP_B; side++) {
        aisp_sort(x[side], n[side]);
        least[side] = n[side] ? x[side][n[side] / 10] : 0;
        most[side] = n[side] ? x[side][n[side] - 1 - n[side] / 10] : 0;
        free(x[side]);
    }
    return n[AISP_A] >= SAMPLES_LEAST && n[AISP_B] >= SAMPLES_LEAST &&
           (most[AISP_A] < least[AISP_B] || most[AISP_B] < least[AISP_A]);
}

static void power_limit(const struct aisp_check *self, const struct aisp_evidence *ev,
                        struct aisp_findings *out)
{
    const struct aisp_card *c = &ev->machine.card;
    const struct limits all = limits_of(ev, -1), a = limits_of(ev, AISP_A), b = limits_of(ev, AISP_B);

    if (!all.n)
        return;
    if (all.low_mw != all.high_mw)
        aisp_find(out, self, limits_go_with_sides(ev) ? AISP_VIOLATION : AISP_DEVELOPMENT, -1,
                  "the card's power limit changed during the run: %.0f to %.0f W (%s down to %.0f, "
                  "%s down to %.0f), capped in %d of %d parts",
                  1e-3 * (double)all.low_mw, 1e-3 * (double)all.high_mw, ev->variant[AISP_A].name,
                  1e-3 * (double)a.low_mw, ev->variant[AISP_B].name, 1e-3 * (double)b.low_mw,
                  all.n_capped, all.n);
    else if (c->limit_default_mw > 0 && all.low_mw < c->limit_default_mw)
        aisp_find(out, self, AISP_DEVELOPMENT, -1,
                  "the card is limited to %.0f W, where %.0f W are its default",
                  1e-3 * (double)all.low_mw, 1e-3 * (double)c->limit_default_mw);
    if (a.n && b.n && abs(a.n_capped * 100 / a.n - b.n_capped * 100 / b.n) > 30)
        aisp_find(out, self, AISP_DEVELOPMENT, -1,
                  "the card was at its power limit in %d of %d parts of %s and %d of %d of %s",
                  a.n_capped, a.n, ev->variant[AISP_A].name, b.n_capped, b.n,
                  ev->variant[AISP_B].name);
}

AISP_CHECK(power_limit_check) = {
    .issue = 75,
    .name = "power-limit",
    .family = "environment",
    .title = "The card's power limit is its default or more, and the same on both sides",
    .needs = "gpu (proved with a fake NVML)",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 18,
    .examine = power_limit,
};

/* ---- 76 ---- */

static void changed(const struct aisp_check *self, const char *what, const char *before,
                    const char *after, struct aisp_findings *out)
{
    if (*before && *after && strcmp(before, after))
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "%s was \"%s\" before and \"%s\" after the run: two machines were compared", what,
                  before, after);
}

/* One run has one driver, kernel, microcode and processor; a machine that was moved meanwhile (live
 * migration), or whose driver was replaced, is another. */
static void driver_version(const struct aisp_check *self, const struct aisp_evidence *ev,
                           struct aisp_findings *out)
{
    changed(self, "the card's driver", ev->machine.card.driver, ev->machine.card.driver_after, out);
    changed(self, "the kernel", ev->before.kernel, ev->after.kernel, out);
    changed(self, "the microcode", ev->before.microcode, ev->after.microcode, out);
    changed(self, "the processor", ev->before.cpu_model, ev->after.cpu_model, out);
}

AISP_CHECK(driver_version_check) = {
    .issue = 76,
    .name = "driver-version",
    .family = "environment",
    .title =
        "Driver, kernel, microcode and processor are the same from the first window to the last",
    .needs = "cpu; the card's driver with a fake NVML",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 15,
    .examine = driver_version,
};
