/* cuda_trace_test.c - the trace of an audit session on a card. The records are written by this file, as a recorder would write them:
 * nothing here is a result of a device. And an audit session on the fake driver (tests/fake_cuda), where the recorder is loaded,
 * finds no card and says so through the memory that it shares.
 * Not here: the recorder at work, which needs a card; what a trace means (device_trace_test.c). */
#include "tests/fixtures/session.h"

#include "backends/cuda/cuda.h"
#include "backends/cuda/judge.h"
#include "checks/check.h"
#include "core/evidence.h"
#include "tests/fake_cuda/place.h"
#include "tests/fixtures/records.h"

static void an_empty_scene_is_taken_and_alive(void **state)
{
    (void)state;
    make();
    assert_true(trace.taken && trace.alive);
    assert_int_equal(trace.n_activities, 0);
    assert_int_equal(trace.n_windows, 2);
    assert_int_equal(trace.audit_calls, 4);
    assert_int_equal(trace.audit_launches, 0);
    assert_int_equal(trace.window[1].go_ns, go_of(1));
    assert_int_equal(trace.window[1].start_mark_ns, go_of(1) + 2000);
    assert_int_equal(trace.window[1].stop_mark_ns, go_of(1) + LONG - 19000);
    assert_int_equal(trace.window[1].host_cpu_ns, LONG - 220000);
    assert_int_equal(trace.window_slack_ns, 9000);
    assert_true(trace.n_streams == 1 && trace.stream[0].is_harness && trace.stream[0].non_blocking);
    assert_true(trace.n_contexts == 1 && trace.context[0].is_harness);
}

/* Until it has its turn on the card the worker spins. */
static void cpu_time_before_go_is_nobodys_work(void **state)
{
    (void)state;
    seen.window[1].cpu_ns += 5000000;
    seen.window[1].gap_ns = 5000000;
    make();
    assert_int_equal(trace.window[1].host_cpu_ns, LONG - 220000);
}

static void a_kernel_has_the_call_that_launched_it_and_the_supervisors_time(void **state)
{
    struct record_activity *a;
    const struct aisp_device_activity *k;

    (void)state;
    a = ran(call(RECORD_KERNEL, 1, 1, go_of(1) + 4000), RECORD_KERNEL, go_of(1) + 10000, go_of(1) + 90000);
    a->n_blocks = 132;
    a->n_threads = 256;
    a->shared_bytes = 4096;
    make();
    k = the_only(AISP_DEVICE_KERNEL);
    assert_string_equal(k->name, "rsqrt_rows");
    assert_true(k->window == 1 && k->call == 1 && k->slot == 1 && k->stream == STREAM && k->n_blocks == 132);
    assert_true(k->n_threads == 256 && k->shared_bytes == 4096);
    assert_int_equal(k->enqueued_ns, go_of(1) + 4000);
    assert_in_range(k->start_ns - go_of(1), 10000 - 1, 10000 + 1);
    assert_in_range(k->end_ns - go_of(1), 90000 - 1, 90000 + 1);
    assert_int_equal(trace.audit_launches, 1);
    assert_int_equal(k->phase, AISP_PHASE_TIMED);
}

static void a_record_of_the_inner_call_finds_the_outer_one(void **state)
{
    struct record_call *c;

    (void)state;
    c = call(RECORD_KERNEL, 0, 0, go_of(0) + 4000);
    c->inner = 900;
    ran(c, RECORD_KERNEL, go_of(0) + 10000, go_of(0) + 20000)->correlation = 900;
    make();
    assert_int_equal(the_only(AISP_DEVICE_KERNEL)->call, 0);
}

static void clocks_that_drift_apart_are_brought_together(void **state)
{
    const int64_t at = go_of(0) + 50000, from = 1000, to = go_of(0) + LONG + 50000;
    const struct aisp_device_activity *k;

    (void)state;
    area->pair[1].device += 10000; /* ten microseconds more at the end of the first window */
    ran(call(RECORD_KERNEL, 0, 0, at), RECORD_KERNEL, at + 10000 * (at - from) / (to - from), at + 100000);
    make();
    k = the_only(AISP_DEVICE_KERNEL);
    assert_in_range(k->start_ns - at + 50, 0, 100);
    assert_int_equal(trace.clock_error_ns, 201);
}

static void a_worker_cannot_widen_the_error_of_its_clock(void **state)
{
    (void)state;
    area->pair[0].before_ns -= 90000;
    area->pair[0].after_ns += 90000;
    make();
    assert_int_equal(trace.clock_error_ns, 20000);
}

static void a_copy_names_the_tensors_of_its_call(void **state)
{
    struct record_call *c;
    const struct aisp_device_activity *a;

    (void)state;
    c = call(RECORD_COPY, 1, 1, go_of(1) + 4000);
    c->from = 0x30010;
    c->to = 0x40000;
    ran(c, RECORD_COPY, go_of(1) + 10000, go_of(1) + 11000)->from = RECORD_AT_DEVICE;
    make();
    a = the_only(AISP_DEVICE_COPY);
    assert_true(a->source == X && a->target == Y && a->from == AISP_AT_DEVICE);
}

static void a_copy_from_elsewhere_is_from_the_variants_own_memory(void **state)
{
    struct record_call *c;

    (void)state;
    area->workspace = 0x70000;
    area->workspace_bytes = 4096;
    c = call(RECORD_COPY, 1, 1, go_of(1) + 4000);
    c->from = 0x90000;
    c->to = 0x70008;
    ran(c, RECORD_COPY, go_of(1) + 10000, go_of(1) + 11000);
    make();
    assert_int_equal(the_only(AISP_DEVICE_COPY)->source, AISP_PLACE_OWN);
    assert_int_equal(the_only(AISP_DEVICE_COPY)->target, AISP_PLACE_WORKSPACE);
}

static void another_slots_tensor_is_none_of_the_calls(void **state)
{
    struct record_call *c;

    (void)state;
    c = call(RECORD_COPY, 1, 1, go_of(1) + 4000);
    c->from = 0x10000;
    c->to = 0x40000;
    ran(c, RECORD_COPY, go_of(1) + 10000, go_of(1) + 11000);
    make();
    assert_int_equal(the_only(AISP_DEVICE_COPY)->source, AISP_PLACE_UNKNOWN);
}

static void what_was_captured_or_failed_was_not_enqueued(void **state)
{
    (void)state;
    call(RECORD_KERNEL, 0, 0, go_of(0) + 4000)->how = RECORD_CAPTURED;
    call(RECORD_KERNEL, 0, 1, go_of(0) + 5000)->how = RECORD_FAILED;
    make();
    assert_int_equal(trace.n_activities, 0);
    assert_int_equal(trace.audit_launches, 0);
}

static void a_kernel_without_an_end_is_told(void **state)
{
    (void)state;
    call(RECORD_KERNEL, -1, -1, 20000);
    make();
    assert_int_equal(the_only(AISP_DEVICE_KERNEL)->end_ns, -1);
    assert_int_equal(the_only(AISP_DEVICE_KERNEL)->phase, AISP_PHASE_SETUP);
}

static void a_kernel_without_a_record_proves_nothing_where_records_were_lost(void **state)
{
    (void)state;
    call(RECORD_KERNEL, -1, -1, 20000);
    area->n_lost = 3;
    make();
    assert_int_equal(trace.n_activities, 0);
    assert_int_equal(trace.n_dropped, 3);
}

static void a_graphs_work_belongs_to_its_launch(void **state)
{
    struct record_call *c;
    const struct aisp_device_activity *k;

    (void)state;
    area->graph[area->n_graphs++] = (struct record_graph){ .id = 5,
                                                           .window = -1,
                                                           .phase = RECORD_SETUP,
                                                           .n_kernels = 2,
                                                           .is_described = 1,
                                                           .n_hits = 2,
                                                           .hit = { 0x30000, 0x40000 } };
    c = call(RECORD_GRAPH, 1, 1, go_of(1) + 4000);
    c->graph = 5;
    ran(c, RECORD_KERNEL, go_of(1) + 10000, go_of(1) + 20000)->graph = 77;
    make();
    k = the_only(AISP_DEVICE_KERNEL);
    assert_true(k->how & AISP_HOW_GRAPH && k->graph == 5 && k->call == 1);
    assert_int_equal(trace.n_graphs, 1);
    assert_true(trace.graph[0].slot == 1 && trace.graph[0].n_inputs == 1 && trace.graph[0].n_inputs_read == 1);
    assert_int_equal(trace.audit_launches, 1);
}

static void a_graph_that_is_given_other_arguments_reads_what_it_is_given(void **state)
{
    (void)state;
    area->graph[area->n_graphs++] = (struct record_graph){ .id = 5, .window = -1, .n_kernels = 1, .is_described = 1 };
    call(RECORD_UPDATE, 1, 0, go_of(1) + 4000)->graph = 5;
    make();
    assert_true(trace.graph[0].slot == -1 && trace.graph[0].n_inputs == 0);
}

static void the_host_functions_of_a_graph_are_told_at_its_launch(void **state)
{
    (void)state;
    area->graph[area->n_graphs++] = (struct record_graph){ .id = 5, .window = -1, .n_callbacks = 1 };
    call(RECORD_GRAPH, 1, 0, go_of(1) + 4000)->graph = 5;
    make();
    assert_int_equal(the_only(AISP_DEVICE_CALLBACK)->graph, 5);
}

static void a_thread_that_launches_after_a_host_function_was_woken_by_it(void **state)
{
    struct record_call *c;

    (void)state;
    call(RECORD_CALLBACK, 0, 0, go_of(0) + 4000);
    c = call(RECORD_KERNEL, -1, -1, go_of(0) + LONG + 10000);
    c->how = RECORD_OTHER_THREAD;
    c->phase = RECORD_TIMED;
    ran(c, RECORD_KERNEL, go_of(0) + LONG + 20000, go_of(0) + LONG + 30000);
    make();
    assert_true(the_only(AISP_DEVICE_KERNEL)->how & AISP_HOW_FROM_CALLBACK);
    assert_int_equal(the_only(AISP_DEVICE_KERNEL)->window, -1);
}

static void a_launch_of_the_devices_own_is_placed_by_its_time(void **state)
{
    struct record_call none = { .correlation = 12345 };
    const struct aisp_device_activity *k;

    (void)state;
    ran(&none, RECORD_KERNEL, go_of(1) + 30000, go_of(1) + 40000)->how = RECORD_FROM_DEVICE;
    make();
    k = the_only(AISP_DEVICE_KERNEL);
    assert_true(k->window == 1 && k->call == -1 && k->how & AISP_HOW_FROM_DEVICE);
}

static void marks_of_another_clock_are_none(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < area->n_activities; i++)
        if (area->activity[i].what == RECORD_EVENT)
            area->activity[i].start += 900000000;
    make();
    assert_true(trace.window[0].start_mark_ns == 0 && trace.window[0].stop_mark_ns == 0);
    assert_true(trace.alive);
}

static void the_harnesss_stream_is_the_one_of_its_sample(void **state)
{
    (void)state;
    area->stream[0].correlation = 0;
    area->context[0].how = 0;
    make();
    assert_true(trace.stream[0].is_harness && trace.context[0].is_harness);
}

static void a_window_without_the_harnesss_calls_has_no_recorder(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < area->n_calls; i++)
        if (area->call[i].window == 1 && area->call[i].what == RECORD_SYNC)
            area->call[i].how = 0;
    make();
    assert_true(trace.taken);
    assert_false(trace.alive);
}

static void a_recorder_that_shows_nothing_of_the_device_is_not_alive(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < area->n_activities; i++)
        if (area->activity[i].what == RECORD_MEMSET)
            area->activity[i].correlation = 0;
    call(RECORD_KERNEL, -1, -1, 20000);
    make();
    assert_false(trace.alive);
    for (size_t i = 0; i < trace.n_activities; i++)
        assert_int_not_equal(trace.activity[i].end_ns, -1);
}

static void a_recorder_that_did_not_start_leaves_no_trace(void **state)
{
    (void)state;
    area->state = RECORD_REFUSED;
    make();
    assert_false(trace.taken);
    assert_int_equal(trace.n_windows, 0);
}

/* What every check that needs a card says of this trace; "" if none complains. */
static void findings(char text[400])
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;

    *text = 0;
    ev.device_trace[AISP_B] = trace;
    AISP_FOR_EACH(aisp_checks, struct aisp_check, row)
    {
        struct aisp_findings found = AISP_FINDINGS_INIT;

        if (!strcmp(row->needs, "gpu"))
            row->examine(row, &ev, &found);
        if (found.n && !*text)
            snprintf(text, 400, "%s: %s", row->name, found.item[0].text);
        aisp_findings_release(&found);
    }
}

static void no_check_complains_of_a_kernel_that_is_over_in_time(void **state)
{
    char text[400];

    (void)state;
    for (int window = 0; window < 2; window++)
        for (int nth = 0; nth < 2; nth++)
            ran(call(RECORD_KERNEL, window, nth, go_of(window) + 4000 + nth), RECORD_KERNEL, go_of(window) + 10000 + 90000 * nth,
                go_of(window) + 90000 + 90000 * nth);
    make();
    findings(text);
    assert_string_equal(text, "");
}

static void a_stream_that_nobody_joined_is_named(void **state)
{
    char text[400];

    (void)state;
    for (int nth = 0; nth < 2; nth++)
        ran(call(RECORD_KERNEL, 1, nth, go_of(1) + 4000), RECORD_KERNEL, go_of(1) + 10000, go_of(1) + LONG + 50000)->stream = SIDE_STREAM;
    make();
    findings(text);
    assert_non_null(strstr(text, "the given stream does not wait for this one"));
}

/* Every bit of the area is the worker's to write. */
static void nonsense_is_bounded(void **state)
{
    struct aisp_device_trace both[2] = { { 0 } }, back[2] = { { 0 } };
    const int64_t go = area->version; /* what follows overwrites it */
    uint64_t x = 88172645463325252u;
    struct aisp_err err;
    json_t *json;

    (void)state;
    for (int round = 0; round < 8; round++) {
        const uint32_t flushes = area->n_flushes;

        for (size_t i = 0; i + 8 <= sizeof *area; i += 8) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            memcpy((char *)area + i, &x, 8);
        }
        area->version = (uint32_t)go;
        area->state = RECORD_ON;
        area->n_flushes = flushes;
        cuda_trace_make(area, &seen, &both[0]);
        json = aisp_device_traces_to_json(both);
        assert_int_equal(aisp_device_traces_from_json(json, back, &err), AISP_OK);
        json_decref(json);
        for (int side = 0; side < 2; side++) {
            aisp_device_trace_release(&both[side]);
            aisp_device_trace_release(&back[side]);
        }
    }
}

/* ---- a session ---- */

static void an_audit_without_a_card_says_why_it_records_nothing(void **state)
{
    char *folder = folder_for_workers(), *library = place_fake_cuda(folder, "", "");
    const struct record_area *shared;
    struct aisp_account account;
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    if (access(BUILD_DIR "/libaisp-recorder.so", R_OK))
        skip();
    aisp_cuda_set_library(library);
    session_prepare(&r, "honest", NULL, 1000);
    r.cpu = aisp_backend_find("cuda");
    r.spec.is_audit = true;
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    session_fill(&r, 1);
    for (int i = 0; i < 2; i++) /* launches of the first window are not counted */
        if (session_window(&r, AISP_A, 4, &w))
            fail_msg("%s", r.err.text);
    assert_int_equal(session_right(&r, AISP_A, 0), 1000);
    shared = (const void *)(r.session->files[0].out + r.session->record_offset);
    assert_int_equal(shared->state, RECORD_REFUSED);
    assert_true(*shared->why);
    print_message("the recorder says: %s\n", shared->why);
    r.cpu->account(r.session, AISP_A, &account);
    assert_non_null(strstr(account.output, "no recorder of the device"));
    r.cpu->trace(r.session, AISP_A, &trace);
    assert_false(trace.taken);
    assert_int_equal(trace.audit_calls, 4);
    assert_int_equal(trace.scored_calls, 0);
    session_close(&r);
    aisp_cuda_set_library(NULL);
    free(library);
    remove_folder(folder);
}

static void a_scored_session_has_no_recorder(void **state)
{
    char *folder = folder_for_workers(), *library = place_fake_cuda(folder, "", "");
    struct session_rig r;

    (void)state;
    aisp_cuda_set_library(library);
    session_prepare(&r, "honest", "keeps_state", 1000);
    r.cpu = aisp_backend_find("cuda");
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    assert_int_equal(r.session->record_bytes, 0);
    r.cpu->trace(r.session, AISP_A, &trace);
    assert_false(trace.taken);
    session_close(&r);
    aisp_cuda_set_library(NULL);
    free(library);
    remove_folder(folder);
}

/* A session on the fake driver. */
struct faked {
    char *folder, *library;
    struct session_rig r;
};

static void fake(struct faked *f, const char *name, bool is_audit)
{
    f->folder = folder_for_workers();
    f->library = place_fake_cuda(f->folder, "", "");
    aisp_cuda_set_library(f->library);
    session_prepare(&f->r, name, NULL, 1000);
    f->r.cpu = aisp_backend_find("cuda");
    f->r.spec.is_audit = is_audit;
    if (session_open(&f->r))
        fail_msg("%s", f->r.err.text);
}

static void fake_windows(struct faked *f, int n)
{
    struct aisp_window w;

    for (int i = 0; i < n; i++) {
        session_fill(&f->r, (uint32_t)i);
        if (session_window(&f->r, AISP_A, 4, &w))
            fail_msg("%s", f->r.err.text);
    }
}

static void unfake(struct faked *f)
{
    session_close(&f->r);
    aisp_cuda_set_library(NULL);
    free(f->library);
    remove_folder(f->folder);
}

static void a_scored_session_counts_launches_but_for_its_first_window(void **state)
{
    struct faked f;

    (void)state;
    fake(&f, "launches_twice", false);
    fake_windows(&f, 3);
    assert_int_equal(session_right(&f.r, AISP_A, 0), 1000);
    f.r.cpu->trace(f.r.session, AISP_A, &trace);
    assert_int_equal(trace.scored_calls, 8);
    assert_int_equal(trace.scored_launches, 16);
    assert_int_equal(trace.scored_windows, 2);
    assert_true(trace.scored_contents > 0 && trace.scored_sum == 2 * trace.scored_contents &&
                trace.scored_squares == 4 * trace.scored_contents);
    assert_false(trace.taken);
    unfake(&f);
}

static void an_audit_poisons_the_workspace_from_its_third_or_fourth_window_on(void **state)
{
    struct faked f;

    (void)state;
    if (access(BUILD_DIR "/libaisp-recorder.so", R_OK))
        skip();
    fake(&f, "keeps_in_workspace", true);
    fake_windows(&f, 2);
    assert_int_equal(session_right(&f.r, AISP_A, 0), 1000);
    fake_windows(&f, 2);
    assert_int_equal(session_right(&f.r, AISP_A, 0), 999);
    unfake(&f);
}

/* Whichever of the probes it is that says how long an idle device takes. */
static void a_judge_that_is_put_aside_once_knows_an_idle_device_still(void **state)
{
    char *folder = folder_for_workers(), *library = place_fake_cuda(folder, "", ""), script[96];

    (void)state;
    for (int nth = 1; nth <= 8; nth++) {
        struct cuda_judge *judge;
        struct cuda_card card;
        struct aisp_err err;

        snprintf(script, sizeof script, "in aisp-judge-cuda delay cuMemcpyDtoHAsync_v2 %d 50\n", nth);
        free(write_file(folder, "libcuda.so.1.script", script, strlen(script)));
        if (cuda_judge_start(&judge, library, &card, &err))
            fail_msg("%s", err.text);
        assert_in_range(cuda_watch_idle_probe(judge), 1, 25000000);
        cuda_judge_stop(judge);
    }
    free(library);
    remove_folder(folder);
}

static void a_scored_session_poisons_no_workspace(void **state)
{
    struct faked f;

    (void)state;
    fake(&f, "keeps_in_workspace", false);
    fake_windows(&f, 5);
    assert_int_equal(session_right(&f.r, AISP_A, 0), 1000);
    unfake(&f);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE(an_empty_scene_is_taken_and_alive),
        SCENE(cpu_time_before_go_is_nobodys_work),
        SCENE(a_kernel_has_the_call_that_launched_it_and_the_supervisors_time),
        SCENE(a_record_of_the_inner_call_finds_the_outer_one),
        SCENE(clocks_that_drift_apart_are_brought_together),
        SCENE(a_worker_cannot_widen_the_error_of_its_clock),
        SCENE(a_copy_names_the_tensors_of_its_call),
        SCENE(a_copy_from_elsewhere_is_from_the_variants_own_memory),
        SCENE(another_slots_tensor_is_none_of_the_calls),
        SCENE(what_was_captured_or_failed_was_not_enqueued),
        SCENE(a_kernel_without_an_end_is_told),
        SCENE(a_kernel_without_a_record_proves_nothing_where_records_were_lost),
        SCENE(a_graphs_work_belongs_to_its_launch),
        SCENE(a_graph_that_is_given_other_arguments_reads_what_it_is_given),
        SCENE(the_host_functions_of_a_graph_are_told_at_its_launch),
        SCENE(a_thread_that_launches_after_a_host_function_was_woken_by_it),
        SCENE(a_launch_of_the_devices_own_is_placed_by_its_time),
        SCENE(marks_of_another_clock_are_none),
        SCENE(the_harnesss_stream_is_the_one_of_its_sample),
        SCENE(a_window_without_the_harnesss_calls_has_no_recorder),
        SCENE(a_recorder_that_shows_nothing_of_the_device_is_not_alive),
        SCENE(a_recorder_that_did_not_start_leaves_no_trace),
        SCENE(no_check_complains_of_a_kernel_that_is_over_in_time),
        SCENE(a_stream_that_nobody_joined_is_named),
        SCENE(nonsense_is_bounded),
        SCENE(an_audit_without_a_card_says_why_it_records_nothing),
        SCENE(a_scored_session_has_no_recorder),
        SCENE(a_scored_session_counts_launches_but_for_its_first_window),
        SCENE(an_audit_poisons_the_workspace_from_its_third_or_fourth_window_on),
        SCENE(a_judge_that_is_put_aside_once_knows_an_idle_device_still),
        SCENE(a_scored_session_poisons_no_workspace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
