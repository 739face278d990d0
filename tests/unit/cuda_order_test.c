/* cuda_order_test.c - what a trace says beyond when something ran: whether the stop mark waits for it, what its machine code
 * holds, and what was poisoned before. The records are written by tests/fixtures/records.h. */
#include "tests/fixtures/records.h"

/* ---- who waits for whom ---- */

/* The stop mark of window 1 comes after what the test enqueues: that of the scene is taken out and made again. */
static void stop_again(void)
{
    for (uint32_t i = area->n_calls; i-- > 0;)
        if (area->call[i].window == 1 && area->call[i].what != RECORD_EVENT && area->call[i].how & RECORD_HARNESS)
            area->call[i].window = -1;
    for (uint32_t i = 0; i < area->n_calls; i++)
        if (area->call[i].window == 1 && area->call[i].how & RECORD_HARNESS)
            area->call[i].stream = STREAM;
    harness(RECORD_EVENT, 1, go_of(1) + LONG - 18000);
    area->call[area->n_calls - 1].stream = STREAM;
    harness(RECORD_SYNC, 1, go_of(1) + LONG - 15000);
}

static void on_stream(int what, uint32_t stream, uint64_t event)
{
    struct record_call *c = call(what, 1, 0, go_of(1) + 4000);

    c->stream = stream;
    c->event = event;
}

/* A copy on the side stream that ends long before the mark. */
static struct record_call *copy_aside(void)
{
    struct record_call *c = call(RECORD_COPY, 1, 0, go_of(1) + 4000);

    strcpy(c->name, "cudaMemcpyAsync");
    ran(c, RECORD_COPY, go_of(1) + 10000, go_of(1) + 12000)->stream = SIDE_STREAM;
    return c;
}

static bool is_unjoined(void)
{
    make();
    return the_only(AISP_DEVICE_COPY)->how & AISP_HOW_UNJOINED;
}

static void work_that_the_mark_does_not_wait_for_is_told_though_it_ended_in_time(void **state)
{
    (void)state;
    copy_aside();
    on_stream(RECORD_EVENT, SIDE_STREAM, 0xe1);
    stop_again();
    assert_true(is_unjoined());
}

static void an_event_that_the_given_stream_waits_for_joins_what_was_before_it(void **state)
{
    (void)state;
    copy_aside();
    on_stream(RECORD_EVENT, SIDE_STREAM, 0xe1);
    on_stream(RECORD_WAIT, STREAM, 0xe1);
    stop_again();
    assert_false(is_unjoined());
}

static void an_event_joins_nothing_that_came_after_it(void **state)
{
    (void)state;
    on_stream(RECORD_EVENT, SIDE_STREAM, 0xe1);
    copy_aside();
    on_stream(RECORD_WAIT, STREAM, 0xe1);
    stop_again();
    assert_true(is_unjoined());
}

static void a_chain_of_streams_joins_too(void **state)
{
    enum { THIRD = 21 };

    (void)state;
    copy_aside();
    on_stream(RECORD_EVENT, SIDE_STREAM, 0xe1);
    on_stream(RECORD_WAIT, THIRD, 0xe1);
    on_stream(RECORD_EVENT, THIRD, 0xe2);
    on_stream(RECORD_WAIT, STREAM, 0xe2);
    stop_again();
    assert_false(is_unjoined());
}

static void what_the_host_waited_for_is_over(void **state)
{
    (void)state;
    copy_aside();
    on_stream(RECORD_SYNC, SIDE_STREAM, 0);
    stop_again();
    assert_false(is_unjoined());
}

static void a_wait_of_the_host_for_another_stream_joins_nothing(void **state)
{
    (void)state;
    copy_aside();
    on_stream(RECORD_SYNC, 21, 0);
    stop_again();
    assert_true(is_unjoined());
}

static void a_wait_for_what_is_not_seen_counts_for_the_variant(void **state)
{
    (void)state;
    copy_aside();
    on_stream(RECORD_WAIT, STREAM, 0);
    stop_again();
    assert_false(is_unjoined());
}

static void what_the_host_was_told_is_done_is_over(void **state)
{
    (void)state;
    copy_aside();
    on_stream(RECORD_SEEN, SIDE_STREAM, 0);
    stop_again();
    assert_false(is_unjoined());
}

static void an_event_that_nobody_recorded_joins_nothing(void **state)
{
    (void)state;
    copy_aside();
    on_stream(RECORD_WAIT, STREAM, 0xe1);
    stop_again();
    assert_true(is_unjoined());
}

static void an_event_that_a_graph_may_have_recorded_counts_for_the_variant(void **state)
{
    (void)state;
    area->graph[area->n_graphs++] = (struct record_graph){ .id = 5, .window = -1, .n_kernels = 1 };
    copy_aside();
    on_stream(RECORD_WAIT, STREAM, 0xe1);
    stop_again();
    assert_false(is_unjoined());
}

static void streams_that_wait_for_the_default_one_are_joined_through_it(void **state)
{
    enum { DEFAULT = 3, OTHER = 21 };

    (void)state;
    area->stream[area->n_streams++] = (struct record_stream){ CONTEXT, DEFAULT, 0, 0, 0 };
    on_stream(RECORD_STREAM, 0, 0);
    area->stream[area->n_streams++] = (struct record_stream){ CONTEXT, SIDE_STREAM, correlation, 0, 0 };
    on_stream(RECORD_STREAM, 0, 0);
    area->stream[area->n_streams++] = (struct record_stream){ CONTEXT, OTHER, correlation, 0, 0 };
    copy_aside();
    on_stream(RECORD_EVENT, DEFAULT, 0xe1);
    on_stream(RECORD_WAIT, STREAM, 0xe1);
    stop_again();
    assert_false(is_unjoined());
}

static void streams_that_both_wait_for_the_default_one_do_not_wait_for_each_other(void **state)
{
    enum { OTHER = 21 };

    (void)state;
    on_stream(RECORD_STREAM, 0, 0);
    area->stream[area->n_streams++] = (struct record_stream){ CONTEXT, SIDE_STREAM, correlation, 0, 0 };
    on_stream(RECORD_STREAM, 0, 0);
    area->stream[area->n_streams++] = (struct record_stream){ CONTEXT, OTHER, correlation, 0, 0 };
    copy_aside();
    on_stream(RECORD_EVENT, OTHER, 0xe1);
    on_stream(RECORD_WAIT, STREAM, 0xe1);
    stop_again();
    assert_true(is_unjoined());
}

static void a_copy_of_the_host_that_returns_when_it_is_done_joins_itself(void **state)
{
    (void)state;
    strcpy(copy_aside()->name, "cudaMemcpy");
    area->activity[area->n_activities - 1].to = RECORD_AT_PAGEABLE;
    stop_again();
    assert_false(is_unjoined());
}

static void nothing_is_unjoined_where_records_were_lost(void **state)
{
    (void)state;
    copy_aside();
    stop_again();
    area->n_lost = 1;
    assert_false(is_unjoined());
}

/* ---- machine code ---- */

static void a_kernel_is_told_what_its_code_says(void **state)
{
    const struct aisp_device_activity *k;

    (void)state;
    area->code[area->n_codes++] = (struct record_code){ .name = 9, .math = "f16" };
    area->code[area->n_codes++] = (struct record_code){ .name = 4, .math = "tf32", .is_sparse = 1, .launches = 1 };
    ran(call(RECORD_KERNEL, 1, 1, go_of(1) + 4000), RECORD_KERNEL, go_of(1) + 10000, go_of(1) + 90000)->code = 4;
    make();
    k = the_only(AISP_DEVICE_KERNEL);
    assert_string_equal(k->math, "tf32");
    assert_true(k->how & AISP_HOW_SPARSE && k->how & AISP_HOW_LAUNCHES);
}

static void codes_are_bounded_and_their_texts_end(void **state)
{
    const struct aisp_device_activity *k;

    (void)state;
    area->n_codes = UINT32_MAX;
    memset(area->code, 0x41, sizeof area->code);
    area->code[7].name = 4;
    ran(call(RECORD_KERNEL, 1, 1, go_of(1) + 4000), RECORD_KERNEL, go_of(1) + 10000, go_of(1) + 90000)->code = 4;
    make();
    k = the_only(AISP_DEVICE_KERNEL);
    assert_string_equal(k->math, "???????");
}

static void kernels_that_never_ran_are_counted_once(void **state)
{
    const struct aisp_device_activity *k;

    (void)state;
    area->code[area->n_codes++] = (struct record_code){ .name = 9, .hash = 0xab };
    area->code[area->n_codes++] = (struct record_code){ .name = 4, .hash = 0xcd };
    area->code[area->n_codes++] = (struct record_code){ .name = 9, .hash = 0xab }; /* loaded again */
    ran(call(RECORD_KERNEL, 1, 1, go_of(1) + 4000), RECORD_KERNEL, go_of(1) + 10000, go_of(1) + 90000)->code = 4;
    make();
    k = the_only(AISP_DEVICE_KERNEL);
    assert_string_equal(k->code, "00000000000000cd");
    assert_int_equal(trace.n_kernels, 2);
    assert_int_equal(trace.n_kernels_idle, 1);
}

static void of_kernels_with_one_name_and_two_codes_none_is_told(void **state)
{
    (void)state;
    area->code[area->n_codes++] = (struct record_code){ .name = 4, .hash = 0xab };
    area->code[area->n_codes++] = (struct record_code){ .name = 4, .hash = 0xcd };
    ran(call(RECORD_KERNEL, 1, 1, go_of(1) + 4000), RECORD_KERNEL, go_of(1) + 10000, go_of(1) + 90000)->code = 4;
    make();
    assert_string_equal(the_only(AISP_DEVICE_KERNEL)->code, "");
}

static void kernels_are_not_counted_where_some_were_lost(void **state)
{
    (void)state;
    area->code[area->n_codes++] = (struct record_code){ .name = 9, .hash = 0xab };
    area->n_lost = 1;
    make();
    assert_int_equal(trace.n_kernels, 0);
}

static void a_module_that_could_not_be_read_is_told(void **state)
{
    (void)state;
    call(RECORD_COMPILE, -1, -1, 20000)->how = RECORD_UNREAD;
    make();
    assert_true(the_only(AISP_DEVICE_COMPILE)->how & AISP_HOW_UNREAD);
}

static void a_poisoned_workspace_is_told_where_there_is_one(void **state)
{
    (void)state;
    seen.window[1].is_poisoned = true;
    make();
    assert_false(trace.window[1].workspace_poisoned);
    aisp_device_trace_release(&trace);
    area->workspace_bytes = 64;
    make();
    assert_true(trace.window[1].workspace_poisoned && !trace.window[0].workspace_poisoned);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE(work_that_the_mark_does_not_wait_for_is_told_though_it_ended_in_time),
        SCENE(an_event_that_the_given_stream_waits_for_joins_what_was_before_it),
        SCENE(an_event_joins_nothing_that_came_after_it),
        SCENE(a_chain_of_streams_joins_too),
        SCENE(what_the_host_waited_for_is_over),
        SCENE(a_wait_of_the_host_for_another_stream_joins_nothing),
        SCENE(a_wait_for_what_is_not_seen_counts_for_the_variant),
        SCENE(a_copy_of_the_host_that_returns_when_it_is_done_joins_itself),
        SCENE(what_the_host_was_told_is_done_is_over),
        SCENE(an_event_that_nobody_recorded_joins_nothing),
        SCENE(an_event_that_a_graph_may_have_recorded_counts_for_the_variant),
        SCENE(streams_that_wait_for_the_default_one_are_joined_through_it),
        SCENE(streams_that_both_wait_for_the_default_one_do_not_wait_for_each_other),
        SCENE(nothing_is_unjoined_where_records_were_lost),
        SCENE(a_kernel_is_told_what_its_code_says),
        SCENE(codes_are_bounded_and_their_texts_end),
        SCENE(kernels_that_never_ran_are_counted_once),
        SCENE(of_kernels_with_one_name_and_two_codes_none_is_told),
        SCENE(kernels_are_not_counted_where_some_were_lost),
        SCENE(a_module_that_could_not_be_read_is_told),
        SCENE(a_poisoned_workspace_is_told_where_there_is_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
