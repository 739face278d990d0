/* workload_device.c - is it the declared arithmetic that runs on the device, under the same policies on both sides? */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "checks/device.h"

/* Bits of the significand and more: what an arithmetic is worth. 0: unknown. */
static int width_of(const char *math)
{
    static const struct {
        const char *name;
        int bits;
    } known[] = { { "f64", 64 }, { "f32", 32 }, { "tf32", 19 },  { "f16", 16 },   { "bf16", 16 },
                  { "f8", 8 },   { "i8", 8 },   { "f8e4m3", 8 }, { "f8e5m2", 8 }, { "f4", 4 },
                  { "i4", 4 },   { "b1", 1 } };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(math, known[i].name))
            return known[i].bits;
    return 0;
}

/* What a kernel's name says of its arithmetic; "": nothing. A name proves nothing. */
static const char *math_in_name(const char *name)
{
    static const char *const word[] = { "tf32", "bf16", "f16", "e4m3", "e5m2", "int8" };
    static const char *const math[] = { "tf32", "bf16", "f16", "f8", "f8", "i8" };

    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strstr(name, word[i]))
            return math[i];
    return "";
}

static bool is_unread(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return a->kind == AISP_DEVICE_COMPILE && a->how & AISP_HOW_UNREAD;
}

static void find_unread(const struct aisp_check *self, const struct aisp_evidence *ev, int side, struct aisp_findings *out)
{
    char where[192];
    int64_t n;

    if (aisp_device_seek(ev, side, is_unread, where, &n))
        aisp_find(out, self, AISP_DEVELOPMENT, side,
                  "%s: what it loaded could not be read (%lld of them): which types its kernels multiply is not known", where,
                  (long long)n);
}

static void precision_mismatch_device(const struct aisp_check *self, const struct aisp_evidence *ev,
                                      struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side);

        for (size_t i = 0; t && i < t->n_activities; i++) {
            const struct aisp_device_activity *a = &t->activity[i];
            const char *math = *a->math ? a->math : math_in_name(a->name);
            char where[192];

            if (a->kind != AISP_DEVICE_KERNEL || !width_of(math) ||
                width_of(math) >= width_of(t->math) || aisp_device_declares(ev, side, math))
                continue;
            aisp_device_where(ev, side, a, where);
            aisp_find(out, self, *a->math ? AISP_VIOLATION : AISP_DEVELOPMENT, side,
                      "%s: %s %s, the problem asks for %s (uses: %s)", where,
                      *a->math ? "its code multiplies in" : "its name says", math, t->math, math);
            break;
        }
        if (t)
            find_unread(self, ev, side, out);
    }
}

AISP_CHECK(precision_mismatch_device_check) = {
    .issue = 18,
    .name = "precision-mismatch-device",
    .family = "workload",
    .title = "Matrix instructions of a narrower type than the problem's are declared",
    .needs = "gpu",
    .incident = "half precision inside tasks that were declared single, 2025",
    .severity = AISP_VIOLATION,
    .rank = 17,
    .examine = precision_mismatch_device,
};

static const struct aisp_device_policy *first_of(const struct aisp_device_trace *t,
                                                 const char *name)
{
    for (size_t i = 0; i < t->n_policies; i++)
        if (!strcmp(t->policy[i].name, name))
            return &t->policy[i];
    return NULL;
}

static void drift_of(const struct aisp_check *self, const struct aisp_evidence *ev, int side,
                     struct aisp_findings *out)
{
    const struct aisp_device_trace *t = aisp_device_of(ev, side);

    for (size_t i = 0; i < t->n_policies; i++) {
        const struct aisp_device_policy *now = &t->policy[i], *first = first_of(t, now->name);
        char window[32] = "";

        if (!strcmp(now->value, first->value))
            continue;
        if (now->window >= 0)
            snprintf(window, sizeof window, ", audit window %d", now->window);
        aisp_find(out, self, AISP_VIOLATION, side, "%s: %s was \"%s\" in %s and is \"%s\" in %s%s", ev->variant[side].name,
                  now->name, first->value, aisp_phase_name((enum aisp_phase)first->phase), now->value,
                  aisp_phase_name((enum aisp_phase)now->phase), window);
        return;
    }
}

static void backend_policy_drift_device(const struct aisp_check *self,
                                        const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_device_trace *a = aisp_device_of(ev, AISP_A), *b = aisp_device_of(ev, AISP_B);

    for (int side = AISP_A; side <= AISP_B; side++)
        if (aisp_device_of(ev, side) && !aisp_device_declares(ev, side, "policy"))
            drift_of(self, ev, side, out);
    for (size_t i = 0; a && b && i < a->n_policies; i++) {
        const struct aisp_device_policy *other = first_of(b, a->policy[i].name);

        if (first_of(a, a->policy[i].name) != &a->policy[i] || !other ||
            !strcmp(other->value, a->policy[i].value))
            continue;
        aisp_find(out, self, AISP_VIOLATION, AISP_B,
                  "%s begins with %s \"%s\", %s with \"%s\": the sides run under different rules",
                  ev->variant[AISP_B].name, other->name, other->value, ev->variant[AISP_A].name,
                  a->policy[i].value);
    }
}

AISP_CHECK(backend_policy_drift_device_check) = {
    .issue = 19,
    .name = "backend-policy-drift-device",
    .family = "workload",
    .title = "What libraries go by (environment, limits of the context) is the same on both sides and stays so",
    .needs = "gpu",
    .incident = "a global switch to a narrower type that only the contender had, 2025",
    .severity = AISP_VIOLATION,
    .rank = 16,
    .examine = backend_policy_drift_device,
};

static bool is_sparse(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return a->kind == AISP_DEVICE_KERNEL && a->how & AISP_HOW_SPARSE;
}

static void sparsity_mismatch_device(const struct aisp_check *self, const struct aisp_evidence *ev,
                                     struct aisp_findings *out)
{
    aisp_find_undeclared(self, ev, "sparsity", is_sparse, "an instruction for sparse matrices",
                         out);
}

AISP_CHECK(sparsity_mismatch_device_check) = {
    .issue = 25,
    .name = "sparsity-mismatch-device",
    .family = "workload",
    .title = "Instructions that skip every other weight are declared",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 17,
    .examine = sparsity_mismatch_device,
};
