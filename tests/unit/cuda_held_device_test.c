/* cuda_held_device_test.c - held windows on the card of this machine, if there is one. As a test: calls that are queued before their contents
 * are there compute those, a call that waits is refused, a graph is held. With "figures": what a held window adds to what the card does,
 * beside a window of the call's scope and beside the kernels' spans as CUPTI records them.
 * Not here: the protocol and its faults, which need no card (cuda_held_test.c). */
#include "tests/fixtures/session.h"

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

static int has_card;

static void must_open(struct session_rig *r, const char *variant, int64_t n)
{
    if (!has_card)
        skip();
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
            printf("%-6s %5lld %-6s %s\n", variant, (long long)calls, held ? "kernel" : "call", is_held == held ? r->err.text : "cannot be held");
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
    printf("%-6s %5lld %-6s %9.2f %9.2f %9.2f %8.2f %8.2f %8.2f %9.3f %9.3f %9.0f\n", variant, (long long)calls, held ? "kernel" : "call",
           quantile(window, n, 0.05), quantile(window, n, 0.5), quantile(window, n, 0.95), quantile(hidden, n, 0.05), quantile(hidden, n, 0.5),
           quantile(hidden, n, 0.95), quantile(each, n, 0.5), quantile(inner, n, 0.5) / (double)calls, quantile(gap, n, 0.5));
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
        printf("%-6s CUPTI: %d kernels, span p5 %.3f median %.3f p95 %.3f us; start to start p5 %.3f median %.3f us\n", variant, n,
               quantile(span, n, 0.05), quantile(span, n, 0.5), quantile(span, n, 0.95), quantile(step, n_steps, 0.05),
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

static int print_figures(void)
{
    static const int64_t few[] = { 1, 16, 100, 400, 900 }, some[] = { 1, 40, 280 }, graphs[] = { 1, 10 };

    printf("us; n: elements\nvariant  K  scope   window p5    median       p95  hidden5   median      p95   window/K   events/K       gap\n");
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
    has_card = b && b->probe(&err) == AISP_OK;
    if (!has_card)
        printf("skipped: %s\n", b ? err.text : "no device cuda");
    if (argc > 1 && !strcmp(argv[1], "figures"))
        return has_card ? print_figures() : 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
