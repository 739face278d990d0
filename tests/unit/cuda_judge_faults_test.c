/* cuda_judge_faults_test.c - a real judge on the fake driver (tests/fake_cuda), and what its client
 * says when any call of the driver fails, hangs or takes the judge with it: one line with the
 * driver's own words, in time, and nothing left behind.
 * Not here: that the judge makes and finds the right bits where nothing fails. */
#include "tests/fake_cuda/place.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "backends/cuda/judge.h"
#include "core/base/clock.h"
#include "core/judge/fill.h"

enum { MIB2 = 2 << 20, N_BUFFERS = 3, N = 5000, MOST_CALLS = 64 };

#define KEY { { 1, 2 }, { 3, 4 } }
static const struct aisp_philox key = KEY;
static const struct aisp_filling normal = { { AISP_NORMAL, 0, 1 }, AISP_F32, N, KEY };
static const struct aisp_filling permutation = { { AISP_PERMUTATION, 0, 0 }, AISP_I32, N, KEY };
static const struct cuda_place place[N_BUFFERS] = { { MIB2, 4096, N * 4 },
                                                    { MIB2, 0, N * 4 },
                                                    { MIB2, MIB2 - N * 4, N * 4 } };
static char *folder, *library;

/* What a session does, from the start to the end, with one of everything. */
static enum aisp_status use(struct cuda_judge *judge, struct aisp_err *err)
{
    static float seen[N], expected[N];
    const struct cuda_contents contents[] = { { normal, 0, N } };
    const int all[N_BUFFERS] = { 0, 1, 2 };
    int fd[N_BUFFERS] = { -1, -1, -1 };
    int64_t canary[N_BUFFERS], took = -1, bad = 0, bytes;
    enum aisp_status st;

    AISP_TRY(cuda_judge_allocate(judge, place, N_BUFFERS, fd, err));
    cuda_judge_fill(judge, 0, &normal, 0, N);
    cuda_judge_fill(judge, 1, &permutation, 0, N);
    cuda_judge_poison(judge, 2, AISP_F32, &key);
    AISP_TRY(cuda_judge_flush(judge, err));
    AISP_TRY(cuda_judge_read(judge, 0, 0, sizeof seen, seen, &took, err));
    aisp_fill(&normal, expected, 0, N);
    assert_memory_equal(seen, expected, sizeof seen);
    assert_true(took > 0);
    AISP_TRY(cuda_judge_probe(judge, &took, err));
    AISP_TRY(cuda_judge_canaries(judge, all, N_BUFFERS, canary, err));
    AISP_TRY(cuda_judge_holds(judge, 0, contents, 1, &bad, err));
    assert_int_equal(bad, -1);
    for (int i = 0; i < N_BUFFERS; i++)
        assert_int_equal(canary[i], -1);
    AISP_TRY(cuda_judge_free_bytes(judge, &bytes, err));
    AISP_TRY(cuda_judge_release(judge, err));
out:
    for (int i = 0; i < N_BUFFERS; i++)
        if (fd[i] >= 0)
            close(fd[i]);
    return st;
}

static int n_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void set_script(const char *script)
{
    free(write_file(folder, "libcuda.so.1.script", script, strlen(script)));
}

/* One judge, its use and its end under a script. Whatever happens: no process, no descriptor, not
 * much time is left behind, and a judge that failed once goes on to fail or works again. */
static enum aisp_status play(const char *script, struct aisp_err *err)
{
    const int n_before = n_descriptors();
    const int64_t start = aisp_now_ns();
    struct cuda_judge *judge = NULL;
    struct cuda_card card;
    enum aisp_status st;

    set_script(script);
    memset(err, 0, sizeof *err);
    st = cuda_judge_start(&judge, library, &card, err);
    if (!st) {
        st = use(judge, err);
        cuda_judge_stop(judge);
    }
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(n_descriptors(), n_before);
    assert_true(aisp_now_ns() - start < 10000000000);
    assert_null(strchr(err->text, '\n'));
    return st;
}

static void fails_with(const char *script, enum aisp_status status, const char *words)
{
    struct aisp_err err;
    const enum aisp_status st = play(script, &err);

    if (st != status || !strstr(err.text, words))
        fail_msg("%s: status %d, %s", script, (int)st, err.text);
}

/* The driver's calls, where nothing fails. */
struct calls {
    int n;
    char name[MOST_CALLS][48];
    int times[MOST_CALLS];
};

/* What the script's "trace" has noted until now. */
static struct calls take_trace(void)
{
    struct calls c = { 0 };
    char *path = aisp_format("%s.trace", library);
    char name[48];
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    while (fscanf(f, "%*s %47s", name) == 1) {
        int i = 0;

        while (i < c.n && strcmp(c.name[i], name))
            i++;
        assert_true(i < MOST_CALLS);
        if (i == c.n)
            strcpy(c.name[c.n++], name);
        c.times[i]++;
    }
    fclose(f);
    unlink(path);
    free(path);
    return c;
}

static struct calls all_calls(void)
{
    struct aisp_err err;
    struct calls c;

    assert_int_equal(play("trace", &err), AISP_OK);
    c = take_trace();
    assert_true(c.n >= 20);
    return c;
}

static int times_of(const struct calls *c, const char *name)
{
    for (int i = 0; i < c->n; i++)
        if (!strcmp(c->name[i], name))
            return c->times[i];
    fail_msg("%s is not called", name);
    return 0;
}

/* A judge that does not start is a device that is not available. */
static bool is_devices(enum aisp_status st)
{
    return st == AISP_E_DEVICE || st == AISP_E_UNAVAILABLE;
}

/* Where the judge may go on: memory that is not pinned is copied as well, a handle that is not given
 * back is one more, and what a card does not tell is not known of it. */
static bool is_forgiven(const char *call)
{
    return !strcmp(call, "cuMemHostRegister_v2") || !strcmp(call, "cuMemRelease") ||
           !strcmp(call, "cuDeviceGetAttribute");
}

/* Two of them are told in words of ours. */
static bool is_told(const char *call, const struct aisp_err *err)
{
    return strstr(err->text, "CUDA_ERROR_UNKNOWN (unknown error)") ||
           (!strcmp(call, "cuDeviceGetCount") && strstr(err->text, "no device")) ||
           (!strcmp(call, "cuModuleLoadData") && strstr(err->text, "built without nvcc"));
}

static void any_call_that_fails_is_told_in_the_drivers_words(void **state)
{
    const struct calls c = all_calls();

    (void)state;
    for (int i = 0; i < c.n; i++)
        for (int nth = 1; nth <= c.times[i]; nth++) {
            char *script = aisp_format("fail %s %d 999", c.name[i], nth);
            struct aisp_err err;
            const enum aisp_status st = play(script, &err);

            if (st != AISP_OK && !is_devices(st))
                fail_msg("%s: status %d, %s", script, (int)st, err.text);
            if (!is_forgiven(c.name[i]) && (!st || !is_told(c.name[i], &err)))
                fail_msg("%s: status %d, %s", script, (int)st, err.text);
            free(script);
        }
}

static void any_call_that_kills_the_judge_is_told_with_the_signal(void **state)
{
    const struct calls c = all_calls();

    (void)state;
    for (int i = 0; i < c.n; i++) {
        char *script = aisp_format("kill %s %d", c.name[i], c.times[i]);
        struct aisp_err err;
        const enum aisp_status st = play(script, &err);

        if (!is_devices(st) || !strstr(err.text, "signal 9"))
            fail_msg("%s: status %d, %s", script, (int)st, err.text);
        free(script);
    }
}

static void a_device_lost_at_any_launch_is_told(void **state)
{
    const struct calls c = all_calls();
    const int n = times_of(&c, "cuLaunchKernel");
    struct aisp_err err;
    enum aisp_status st = AISP_OK;

    (void)state;
    for (int nth = 1; nth <= n; nth++) {
        char *script = aisp_format("fail_after cuLaunchKernel %d 719", nth);

        st = play(script, &err);
        if (!is_devices(st) || !strstr(err.text, "CUDA_ERROR_LAUNCH_FAILED (unspecified launch"))
            fail_msg("%s: status %d, %s", script, (int)st, err.text);
        free(script);
    }
    assert_int_equal(st, AISP_E_DEVICE);
}

static void out_of_memory_is_a_status_of_its_own_and_the_judge_lives_on(void **state)
{
    struct cuda_judge *judge;
    struct cuda_card card;
    struct aisp_err err;
    int fd[N_BUFFERS];

    (void)state;
    set_script("memory_mib 5");
    assert_int_equal(cuda_judge_start(&judge, library, &card, &err), AISP_OK);
    assert_int_equal(cuda_judge_allocate(judge, place, N_BUFFERS, fd, &err), AISP_E_NO_MEMORY);
    assert_string_equal(err.text, "cuMemCreate: CUDA_ERROR_OUT_OF_MEMORY (out of memory)");
    assert_int_equal(cuda_judge_allocate(judge, place, 2, fd, &err), AISP_OK);
    close(fd[0]);
    close(fd[1]);
    cuda_judge_stop(judge);
}

static void an_export_that_is_refused_leaves_no_descriptor(void **state)
{
    (void)state;
    fails_with("fail cuMemExportToShareableHandle 2 801", AISP_E_DEVICE,
               "cuMemExportToShareableHandle: CUDA_ERROR_NOT_SUPPORTED (operation not supported)");
}

/* How often `call` is made by a judge that starts and makes one buffer. */
static int times_until_allocated(const char *call)
{
    struct cuda_judge *judge;
    struct cuda_card card;
    struct aisp_err err;
    struct calls c;
    int fd;

    set_script("trace");
    assert_int_equal(cuda_judge_start(&judge, library, &card, &err), AISP_OK);
    assert_int_equal(cuda_judge_allocate(judge, place, 1, &fd, &err), AISP_OK);
    close(fd);
    cuda_judge_stop(judge);
    c = take_trace();
    return times_of(&c, call);
}

static void a_launch_that_fails_is_told_by_the_next_call_with_a_status(void **state)
{
    const int before = times_until_allocated("cuLaunchKernel");
    char *script = aisp_format("fail cuLaunchKernel %d 701", before + 1);
    struct cuda_judge *judge;
    struct cuda_card card;
    struct aisp_err err;
    int fd;

    (void)state;
    set_script(script);
    free(script);
    assert_int_equal(cuda_judge_start(&judge, library, &card, &err), AISP_OK);
    assert_int_equal(cuda_judge_allocate(judge, place, 1, &fd, &err), AISP_OK);
    close(fd);
    cuda_judge_fill(judge, 0, &normal, 0, N);
    assert_int_equal(cuda_judge_flush(judge, &err), AISP_E_DEVICE);
    assert_string_equal(err.text, "cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (too many "
                                  "resources requested for launch)");
    cuda_judge_fill(judge, 0, &normal, 0, N);
    assert_int_equal(cuda_judge_flush(judge, &err), AISP_OK);
    cuda_judge_stop(judge);
}

/* The only child. */
static pid_t judge_pid(void)
{
    char *path = aisp_format("/proc/self/task/%d/children", (int)getpid());
    FILE *f = fopen(path, "r");
    int pid = 0, other;

    assert_non_null(f);
    assert_int_equal(fscanf(f, "%d %d", &pid, &other), 1);
    fclose(f);
    free(path);
    return pid;
}

static void a_judge_that_is_killed_between_calls_is_mourned_by_every_later_one(void **state)
{
    struct cuda_judge *judge;
    struct cuda_card card;
    struct aisp_err err;
    float word = 7;
    int fd;

    (void)state;
    set_script("");
    assert_int_equal(cuda_judge_start(&judge, library, &card, &err), AISP_OK);
    assert_int_equal(cuda_judge_allocate(judge, place, 1, &fd, &err), AISP_OK);
    close(fd);
    assert_int_equal(kill(judge_pid(), SIGKILL), 0);
    for (int i = 0; i < 3; i++) {
        memset(&err, 0, sizeof err);
        cuda_judge_fill(judge, 0, &normal, 0, N);
        assert_int_equal(cuda_judge_read(judge, 0, 0, sizeof word, &word, NULL, &err),
                         AISP_E_DEVICE);
        assert_string_equal(err.text, "the CUDA judge died: signal 9");
        assert_true(word == 7);
    }
    cuda_judge_stop(judge);
}

static void a_judge_that_hangs_is_ended(void **state)
{
    static const char *const name[] = { "cuMemCreate", "cuLaunchKernel", "cuStreamSynchronize",
                                        "cuMemUnmap" };
    const struct calls c = all_calls();

    (void)state;
    cuda_judge_set_timeout(1000000000);
    fails_with("hang cuInit 1", AISP_E_UNAVAILABLE, "did not answer in time");
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        char *script = aisp_format("hang %s %d", name[i], times_of(&c, name[i]));

        fails_with(script, AISP_E_DEVICE, "did not answer in time and was ended: signal 9");
        free(script);
    }
    cuda_judge_set_timeout(0);
}

static void a_device_that_works_long_is_seen_by_the_time_of_a_read(void **state)
{
    struct cuda_judge *judge;
    struct cuda_card card;
    struct aisp_err err;
    int64_t took, least = INT64_MAX;
    float word;
    int fd;

    (void)state;
    set_script("");
    assert_int_equal(cuda_judge_start(&judge, library, &card, &err), AISP_OK);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(cuda_judge_probe(judge, &took, &err), AISP_OK);
        least = took < least ? took : least;
    }
    cuda_judge_stop(judge);
    assert_true(least > 0 && least < 30000000);
    set_script("delay cuStreamSynchronize 0 30");
    assert_int_equal(cuda_judge_start(&judge, library, &card, &err), AISP_OK);
    assert_int_equal(cuda_judge_allocate(judge, place, 1, &fd, &err), AISP_OK);
    close(fd);
    assert_int_equal(cuda_judge_read(judge, 0, 0, sizeof word, &word, &took, &err), AISP_OK);
    assert_true(took >= 30000000);
    cuda_judge_stop(judge);
}

static void a_judge_that_cannot_start_says_why(void **state)
{
    struct cuda_judge *judge = NULL;
    struct cuda_card card;
    struct aisp_err err;
    char *nowhere = aisp_format("%s/nowhere.so", folder);

    (void)state;
    assert_int_equal(cuda_judge_start(&judge, nowhere, &card, &err), AISP_E_UNAVAILABLE);
    assert_non_null(strstr(err.text, "no NVIDIA driver here"));
    assert_int_equal(cuda_judge_start(&judge, BUILD_DIR "/fake_cuda/old/libcuda.so.1", &card, &err),
                     AISP_E_UNAVAILABLE);
    assert_non_null(strstr(err.text, "it is older than CUDA 12"));
    assert_int_equal(
        cuda_judge_start(&judge, BUILD_DIR "/fake_cuda/stub/libcuda.so.1", &card, &err),
        AISP_E_UNAVAILABLE);
    assert_non_null(strstr(err.text, "stub"));
    fails_with("devices 0", AISP_E_UNAVAILABLE, "the driver finds no device");
    fails_with("driver 11080", AISP_E_UNAVAILABLE, "the driver is for CUDA 11.8");
    fails_with("attribute 103 0", AISP_E_UNAVAILABLE, "cannot share its memory");
    fails_with("fail cuMemAlloc_v2 1 46", AISP_E_UNAVAILABLE, "CUDA_ERROR_DEVICE_UNAVAILABLE");
    cuda_judge_set_program(nowhere);
    fails_with("", AISP_E_UNAVAILABLE, "nowhere.so");
    cuda_judge_set_program(BUILD_DIR "/aisp-judge-cuda");
    assert_null(judge);
    free(nowhere);
}

static void programs_that_are_no_judge_are_told_from_one(void **state)
{
    (void)state;
    cuda_judge_set_program("/bin/false");
    fails_with("", AISP_E_UNAVAILABLE, "died: exit status 1");
    cuda_judge_set_program(BUILD_DIR "/aisp-judge-cuda");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_call_that_fails_is_told_in_the_drivers_words),
        cmocka_unit_test(any_call_that_kills_the_judge_is_told_with_the_signal),
        cmocka_unit_test(a_device_lost_at_any_launch_is_told),
        cmocka_unit_test(out_of_memory_is_a_status_of_its_own_and_the_judge_lives_on),
        cmocka_unit_test(an_export_that_is_refused_leaves_no_descriptor),
        cmocka_unit_test(a_launch_that_fails_is_told_by_the_next_call_with_a_status),
        cmocka_unit_test(a_judge_that_is_killed_between_calls_is_mourned_by_every_later_one),
        cmocka_unit_test(a_judge_that_hangs_is_ended),
        cmocka_unit_test(a_device_that_works_long_is_seen_by_the_time_of_a_read),
        cmocka_unit_test(a_judge_that_cannot_start_says_why),
        cmocka_unit_test(programs_that_are_no_judge_are_told_from_one),
    };
    int failed;

    folder = temporary_folder();
    library = place_fake_cuda(folder, "", "");
    cuda_judge_set_program(BUILD_DIR "/aisp-judge-cuda");
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(library);
    remove_folder(folder);
    return failed;
}
