/* peak_card_test.c - the program that measures cards, played: whatever it does, aisp goes on, and says in one line what it was.
 * The answer that is read is tests/recorded/card/handwritten_sample.json: no measurement, but the shape of one. */
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "commands/card_program.h"
#include "commands/peak_card.h"
#include "commands/utils/probe/probe.h"
#include "commands/utils/probe/probe_text.h"
#include "core/base/buf.h"

#define SAMPLE TESTS_DIR "/recorded/card/handwritten_sample.json"
#define SECOND INT64_C(1000000000)

static char program[64];

/* The program is this script from now on. */
static void play(const char *script)
{
    FILE *f = fopen(program, "w");

    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n%s\n", script);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(program, 0700), 0);
    aisp_card_set_program(program);
}

static int open_program(void **state)
{
    (void)state;
    snprintf(program, sizeof program, "/tmp/aisp-peak-card-%d", (int)getpid());
    return 0;
}

static int close_program(void **state)
{
    (void)state;
    unlink(program);
    return 0;
}

static enum aisp_status ask(int64_t limit_ns, json_t **value, struct aisp_err *err)
{
    const struct aisp_card_question question = { .only = "peaks", .quick = true, .limit_ns = limit_ns };

    *value = NULL;
    *err = (struct aisp_err){ AISP_OK, "" };
    return aisp_card_ask(&question, value, err);
}

/* It is answered with this status, and the line has these words. */
static void assert_answer(const char *script, enum aisp_status status, const char *words)
{
    struct aisp_err err;
    json_t *value;

    play(script);
    assert_int_equal(ask(20 * SECOND, &value, &err), status);
    assert_null(value);
    if (!strstr(err.text, words))
        fail_msg("\"%s\" does not say \"%s\"", err.text, words);
}

static json_t *sample(void)
{
    struct aisp_err err;
    json_t *value;

    play("cat " SAMPLE);
    assert_int_equal(ask(20 * SECOND, &value, &err), AISP_OK);
    return value;
}

static void an_answer_is_read_whole(void **state)
{
    json_t *value = sample();

    (void)state;
    assert_string_equal(json_string_value(json_object_get(json_object_get(value, "card"), "name")), "Card of a handwritten sample");
    assert_int_equal(json_array_size(json_object_get(value, "peaks")), 8);
    assert_int_equal(json_array_size(json_object_get(value, "features")), 3);
    json_decref(value);
}

static void what_was_asked_is_passed_on(void **state)
{
    (void)state;
    assert_answer("[ \"$*\" = '--quick --only peaks' ] || exit 7; exit 9", AISP_E_WORKER, "exit code 9");
}

/* With what it started: the second is killed by the group, and its number was written down. */
static void a_program_that_hangs_is_killed_with_all_it_started(void **state)
{
    struct aisp_err err;
    json_t *value;
    char path[80], line[32];
    FILE *f;
    pid_t pid;

    (void)state;
    snprintf(path, sizeof path, "%s.pid", program);
    play("sleep 300 & echo $! >$0.pid; wait");
    assert_int_equal(ask(SECOND / 2, &value, &err), AISP_E_WORKER);
    assert_non_null(strstr(err.text, "no answer in 1 s and was killed"));
    f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    unlink(path);
    pid = (pid_t)atoi(line);
    for (int i = 0; i < 200 && kill(pid, 0) == 0; i++) /* until its new parent has buried it */
        usleep(10000);
    assert_int_equal(kill(pid, 0), -1);
}

static void a_program_that_dies_is_told_by_its_signal(void **state)
{
    (void)state;
    assert_answer("kill -SEGV $$", AISP_E_WORKER, "signal 11");
    assert_answer("cat " SAMPLE "; kill -ABRT $$", AISP_E_WORKER, "signal 6");
    assert_answer("exit 3", AISP_E_WORKER, "exit code 3");
}

static void rubbish_is_no_answer(void **state)
{
    (void)state;
    assert_answer("true", AISP_E_WORKER, "something else");
    assert_answer("echo hello", AISP_E_WORKER, "something else");
    assert_answer("head -c 700 " SAMPLE, AISP_E_WORKER, "something else");
    assert_answer("head -c 4000 /dev/urandom", AISP_E_WORKER, "something else");
    assert_answer("cat " SAMPLE " " SAMPLE, AISP_E_WORKER, "something else");
    assert_answer("sed 's/aisp-peak-cuda/other/' " SAMPLE, AISP_E_WORKER, "something else");
    assert_answer("sed 's/\"format\": 1/\"format\": 2/' " SAMPLE, AISP_E_WORKER, "another version");
    assert_answer("yes", AISP_E_WORKER, "does not stop printing");
}

static void an_answer_with_parts_missing_is_no_answer(void **state)
{
    (void)state;
    assert_answer("sed 's/\"value\": 2400/\"value\": 0/' " SAMPLE, AISP_E_WORKER, "parts missing");
    assert_answer("sed 's/\"value\": 2400/\"value\": -1/' " SAMPLE, AISP_E_WORKER, "parts missing");
    assert_answer("sed 's/\"value\": 2400/\"value\": \"fast\"/' " SAMPLE, AISP_E_WORKER, "parts missing");
    assert_answer("sed 's/\"value\": 2400/\"value\": null/' " SAMPLE, AISP_E_WORKER, "parts missing");
    assert_answer("sed 's/\"unit\": \"GB.s\", //' " SAMPLE, AISP_E_WORKER, "parts missing");
    assert_answer("sed 's/\"answer\": \"no\"/\"answer\": \"perhaps\"/' " SAMPLE, AISP_E_WORKER, "parts missing");
    assert_answer("sed 's/\"features\"/\"other\"/' " SAMPLE, AISP_E_WORKER, "parts missing");
    assert_answer("sed 's/\"card\"/\"other\"/' " SAMPLE, AISP_E_WORKER, "parts missing");
}

static void no_card_is_told_in_its_words(void **state)
{
    (void)state;
    assert_answer("echo '{\"program\": \"aisp-peak-cuda\", \"format\": 1, \"unavailable\": \"no driver here\", \"card\": null, "
                  "\"peaks\": [], \"features\": []}'",
                  AISP_E_UNAVAILABLE, "no driver here");
}

static void no_program_is_told_with_what_is_missing(void **state)
{
    struct aisp_err err;
    json_t *value;

    (void)state;
    aisp_card_set_program("/nonexistent/aisp-peak-cuda");
    assert_int_equal(ask(SECOND, &value, &err), AISP_E_UNAVAILABLE);
    assert_non_null(strstr(err.text, "nvcc"));
}

static void an_interrupt_ends_it(void **state)
{
    const volatile int stop = 1;
    const struct aisp_card_question question = { .limit_ns = 20 * SECOND, .stop = &stop };
    struct aisp_err err = { AISP_OK, "" };
    json_t *value = NULL;

    (void)state;
    play("sleep 300");
    assert_int_equal(aisp_card_ask(&question, &value, &err), AISP_E_INTERRUPTED);
    assert_null(value);
}

/* ---- text ---- */

static void assert_fits(const char *text)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
}

static void ours_is_compared_with_the_library(void **state)
{
    json_t *value = sample();
    const json_t *peaks = json_object_get(value, "peaks");

    (void)state;
    assert_true(fabs(aisp_peak_of_library(peaks, "matrix_bf16") - 1.2) < 1e-9);
    assert_true(fabs(aisp_peak_of_library(peaks, "matrix_int8") - 0.9) < 1e-9);
    assert_true(isnan(aisp_peak_of_library(peaks, "dram_copy")));
    json_decref(value);
}

static void the_table_shows_all_rows_and_what_is_no_ceiling(void **state)
{
    struct aisp_buf out = AISP_BUF_INIT;
    json_t *value = sample();

    (void)state;
    aisp_peak_card_render(value, &out);
    assert_fits(out.s);
    assert_non_null(strstr(out.s, "\ndram_copy            2400.0     2500.0 GB/s          75   2000          -\n"));
    assert_non_null(strstr(out.s, "\nmatrix_bf16           600.0      650.0 TFLOP/s       98   1500       1.20\n"));
    assert_non_null(strstr(out.s, "\nlaunch                 2.50       2.25 us             -      -          -\n"));
    assert_non_null(strstr(out.s, "\npeer_copy        there is one card only\n"));
    assert_non_null(strstr(out.s, "\nmatrix_int8: below 0.95 of cuBLASLt's"));
    assert_null(strstr(out.s, "matrix_bf16: below"));
    aisp_buf_release(&out);
    json_decref(value);
}

static void a_card_that_failed_is_one_line(void **state)
{
    struct aisp_buf out = AISP_BUF_INIT;
    json_t *value = json_pack("{s:s}", "why", "no driver here");

    (void)state;
    aisp_peak_card_render(value, &out);
    assert_string_equal(out.s, "card: not measured: no driver here\n");
    aisp_buf_release(&out);
    json_decref(value);
}

/* Also what real cards have answered: each file of the folder is one whole answer of the program. */
static void every_recording_is_read_and_shown(void **state)
{
    glob_t files;
    char script[4096];
    struct aisp_err err;
    json_t *value;

    (void)state;
    assert_int_equal(glob(TESTS_DIR "/recorded/card/*.json", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct aisp_buf out = AISP_BUF_INIT;

        snprintf(script, sizeof script, "cat '%s'", files.gl_pathv[i]);
        play(script);
        if (ask(20 * SECOND, &value, &err))
            fail_msg("%s: %s", files.gl_pathv[i], err.text);
        aisp_peak_card_render(value, &out);
        assert_fits(out.s);
        aisp_buf_release(&out);
        json_decref(value);
    }
    assert_true(files.gl_pathc >= 1);
    globfree(&files);
}

/* ---- probe-hw ---- */

static json_t *one_gpu(void)
{
    return json_pack("{s:s, s:s, s:[{s:s}]}", "driver", "CUDA 13.0", "why", "", "gpus", "name", "Played GPU");
}

static char *probed(json_t *gpu)
{
    const struct aisp_style plain = { false, 80 };
    struct aisp_buf out = AISP_BUF_INIT;
    json_t *value = json_pack("{s:{}, s:o}", "cpu", "gpu", gpu);

    aisp_probe_render(value, &plain, &out);
    json_decref(value);
    return aisp_buf_detach(&out);
}

static void features_are_told_one_by_one(void **state)
{
    json_t *gpu = one_gpu();
    char *text;

    (void)state;
    play("[ \"$*\" = '--only features' ] && cat " SAMPLE);
    assert_int_equal(aisp_probe_card(gpu, NULL, NULL), AISP_OK);
    text = probed(gpu);
    assert_non_null(strstr(text, "\n  tma_bulk                   yes\n"));
    assert_non_null(strstr(text, "\n  peer_access                no: there is one card only\n"));
    assert_non_null(strstr(text, "\n  managed_memory             failed: it was killed by signal 11 "));
    assert_true(strstr(text, "managed_memory") < strstr(text, "tma_bulk"));
    assert_fits(text);
    free(text);
}

static void features_of_a_card_that_kills_its_program_are_one_line(void **state)
{
    json_t *gpu = one_gpu();
    char *text;

    (void)state;
    play("kill -BUS $$");
    assert_int_equal(aisp_probe_card(gpu, NULL, NULL), AISP_OK);
    assert_null(json_object_get(gpu, "features"));
    text = probed(gpu);
    assert_non_null(strstr(text, "\n  the card's program was killed by signal 7 (Bus error)\n"));
    free(text);
}

static void without_a_gpu_nothing_is_started(void **state)
{
    json_t *gpu = json_pack("{s:s, s:s, s:[]}", "driver", "none", "why", "no driver", "gpus");
    char path[80];

    (void)state;
    snprintf(path, sizeof path, "%s.started", program);
    play("touch $0.started");
    assert_int_equal(aisp_probe_card(gpu, NULL, NULL), AISP_OK);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(json_object_size(gpu), 3);
    json_decref(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_read_whole),
        cmocka_unit_test(what_was_asked_is_passed_on),
        cmocka_unit_test(a_program_that_hangs_is_killed_with_all_it_started),
        cmocka_unit_test(a_program_that_dies_is_told_by_its_signal),
        cmocka_unit_test(rubbish_is_no_answer),
        cmocka_unit_test(an_answer_with_parts_missing_is_no_answer),
        cmocka_unit_test(no_card_is_told_in_its_words),
        cmocka_unit_test(no_program_is_told_with_what_is_missing),
        cmocka_unit_test(an_interrupt_ends_it),
        cmocka_unit_test(ours_is_compared_with_the_library),
        cmocka_unit_test(the_table_shows_all_rows_and_what_is_no_ceiling),
        cmocka_unit_test(a_card_that_failed_is_one_line),
        cmocka_unit_test(every_recording_is_read_and_shown),
        cmocka_unit_test(features_are_told_one_by_one),
        cmocka_unit_test(features_of_a_card_that_kills_its_program_are_one_line),
        cmocka_unit_test(without_a_gpu_nothing_is_started),
    };

    return cmocka_run_group_tests(tests, open_program, close_program);
}
