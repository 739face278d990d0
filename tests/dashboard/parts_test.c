/* parts_test.c - parts of the doors and the dashboard without a server: what a request says, words of a command line, a child's
 * answer, pages out of a text, what has changed. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "core/base/buf.h"
#include "commands/command.h"
#include "dashboard/made.h"
#include "dashboard/slice.h"
#include "dashboard/watched.h"
#include "doors/http_text.h"
#include "doors/job.h"

static void a_target_is_a_path_and_parameters(void **state)
{
    struct aisp_http_target t;

    (void)state;
    assert_int_equal(aisp_http_target_read(&t, "/api/v1/bench%20x?a=1&b=%C3%A4+c&&d"), 0);
    assert_string_equal(t.path, "/api/v1/bench x");
    assert_int_equal(t.n, 3);
    assert_string_equal(t.name[1], "b");
    assert_string_equal(t.value[1], "\xc3\xa4 c");
    assert_string_equal(t.name[2], "d");
    assert_string_equal(t.value[2], "");
    aisp_http_target_release(&t);
    assert_int_equal(aisp_http_target_read(&t, "/"), 0);
    aisp_http_target_release(&t);
}

static void a_target_that_is_none_is_refused(void **state)
{
    static const char *const bad[] = { "",        "x",       "//",         "/a//b",         "/a/",     "/.",    "/..",
                                       "/a/../b", "/%2e%2E", "/%00",       "/a%0d",         "/%",      "/%f",   "/%fg",
                                       "/\x7f",   "/%ff",    "/%ed%a0%80", "/%f4%90%80%80", "/%c0%af", "/a\\b", "/a#b",
                                       "/?=x",    "/?a=%0a", "/?%e2%82=1", "/a\x01" };
    struct aisp_http_target t;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (aisp_http_target_read(&t, bad[i]) != 400)
            fail_msg("\"%s\" is taken", bad[i]);
}

static void lists_in_headers_are_read(void **state)
{
    (void)state;
    assert_true(aisp_http_takes_gzip("gzip"));
    assert_true(aisp_http_takes_gzip("br;q=1.0, GZIP;q=0.3 , deflate"));
    assert_false(aisp_http_takes_gzip("gzip;q=0"));
    assert_false(aisp_http_takes_gzip("gzip; q=0.000"));
    assert_true(aisp_http_takes_gzip("gzip;q=0.001"));
    assert_false(aisp_http_takes_gzip("xgzip, gzipx"));
    assert_false(aisp_http_takes_gzip(NULL));
    assert_int_equal(aisp_http_max_stale_s("no-transform, Max-Stale = 2, max-stale=3", 10), 3);
    assert_int_equal(aisp_http_max_stale_s("max-stale", 10), 10);
    assert_int_equal(aisp_http_max_stale_s("max-stale=99999999999999999999", 10), 10);
    assert_int_equal(aisp_http_max_stale_s("max-stale=", 10), 0);
    assert_int_equal(aisp_http_max_stale_s("max-stale=1x", 10), 0);
    assert_int_equal(aisp_http_max_stale_s("max-stale=10x", 10), 0);
    assert_int_equal(aisp_http_max_stale_s("max-stale=0010", 10), 10);
    assert_int_equal(aisp_http_max_stale_s("max-stale=9", 10), 9);
    assert_int_equal(aisp_http_max_stale_s("max-stale=-1", 10), 0);
    assert_int_equal(aisp_http_max_stale_s("max-staleness=5, xmax-stale", 10), 0);
    assert_int_equal(aisp_http_max_stale_s(NULL, 10), 0);
    assert_true(aisp_http_list_has("\"a\", W/\"b\" ,\"c\"", "\"b\""));
    assert_true(aisp_http_list_has("*", "\"b\""));
    assert_false(aisp_http_list_has("\"bb\", \"\", b", "\"b\""));
    assert_string_equal(aisp_http_bearer("bearer  x"), "x");
    assert_null(aisp_http_bearer("Bearer"));
    assert_null(aisp_http_bearer("Basic x"));
}

/* What is kept of an answer is found by its joined words: two command lines must not have one text. */
static void joined_words_are_those_words_alone(void **state)
{
    static const char *const words[] = {
        "a' b", "a'\" \"'b", "'", "\"", "'\"'\"'", "it's", "it's $(x)", "`x`", "", " ", "a\tb", "\\", "--x=a'\" \"--x=b'", NULL
    };
    struct aisp_words all = AISP_WORDS_INIT, again = AISP_WORDS_INIT;
    struct aisp_buf line = AISP_BUF_INIT;

    (void)state;
    aisp_words_add_all(&all, words);
    aisp_words_join(&all, &line);
    assert_true(aisp_words_split(&again, line.s));
    assert_int_equal(again.n, all.n);
    for (size_t i = 0; i < all.n; i++)
        assert_string_equal(again.word[i], words[i]);
    aisp_words_release(&all);
    aisp_words_release(&again);
    aisp_buf_release(&line);
}

/* A child that writes as fast as it is read from: to the pipe of answers or, as a library may, past it. */
static void start_flood(struct aisp_job *job, bool is_stray)
{
    static const char head[] = { 'v', 0, 0, 0, 64 };     /* a value of 1 GiB */
    static char bytes[1 << 16];
    int frames[2], stray[2];

    *job = (struct aisp_job)AISP_JOB_INIT;
    assert_int_equal(pipe2(frames, O_CLOEXEC), 0);
    assert_int_equal(pipe2(stray, O_CLOEXEC), 0);
    memset(bytes, 'x', sizeof bytes);
    job->pid = fork();
    if (!job->pid) {
        const int to = is_stray ? stray[1] : frames[1];

        if (!is_stray && write(to, head, sizeof head) < 0)
            _exit(1);
        for (int i = 0; i < 1024 && write(to, bytes, sizeof bytes) > 0; i++)
            ;
        if (is_stray && write(to, "\nthe last line\n", 15) < 0)
            _exit(1);
        _exit(0);
    }
    close(frames[1]);
    close(stray[1]);
    job->fd = frames[0];
    job->stray_fd = stray[0];
    fcntl(job->fd, F_SETFL, O_NONBLOCK);
    fcntl(job->stray_fd, F_SETFL, O_NONBLOCK);
}

/* 64 MiB of an answer of 1 GiB: it is seen while it comes, and the child goes. */
static void an_answer_that_is_too_long_is_dropped(void **state)
{
    struct aisp_job job;

    (void)state;
    start_flood(&job, false);
    for (size_t before = 0; !aisp_job_is_too_long(&job); before = job.in.len) {
        assert_false(aisp_job_read(&job, NULL, NULL));
        assert_true(job.in.len - before <= 2 << 20);
    }
    assert_int_equal(job.pid, 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_non_null(strstr(job.answer.error, "16 MiB"));
    assert_null(job.in.s);
    aisp_job_release(&job);
}

/* 64 MiB that were printed: the end of it is kept, for it may say why there is no answer. */
static void what_is_printed_past_the_console_is_not_hoarded(void **state)
{
    struct aisp_job job;

    (void)state;
    start_flood(&job, true);
    while (!aisp_job_read(&job, NULL, NULL))
        assert_true(job.stray.len <= 1 << 20);
    assert_string_equal(job.answer.error, "the last line");
    aisp_job_release(&job);
}

/* Every page of every list is what jansson would have made of the same elements. */
static void check_pages(json_t *value, const char *member)
{
    char *text = json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    const json_t *list = member ? json_object_get(value, member) : value;
    const size_t n = json_array_size(list);
    struct aisp_slice slice;

    assert_true(aisp_slice_find(&slice, text, strlen(text)));
    assert_int_equal(slice.n, n);
    for (size_t first = 0; first <= n; first++)
        for (size_t count = 1; count <= n + 1; count++) {
            struct aisp_buf page = AISP_BUF_INIT;
            json_t *want = json_array(), *got, *whole = member ? json_deep_copy(value) : NULL;

            for (size_t i = first; i < first + count && i < n; i++)
                json_array_append(want, json_array_get(list, i));
            aisp_slice_write(&slice, text, strlen(text), first, count, &page);
            got = json_loads(page.s, 0, NULL);
            if (!got)
                fail_msg("no JSON: %s", page.s);
            if (whole) {
                json_object_set(whole, member, want);
                assert_true(json_equal(whole, got));
            } else {
                assert_true(json_equal(want, got));
            }
            json_decref(want);
            json_decref(got);
            json_decref(whole);
            aisp_buf_release(&page);
        }
    free(text);
    json_decref(value);
}

static void a_page_is_cut_out_of_the_text(void **state)
{
    (void)state;
    check_pages(json_loads("{\"a\": 1, \"l\": [{\"x\": [1, 2], \"y\": {}}, {}, [], [[1]], \"],\\n  \\\"z\\\": [\", 5, null], "
                           "\"b\": {\"c\": [7]}}",
                           0, NULL),
                "l");
    check_pages(json_loads("[1, {\"a\": [1]}, \"x\"]", 0, NULL), NULL);
    check_pages(json_loads("{\"l\": []}", 0, NULL), "l");
    check_pages(json_loads("{\"l\": [{\"deep\": {\"er\": [{\"a\": 1}, {\"b\": 2}]}}]}", 0, NULL), "l");
}

static void which_list_is_meant_has_to_be_clear(void **state)
{
    static const char *const none[] = {
        "{\"a\": [1], \"b\": [2]}", "{\"a\": [1], \"b\": []}", "{\"a\": {\"b\": [1]}}", "{}", "5", "{\"a\": 1}"
    };

    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        json_t *value = json_loads(none[i], JSON_DECODE_ANY, NULL);
        char *text = json_dumps(value, JSON_INDENT(2) | JSON_ENCODE_ANY);
        struct aisp_slice slice;

        if (aisp_slice_find(&slice, text, strlen(text)))
            fail_msg("%s", none[i]);
        free(text);
        json_decref(value);
    }
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "a");

    fputs(text, f);
    fclose(f);
}

static void a_change_makes_a_generation(void **state)
{
    struct aisp_watched_files w;
    int64_t now_ms = 10000, g;

    (void)state;
    assert_int_equal(system("rm -rf w && mkdir -p w/art/runs w/targets/ch01/x"), 0);
    put("w/art/aisp.sqlite", "x");
    put("w/targets/ch01/x/a.so", "x");
    aisp_watched_init(&w, "w/art", "w/targets");
    g = aisp_watched_look(&w, now_ms);
    assert_int_equal(aisp_watched_look(&w, now_ms += 2000), g);
    put("w/art/aisp.sqlite-wal", "");        /* a reader came */
    put("w/art/aisp.sqlite-shm", "x");
    assert_int_equal(aisp_watched_look(&w, now_ms += 2000), g);
    put("w/art/aisp.sqlite-wal", "frame");
    assert_int_equal(aisp_watched_look(&w, now_ms), g + 1);
    put("w/art/aisp.sqlite", "more");
    assert_int_equal(aisp_watched_look(&w, now_ms), g + 2);
    mkdir("w/art/runs/one", 0755);
    assert_int_equal(aisp_watched_look(&w, now_ms), g + 3);
    put("w/targets/ch01/x/a.so", "x");       /* seen within a second */
    assert_int_equal(aisp_watched_look(&w, now_ms + 500), g + 3);
    assert_int_equal(aisp_watched_look(&w, now_ms + 1000), g + 4);
    unlink("w/targets/ch01/x/a.so");
    assert_int_equal(aisp_watched_look(&w, now_ms + 3000), g + 5);
    aisp_watched_release(&w);
}

static void a_change_beside_what_a_link_names_is_one_too(void **state)
{
    struct aisp_watched_files w;
    int64_t g;

    (void)state;
    assert_int_equal(system("rm -rf w && mkdir -p w/art w/link w/targets && ln -s ../art/aisp.sqlite w/link"), 0);
    aisp_watched_init(&w, "w/link", "w/targets");
    g = aisp_watched_look(&w, 10000);
    put("w/art/aisp.sqlite", "x");
    assert_int_equal(aisp_watched_look(&w, 10000), g + 1);
    put("w/art/aisp.sqlite-wal", "frame");
    assert_int_equal(aisp_watched_look(&w, 10000), g + 2);
    assert_int_equal(aisp_watched_look(&w, 10000), g + 2);
    aisp_watched_release(&w);
}

static void who_can_mend_it_tells_the_status(void **state)
{
    static const struct { int exit_code, status; } all[] = {
        { AISP_EXIT_USAGE, 400 },       { AISP_EXIT_NOTHING, 422 },     { AISP_EXIT_INVALID, 422 }, { AISP_EXIT_GATE, 422 },
        { AISP_EXIT_STORE, 503 },       { AISP_EXIT_INTERRUPTED, 503 }, { AISP_EXIT_BUG, 500 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct aisp_answer answer = { .exit_code = all[i].exit_code, .status = AISP_E_IO };

        assert_int_equal(aisp_made_status(&answer), all[i].status);
    }
    assert_int_equal(aisp_made_status(&(struct aisp_answer){ .exit_code = AISP_EXIT_USAGE, .status = AISP_E_NOT_FOUND }), 404);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_can_mend_it_tells_the_status),
        cmocka_unit_test(a_target_is_a_path_and_parameters),
        cmocka_unit_test(a_target_that_is_none_is_refused),
        cmocka_unit_test(lists_in_headers_are_read),
        cmocka_unit_test(joined_words_are_those_words_alone),
        cmocka_unit_test(an_answer_that_is_too_long_is_dropped),
        cmocka_unit_test(what_is_printed_past_the_console_is_not_hoarded),
        cmocka_unit_test(a_page_is_cut_out_of_the_text),
        cmocka_unit_test(which_list_is_meant_has_to_be_clear),
        cmocka_unit_test(a_change_makes_a_generation),
        cmocka_unit_test(a_change_beside_what_a_link_names_is_one_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
