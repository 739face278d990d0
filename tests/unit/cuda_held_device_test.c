/* cuda_held_device_test.c - held windows on the card of this machine, if there is one. As a test: calls that are queued before
 * their contents are there compute those, a call that waits is refused, a graph is held. With "figures": what a held window adds
 * to what the card does, beside a window of the call's scope and beside the kernels' spans as CUPTI records them. With "causes":
 * how far two processes of one variant are apart, and what that depends on.
 * Not here: the protocol and its faults, which need no card (cuda_held_test.c). */
#include "tests/fixtures/session.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/stats/stats.h"

enum { SLOTS = 4, MOST_CALLS = 1024, WINDOWS = 60, SETTLING = 8 };

static char home[4000]; /* of this program, with the variants below it */

static void find_home(void)
{
    const ssize_t n = readlink("/proc/self/exe", home, sizeof home - 1);

    home[n > 0 ? n : 0] = 0;
    if (strrchr(home, '/'))
        *strrchr(home, '/') = 0;
}

static bool open_on_card(struct session_rig *r, const char *variant, int64_t n, enum aisp_scope scope, bool is_audit)
{
    memset(r, 0, sizeof *r);
    session_instance(&r->inst, n);
    r->cpu = aisp_backend_find("cuda");
    r->spec = (struct aisp_session_spec){ .inst = &r->inst,
                                          .n_slots = SLOTS,
                                          .n_threads = 1,
                                          .spin = true,
                                          .secret = { { 7 } },
                                          .setup_timeout_ns = 20000000000,
                                          .call_timeout_ns = 10000000000,
                                          .memory_limit_bytes = INT64_C(4) << 30,
                                          .scope = scope,
                                          .is_audit = is_audit };
    r->ref[0].path = aisp_format("%s/held_cuda/%s.so", home, variant);
    if (aisp_declaration_read(r->ref[0].path, &r->ref[0].decl, &r->err) == AISP_OK) {
        r->spec.variant[AISP_A] = &r->ref[0];
        if (session_open(r) == AISP_OK)
            return true;
    }
    printf("%s: %s\n", variant, r->err.text);
    if (r->session)
        r->cpu->close(r->session);
    free(r->ref[0].path);
    return false;
}

/* One window with fresh contents, held or not. False: it could not be, which err says, or *is_held. */
static bool take(struct session_rig *r, int64_t calls, uint32_t nth, bool *is_held, struct aisp_window *w)
{
    static int32_t slot[SLOTS] = { 2, 0, 3, 1 };
    const struct aisp_order order = { slot, SLOTS, calls, NULL, NULL };

    memset(w, 0, sizeof *w);
    if (*is_held && r->cpu->hold(r->session, AISP_A, &order, is_held, &r->seen, &r->err))
        return false;
    session_fill(r, 100 * nth);
    return r->cpu->window(r->session, AISP_A, &order, w, &r->seen, &r->err) == AISP_OK;
}

static void must_open(struct session_rig *r, const char *variant, int64_t n)
{
    if (!open_on_card(r, variant, n, AISP_SCOPE_KERNEL, false))
        fail_msg("%s", r->err.text);
}

static void computes(const char *variant)
{
    struct session_rig r;
    struct aisp_window w;
    bool is_held = false;

    must_open(&r, variant, 100000);
    if (!take(&r, 8, 1, &is_held, &w))
        fail_msg("%s", r.err.text);
    for (uint32_t i = 2; i < 6; i++) {
        is_held = true;
        if (!take(&r, 8, i, &is_held, &w))
            fail_msg("%s", r.err.text);
        assert_true(is_held);
        for (int s = 0; s < SLOTS; s++)
            assert_int_equal(session_right(&r, AISP_A, s), 100000);
        assert_true(w.inner_ns > 0 && w.window_ns > 0);
    }
    session_close(&r);
}

static void a_kernel_computes_what_came_after_it_was_queued(void **state)
{
    (void)state;
    computes("add");
}

static void a_graph_computes_what_came_after_it_was_queued(void **state)
{
    (void)state;
    computes("graph");
}

static void a_call_that_waits_cannot_be_held(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    bool is_held = true;

    (void)state;
    must_open(&r, "waits", 100000);
    if (!take(&r, 4, 1, &is_held, &w))
        fail_msg("%s", r.err.text);
    assert_false(is_held);
    assert_int_equal(session_right(&r, AISP_A, 0), 100000);
    session_close(&r);
}

static void more_than_the_queue_has_room_for_cannot_be_held(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    bool is_held = false;

    (void)state;
    must_open(&r, "empty", 100000);
    if (!take(&r, 8, 1, &is_held, &w))
        fail_msg("%s", r.err.text);
    is_held = true;
    if (!take(&r, 20000, 2, &is_held, &w))
        fail_msg("%s", r.err.text);
    assert_false(is_held);
    session_close(&r);
}

/* ---- figures ---- */

static double quantile(double *x, int n, double p)
{
    double *sorted = aisp_xmalloc((size_t)n * sizeof *sorted), q;

    memcpy(sorted, x, (size_t)n * sizeof *sorted);
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && sorted[j] < sorted[j - 1]; j--) {
            const double t = sorted[j];

            sorted[j] = sorted[j - 1];
            sorted[j - 1] = t;
        }
    q = aisp_quantile_sorted(sorted, (size_t)n, p);
    free(sorted);
    return 1e-3 * q;
}

static void print_windows(struct session_rig *r, const char *variant, int64_t calls, bool held)
{
    double window[WINDOWS], hidden[WINDOWS], each[WINDOWS], inner[WINDOWS], gap[WINDOWS];
    struct aisp_window w;
    int n = 0;

    for (uint32_t i = 0; i < WINDOWS + SETTLING; i++) {
        bool is_held = held;

        if (!take(r, calls, i + 1, &is_held, &w) || is_held != held) {
            printf("%-6s %5lld %-6s %s\n", variant, (long long)calls, held ? "kernel" : "call",
                   is_held == held ? r->err.text : "cannot be held");
            return;
        }
        if (i < SETTLING)
            continue;
        window[n] = (double)w.window_ns;
        inner[n] = (double)w.inner_ns;
        hidden[n] = window[n] - inner[n];
        gap[n] = (double)w.gap_ns;
        each[n] = window[n] / (double)calls;
        n++;
    }
    printf("%-6s %5lld %-6s %9.2f %9.2f %9.2f %8.2f %8.2f %8.2f %9.3f %9.3f %9.0f\n", variant, (long long)calls,
           held ? "kernel" : "call", quantile(window, n, 0.05), quantile(window, n, 0.5), quantile(window, n, 0.95),
           quantile(hidden, n, 0.05), quantile(hidden, n, 0.5), quantile(hidden, n, 0.95), quantile(each, n, 0.5),
           quantile(inner, n, 0.5) / (double)calls, quantile(gap, n, 0.5));
}

/* Of the kernels of the audited windows, as CUPTI records them: how long one takes, and from one's start to the next one's. */
static void print_spans(const char *variant, int64_t n_elements)
{
    static struct aisp_device_trace trace;
    double span[MOST_CALLS], step[MOST_CALLS];
    struct session_rig r;
    struct aisp_window w;
    int64_t before = -1;
    int n = 0, n_steps = 0;

    if (!open_on_card(&r, variant, n_elements, AISP_SCOPE_CALL, true))
        return;
    for (uint32_t i = 0; i < 4; i++) {
        bool is_held = false;

        if (!take(&r, 32, i + 1, &is_held, &w))
            printf("%s: %s\n", variant, r.err.text);
    }
    r.cpu->trace(r.session, AISP_A, &trace);
    for (size_t i = 0; i < trace.n_activities; i++) {
        const struct aisp_device_activity *a = &trace.activity[i];

        if (a->kind != AISP_DEVICE_KERNEL || a->window < 1 || a->end_ns < 0 || n == MOST_CALLS)
            continue;
        if (before >= 0 && a->call > 0)
            step[n_steps++] = (double)(a->start_ns - before);
        before = a->start_ns;
        span[n++] = (double)(a->end_ns - a->start_ns);
    }
    if (n && n_steps)
        printf("%-6s CUPTI: %d kernels, span p5 %.3f median %.3f p95 %.3f us; start to start p5 %.3f median %.3f us\n",
               variant, n, quantile(span, n, 0.05), quantile(span, n, 0.5), quantile(span, n, 0.95), quantile(step, n_steps,
               0.05),
               quantile(step, n_steps, 0.5));
    else
        printf("%-6s CUPTI: nothing was recorded\n", variant);
    aisp_device_trace_release(&trace);
    session_close(&r);
}

static void print_variant(const char *variant, int64_t n, const int64_t *calls, int n_calls)
{
    struct session_rig r;

    for (int scope = AISP_SCOPE_CALL; scope < AISP_N_SCOPES; scope++) {
        if (!open_on_card(&r, variant, n, (enum aisp_scope)scope, false))
            return;
        if (scope == AISP_SCOPE_KERNEL) { /* what is loaded late is loaded */
            struct aisp_window w;

            take(&r, 4, 1, &(bool){ false }, &w);
        }
        for (int i = 0; i < n_calls; i++)
            print_windows(&r, variant, calls[i], scope == AISP_SCOPE_KERNEL);
        session_close(&r);
    }
    print_spans(variant, n);
}

/* ---- where differences between two copies of one variant come from ---- */

static double median_of(double *x, int n)
{
    return 1e3 * quantile(x, n, 0.5);
}

static double sd_of(const double *x, int n)
{
    double mean = 0, sum = 0;

    for (int i = 0; i < n; i++)
        mean += x[i] / n;
    for (int i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return n > 1 ? sqrt(sum / (n - 1)) : NAN;
}

enum { CAUSE_PAIRS = 8, CAUSE_BLOCKS = 10 };

/* One pair of processes: log ratios of their medians, of the halves of the first one's windows, and the first one's median. */
static bool take_pair(const char *variant, int64_t n, int n_slots, int64_t calls, bool b_first, double out[3])
{
    double each[2][2 * CAUSE_BLOCKS], half[2][2 * CAUSE_BLOCKS];
    int count[2] = { 0, 0 }, n_half[2] = { 0, 0 };
    struct session_rig r;
    struct aisp_window w;
    uint32_t nth = 0;
    int32_t slot[SLOTS];

    memset(&r, 0, sizeof r);
    session_instance(&r.inst, n);
    r.cpu = aisp_backend_find("cuda");
    r.spec = (struct aisp_session_spec){ .inst = &r.inst, .n_slots = n_slots, .n_threads = 1, .spin = true, .b_first = b_first,
                                         .secret = { { 7, (unsigned char)b_first } }, .setup_timeout_ns = 20000000000,
                                         .call_timeout_ns = 10000000000, .memory_limit_bytes = INT64_C(4) << 30,
                                         .scope = AISP_SCOPE_KERNEL };
    for (int side = 0; side < 2; side++) {
        r.ref[side].path = aisp_format("%s/held_cuda/%s.so", home, variant);
        aisp_declaration_read(r.ref[side].path, &r.ref[side].decl, &r.err);
        r.spec.variant[side] = &r.ref[side];
    }
    if (session_open(&r)) {
        printf("%s\n", r.err.text);
        return false;
    }
    for (int s = 0; s < n_slots; s++)
        slot[s] = s;
    for (int i = -4; i < 4 * CAUSE_BLOCKS; i++) {
        const enum aisp_side side = (i & 3) == 0 || (i & 3) == 3 ? AISP_A : AISP_B;
        const struct aisp_order order = { slot, n_slots, calls, NULL, NULL };
        bool is_held = i >= 0;

        memset(&w, 0, sizeof w);
        if (is_held && r.cpu->hold(r.session, side, &order, &is_held, &r.seen, &r.err))
            return false;
        session_fill(&r, 100 * ++nth);
        if (r.cpu->window(r.session, side, &order, &w, &r.seen, &r.err) || (i >= 0 && !is_held))
            return false;
        if (i < 0)
            continue;
        if (side == AISP_A)
            half[count[AISP_A] & 1][n_half[count[AISP_A] & 1]++] = (double)w.window_ns;
        each[side][count[side]++] = (double)w.window_ns;
    }
    out[0] = log(median_of(each[AISP_A], count[AISP_A]) / median_of(each[AISP_B], count[AISP_B]));
    out[1] = log(median_of(half[0], n_half[0]) / median_of(half[1], n_half[1]));
    out[2] = median_of(each[AISP_A], count[AISP_A]) / (double)calls;
    session_close(&r);
    return true;
}

static void print_causes_of(const char *variant, int64_t n, int n_slots, int64_t calls)
{
    double pair[CAUSE_PAIRS], half[CAUSE_PAIRS], process[CAUSE_PAIRS], first[2] = { 0, 0 };

    for (int i = 0; i < CAUSE_PAIRS; i++) {
        double one[3];

        if (!take_pair(variant, n, n_slots, calls, i & 1, one))
            return;
        pair[i] = one[0];
        half[i] = one[1];
        process[i] = log(one[2]);
        first[i & 1] += one[0] / (CAUSE_PAIRS / 2);
    }
    printf("%-5s n %8lld slots %d (%5.1f MB) call %6.3f us | SD %%: pair %6.3f  halves of one process %6.3f  from session to"
           " session %6.3f | A first %+.3f, B first %+.3f | pairs %%",
           variant, (long long)n, n_slots, 1e-6 * (double)(8 * n * n_slots + 4 * n), 1e-3 * exp(process[CAUSE_PAIRS - 1]),
           100 * sd_of(pair, CAUSE_PAIRS), 100 * sd_of(half, CAUSE_PAIRS), 100 * sd_of(process, CAUSE_PAIRS), 100 * first[0],
           100 * first[1]);
    for (int i = 0; i < CAUSE_PAIRS; i++)
        printf(" %+.2f", 100 * pair[i]);
    printf("\n");
}

static int print_causes(void)
{
    print_causes_of("add", 1000000, 4, 280);
    print_causes_of("add", 1000000, 2, 280);
    print_causes_of("add", 1000000, 1, 280);
    print_causes_of("add", 300000, 4, 400);
    print_causes_of("empty", 1000, 4, 400);
    return 0;
}

static int print_figures(void)
{
    static const int64_t few[] = { 1, 16, 100, 400, 900 }, some[] = { 1, 40, 280 }, graphs[] = { 1, 10 };

    printf("us; n: elements\nvariant  K  scope   window p5    median       p95  hidden5   median      p95   window/K   events/K"
           "       gap\n");
    print_variant("empty", 1000, few, 5);
    print_variant("add", 1000000, some, 3);
    print_variant("graph", 1000, graphs, 2);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_computes_what_came_after_it_was_queued),
        cmocka_unit_test(a_graph_computes_what_came_after_it_was_queued),
        cmocka_unit_test(a_call_that_waits_cannot_be_held),
        cmocka_unit_test(more_than_the_queue_has_room_for_cannot_be_held),
    };
    const struct aisp_backend *b = aisp_backend_find("cuda");
    struct aisp_err err;

    find_home();
    if (!b || b->probe(&err)) {
        printf("skipped: %s\n", b ? err.text : "no device cuda");
        return 77;
    }
    if (argc > 1)
        return !strcmp(argv[1], "causes") ? print_causes() : print_figures();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
