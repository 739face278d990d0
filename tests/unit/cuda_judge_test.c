/* cuda_judge_test.c - the judge of a device, whose memory is the host's (tests/fake_cuda): what it
 * makes, finds and reads is right, through any number of messages; what is not a judge is told from
 * one. Not here: a driver that fails (cuda_judge_faults_test.c), the kernels alone
 * (cuda_fill_test.c). */
#include "tests/fake_cuda/place.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/cuda/judge_inside.h"
#include "core/base/buf.h"
#include "core/instance.h"
#include "core/judge/fill.h"

enum { MIB2 = 2 << 20, LARGE = 40 << 20, N = 5000 };
#define KEY                                                                                        \
    {                                                                                              \
        { 1, 2 },                                                                                  \
        {                                                                                          \
            3, 4                                                                                   \
        }                                                                                          \
    }
static const struct aisp_philox key = KEY;
static char *folder, *library;

struct scene {
    struct cuda_judge *judge;
    struct cuda_card card;
    int fd[8];
    int n;
};

static uint64_t mapping_of(uint64_t bytes)
{
    return (bytes + MIB2) / MIB2 * MIB2;
}

/* A judge with buffers of so many bytes, each end-flush in its mapping but for `behind` bytes. */
static void open_scene(struct scene *s, const uint64_t *bytes, int n, uint64_t behind)
{
    struct cuda_place place[8];
    struct aisp_err err;

    if (cuda_judge_start(&s->judge, library, &s->card, &err))
        fail_msg("%s", err.text);
    s->n = n;
    for (int i = 0; i < n; i++) {
        const uint64_t map = mapping_of(bytes[i] + behind);

        place[i] = (struct cuda_place){ map, (map - bytes[i] - behind) / 512 * 512, bytes[i] };
    }
    assert_int_equal(cuda_judge_allocate(s->judge, place, n, s->fd, &err), AISP_OK);
}

static void close_scene(struct scene *s)
{
    struct aisp_err err;

    for (int i = 0; i < s->n; i++)
        close(s->fd[i]);
    assert_int_equal(cuda_judge_release(s->judge, &err), AISP_OK);
    cuda_judge_stop(s->judge);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static char *read_all(struct scene *s, int buffer, size_t bytes)
{
    char *seen = aisp_xcalloc(1, bytes);
    struct aisp_err err;

    if (cuda_judge_read(s->judge, buffer, 0, bytes, seen, NULL, &err))
        fail_msg("%s", err.text);
    return seen;
}

static const struct aisp_filling every_way[] = {
    { { AISP_NORMAL, 0, 1 }, AISP_F32, N, KEY },
    { { AISP_UNIFORM, -1, 1 }, AISP_BF16, N, KEY },
    { { AISP_INTEGERS, 0, 100 }, AISP_I64, N, KEY },
    { { AISP_ZIPF, 1.1, 1000 }, AISP_I32, N, KEY },
    { { AISP_TEXT, 0, 61 }, AISP_U8, N, KEY },
    { { AISP_PERMUTATION, 0, 0 }, AISP_I32, N, KEY },
    { { AISP_MASK, 0.5, 0 }, AISP_I8, N, KEY },
    { { AISP_WIDE, -4, 4 }, AISP_F64, N, KEY },
};
enum { N_WAYS = sizeof every_way / sizeof *every_way };

static void the_card_is_described(void **state)
{
    const uint64_t bytes[] = { 64 };
    struct scene s;
    struct aisp_err err;
    int64_t before, after;

    (void)state;
    open_scene(&s, bytes, 1, 0);
    assert_string_equal(s.card.name, "Fake device");
    assert_string_equal(s.card.uuid, "GPU-faceface-0000-0000-0000-000000000000");
    assert_int_equal(s.card.major, 9);
    assert_int_equal(s.card.driver, 13000);
    assert_int_equal(s.card.n_sms, 4);
    assert_int_equal(s.card.granularity, MIB2);
    assert_int_equal(s.card.l2_bytes, 1 << 20);
    assert_int_equal(cuda_judge_free_bytes(s.judge, &before, &err), AISP_OK);
    assert_true(before > 0 && before <= s.card.total_bytes - MIB2);
    assert_int_equal(cuda_judge_release(s.judge, &err), AISP_OK);
    close(s.fd[0]);
    s.n = 0;
    assert_int_equal(cuda_judge_free_bytes(s.judge, &after, &err), AISP_OK);
    assert_true(after >= before);
    close_scene(&s);
}

static void an_instance_of_a_card_has_a_uuid_of_its_own_kind(void **state)
{
    static const char script[] = "name Fake H200 MIG 1g.18gb\n";
    const uint64_t bytes[] = { 64 };
    struct scene s;

    (void)state;
    free(write_file(folder, "libcuda.so.1.script", script, strlen(script)));
    open_scene(&s, bytes, 1, 0);
    assert_string_equal(s.card.name, "Fake H200 MIG 1g.18gb");
    assert_string_equal(s.card.uuid, "MIG-faceface-0000-0000-0000-000000000000");
    close_scene(&s);
    free(write_file(folder, "libcuda.so.1.script", "", 0));
}

static void contents_are_the_hosts_however_they_are_made(void **state)
{
    const uint64_t bytes[] = { N * 8 };
    struct scene s;

    (void)state;
    open_scene(&s, bytes, 1, 0);
    for (int i = 0; i < N_WAYS; i++) {
        const size_t n = N * aisp_dtype_bytes(every_way[i].dtype);
        char *expected = aisp_xcalloc(1, n), *seen;

        cuda_judge_fill(s.judge, 0, &every_way[i], 0, N);
        aisp_fill(&every_way[i], expected, 0, N);
        seen = read_all(&s, 0, n);
        assert_memory_equal(seen, expected, n);
        free(seen);
        free(expected);
    }
    close_scene(&s);
}

static void what_was_asked_last_is_what_lies_there(void **state)
{
    const struct aisp_filling *first = &every_way[0], *part = &every_way[3];
    const uint64_t bytes[] = { N * 4 };
    char *expected = aisp_xcalloc(1, N * 4), *seen;
    struct scene s;

    (void)state;
    open_scene(&s, bytes, 1, 0);
    cuda_judge_write(s.judge, 0, 0, expected, N * 4);
    cuda_judge_poison(s.judge, 0, AISP_F32, &key);
    cuda_judge_fill(s.judge, 0, first, 640, 1000);
    cuda_judge_fill(s.judge, 0, part, 1280, 128);
    cuda_judge_write(s.judge, 0, 1300 * 4 + 1, "written", 7);
    aisp_poison(expected, N * 4, AISP_F32, &key);
    aisp_fill(first, expected, 640, 1000);
    aisp_fill(part, expected, 1280, 128);
    memcpy(expected + 1300 * 4 + 1, "written", 7);
    seen = read_all(&s, 0, N * 4);
    assert_memory_equal(seen, expected, N * 4);
    free(seen);
    free(expected);
    close_scene(&s);
}

/* More than both frames of the mirror hold. */
static void buffers_larger_than_the_mirror_go_through_it(void **state)
{
    const struct aisp_filling zipf = { { AISP_ZIPF, 1.1, 1000 }, AISP_I32, LARGE / 4 + 3, key };
    const uint64_t bytes[] = { LARGE + 12, LARGE + 12 };
    char *expected = aisp_xmalloc(LARGE + 12), *seen;
    struct scene s;
    struct aisp_err err;
    int64_t took = -1;

    (void)state;
    open_scene(&s, bytes, 2, 0);
    for (size_t i = 0; i < LARGE + 12; i++)
        expected[i] = (char)(i * 2654435761u >> 13);
    cuda_judge_write(s.judge, 0, 0, expected, LARGE + 12);
    cuda_judge_fill(s.judge, 1, &zipf, 0, zipf.elements);
    seen = aisp_xmalloc(LARGE + 12);
    assert_int_equal(cuda_judge_read(s.judge, 0, 1, LARGE + 11, seen, &took, &err), AISP_OK);
    assert_true(took > 0);
    assert_memory_equal(seen, expected + 1, LARGE + 11);
    free(seen);
    aisp_fill(&zipf, expected, 0, zipf.elements);
    seen = read_all(&s, 1, LARGE + 12);
    assert_memory_equal(seen, expected, LARGE + 12);
    free(seen);
    free(expected);
    close_scene(&s);
}

static void buffers_begin_as_zeros_between_canaries_that_a_descriptor_reaches(void **state)
{
    static const size_t place[] = { 0, 777, MIB2 - 1024 - N, MIB2 - 1 };
    const uint64_t bytes[] = { 64, N };
    const int all[] = { 0, 1 };
    struct scene s;
    struct aisp_err err;
    int64_t bad[2];
    char *map, *data;

    (void)state;
    open_scene(&s, bytes, 2, 600);
    map = mmap(NULL, MIB2, PROT_READ | PROT_WRITE, MAP_SHARED, s.fd[1], 0);
    assert_true(map != MAP_FAILED);
    data = map + s.judge->place[1].data_offset;
    for (int i = 0; i < N; i++)
        assert_int_equal(data[i], 0);
    memset(data, 0x5a, N); /* of the data a canary knows nothing */
    assert_int_equal(cuda_judge_canaries(s.judge, all, 2, bad, &err), AISP_OK);
    assert_int_equal(bad[0], -1);
    assert_int_equal(bad[1], -1);
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        map[place[i]] ^= 1;
        map[MIB2 - 1] ^= 2; /* the first is told */
        assert_int_equal(cuda_judge_canaries(s.judge, all, 2, bad, &err), AISP_OK);
        assert_int_equal(bad[0], -1);
        assert_int_equal(bad[1], place[i]);
        assert_int_equal(cuda_judge_canaries(s.judge, all, 2, bad, &err), AISP_OK); /* mended */
        assert_int_equal(bad[1], -1);
    }
    assert_int_equal(data[0], 0x5a);
    assert_int_equal(data[N - 1], 0x5a);
    data[-1] ^= 1;
    assert_int_equal(cuda_judge_canaries(s.judge, all, 2, bad, &err), AISP_OK);
    assert_int_equal(bad[1], data - 1 - map);
    munmap(map, MIB2);
    close_scene(&s);
}

static void the_first_changed_element_of_all_contents_is_told(void **state)
{
    const uint64_t bytes[] = { N * 8 };
    struct scene s;
    struct aisp_err err;
    int64_t bad;

    (void)state;
    open_scene(&s, bytes, 1, 0);
    for (int i = 0; i < N_WAYS; i++) {
        const struct aisp_filling *what = &every_way[i];
        const struct aisp_filling ends = { what->fill, what->dtype, N, { { 9, 9 }, { 9, 9 } } };
        const bool is_whole = what->fill.kind == AISP_PERMUTATION;
        const struct cuda_contents contents[] = { { *what, 0, is_whole ? N : 1280 },
                                                  { ends, 1280, N - 1280 } };
        const int n = is_whole ? 1 : 2;
        const size_t size = aisp_dtype_bytes(what->dtype);

        for (int k = n - 1; k >= 0; k--)
            cuda_judge_fill(s.judge, 0, &contents[k].what, contents[k].first, contents[k].n);
        assert_int_equal(cuda_judge_holds(s.judge, 0, contents, n, &bad, &err), AISP_OK);
        assert_int_equal(bad, -1);
        cuda_judge_write(s.judge, 0, 4998 * size, "\xfe\xdc\xba\x98\x76\x54\x32\x11", size);
        assert_int_equal(cuda_judge_holds(s.judge, 0, contents, n, &bad, &err), AISP_OK);
        assert_int_equal(bad, 4998);
        cuda_judge_write(s.judge, 0, 1279 * size, "\xfe\xdc\xba\x98\x76\x54\x32\x11", size);
        assert_int_equal(cuda_judge_holds(s.judge, 0, contents, n, &bad, &err), AISP_OK);
        assert_int_equal(bad, 1279);
    }
    close_scene(&s);
}

static void more_buffers_than_one_message_carries_are_made_in_order(void **state)
{
    enum { MANY = 150 };
    static struct cuda_place place[MANY];
    struct cuda_judge *judge;
    struct cuda_card card;
    struct aisp_err err;
    int fd[MANY];

    (void)state;
    assert_int_equal(cuda_judge_start(&judge, library, &card, &err), AISP_OK);
    for (int i = 0; i < MANY; i++)
        place[i] = (struct cuda_place){ MIB2, 0, 4096 };
    assert_int_equal(cuda_judge_allocate(judge, place, MANY, fd, &err), AISP_OK);
    for (int i = 0; i < MANY; i++)
        cuda_judge_write(judge, i, 5, &i, sizeof i);
    assert_int_equal(cuda_judge_flush(judge, &err), AISP_OK);
    for (int i = 0; i < MANY; i++) {
        int seen;

        assert_int_equal(pread(fd[i], &seen, sizeof seen, 5), sizeof seen);
        assert_int_equal(seen, i);
        assert_true(fcntl(fd[i], F_GETFD) & FD_CLOEXEC);
        close(fd[i]);
    }
    cuda_judge_stop(judge);
}

static void an_idle_device_answers_a_probe(void **state)
{
    const uint64_t bytes[] = { 64 };
    struct scene s;
    struct aisp_err err;
    int64_t took = -1;

    (void)state;
    open_scene(&s, bytes, 1, 0);
    assert_int_equal(cuda_judge_probe(s.judge, &took, &err), AISP_OK);
    assert_true(took > 0 && took < 1000000000);
    close_scene(&s);
}

static struct cuda_truth truth_of(const char *path, const int64_t *param)
{
    return (struct cuda_truth){ .path = path,
                                .param = param,
                                .n_params = 2,
                                .n_tensors = 2,
                                .out = 1,
                                .view = { 0, -1 },
                                .first = 3,
                                .n = 5,
                                .row_elements = 4 };
}

static void rows_of_the_truth_come_from_the_problems_own_kernel(void **state)
{
    const uint64_t bytes[] = { N * 4 };
    const int64_t param[] = { 1000, 0 };
    const struct cuda_truth truth = truth_of(BUILD_DIR "/fixtures/device_truth.so", param);
    struct scene s;
    struct aisp_err err;
    double y[20];
    float *x;

    (void)state;
    open_scene(&s, bytes, 1, 0);
    cuda_judge_fill(s.judge, 0, &every_way[0], 0, N);
    for (int again = 0; again < 2; again++) {
        if (cuda_judge_truth(s.judge, &truth, y, &err))
            fail_msg("%s", err.text);
        x = (float *)read_all(&s, 0, N * 4);
        for (int i = 0; i < 20; i++)
            assert_true(y[i] == 2.0 * x[12 + i] + 3 + i / 4 + 1000);
        free(x);
    }
    close_scene(&s);
}

static void a_truth_that_is_none_is_refused_with_the_reason(void **state)
{
    const uint64_t bytes[] = { N * 4 };
    const int64_t param[] = { 0, 0 }, failing[] = { 0, 1 };
    struct cuda_truth truth = truth_of(BUILD_DIR "/fixtures/none.so", param);
    struct scene s;
    struct aisp_err err;
    double y[20];

    (void)state;
    open_scene(&s, bytes, 1, 0);
    assert_int_equal(cuda_judge_truth(s.judge, &truth, y, &err), AISP_E_REFUSED);
    assert_non_null(strstr(err.text, "none.so"));
    truth.path = BUILD_DIR "/fixtures/without_symbol.so";
    assert_int_equal(cuda_judge_truth(s.judge, &truth, y, &err), AISP_E_REFUSED);
    assert_non_null(strstr(err.text, "without_symbol.so has no aisp_reference"));
    truth = truth_of(BUILD_DIR "/fixtures/device_truth.so", failing);
    assert_int_equal(cuda_judge_truth(s.judge, &truth, y, &err), AISP_E_DEVICE);
    assert_non_null(strstr(err.text, "its log ends: device_truth.c:17: launch: out of resources"));
    truth.param = param; /* and the judge is none the worse */
    assert_int_equal(cuda_judge_truth(s.judge, &truth, y, &err), AISP_OK);
    close_scene(&s);
}

static void a_judge_that_dies_of_the_truth_is_one_line(void **state)
{
    const uint64_t bytes[] = { N * 4 };
    const int64_t param[] = { 0, 2 };
    const struct cuda_truth truth = truth_of(BUILD_DIR "/fixtures/device_truth.so", param);
    struct scene s;
    struct aisp_err err;
    double y[20];

    (void)state;
    open_scene(&s, bytes, 1, 0);
    assert_int_equal(cuda_judge_truth(s.judge, &truth, y, &err), AISP_E_DEVICE);
    assert_string_equal(err.text, "the CUDA judge died: signal 6");
    assert_int_equal(cuda_judge_flush(s.judge, &err), AISP_E_DEVICE);
    close(s.fd[0]);
    cuda_judge_stop(s.judge);
}

/* Stands in for a judge: this program, started as one, with `part` as its library. */
static int play(const char *part)
{
    static struct wire_batch batch;
    static struct wire_reply reply;
    int fd[2] = { 0, 1 };
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof fd)] = { 0 };
    struct iovec piece = { &reply, sizeof reply };
    struct msghdr m = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control
    };
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);

    *c = (struct cmsghdr){ CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS };
    memcpy(CMSG_DATA(c), fd, sizeof fd);
    if (recv(WIRE_FD_SOCKET, &batch, sizeof batch, 0) <= 0)
        return 1;
    reply = (struct wire_reply){ WIRE_MARK, batch.n_ops, batch.sequence, AISP_OK, "", { 0 } };
    if (!strcmp(part, "silent"))
        for (;;)
            pause();
    if (!strcmp(part, "short"))
        piece.iov_len = 5;
    else if (!strcmp(part, "late"))
        reply.sequence--;
    else if (!strcmp(part, "unmarked"))
        reply.mark = 0;
    else if (!strcmp(part, "status"))
        reply.status = 4711;
    else if (!strcmp(part, "counts"))
        reply.n_ops++;
    if (strcmp(part, "descriptors")) {
        m.msg_control = NULL;
        m.msg_controllen = 0;
    }
    sendmsg(WIRE_FD_SOCKET, &m, MSG_NOSIGNAL);
    return recv(WIRE_FD_SOCKET, &batch, sizeof batch, 0) < 0;
}

static int n_descriptors(void)
{
    int n = 0;

    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

static void an_answer_that_is_none_ends_the_judge(void **state)
{
    static const char *const part[] = { "short",  "late",        "unmarked", "status",
                                        "counts", "descriptors", "silent" };
    const int n_before = n_descriptors();

    (void)state;
    cuda_judge_set_program("/proc/self/exe");
    cuda_judge_set_timeout(200000000);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        char *as = aisp_format("play:%s", part[i]);
        struct cuda_judge *judge = NULL;
        struct cuda_card card;
        struct aisp_err err;

        assert_int_equal(cuda_judge_start(&judge, as, &card, &err), AISP_E_UNAVAILABLE);
        if (!strcmp(part[i], "silent"))
            assert_string_equal(err.text,
                                "the CUDA judge did not answer in time and was ended: signal 9");
        else
            assert_string_equal(
                err.text, "the CUDA judge gave an answer that is none and was ended: signal 9");
        assert_null(judge);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        assert_int_equal(n_descriptors(), n_before);
        free(as);
    }
    cuda_judge_set_timeout(0);
    cuda_judge_set_program(BUILD_DIR "/aisp-judge-cuda");
}

/* A supervisor that is killed takes its judge along. */
static void nobody_is_left_when_the_supervisor_dies(void **state)
{
    struct pollfd gone = { .events = POLLIN };
    int pipe_fd[2], status;
    pid_t supervisor, judge_pid = 0;

    (void)state;
    assert_int_equal(pipe(pipe_fd), 0);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    supervisor = fork();
    if (supervisor == 0) {
        struct cuda_judge *judge;
        struct cuda_card card;

        if (cuda_judge_start(&judge, library, &card, NULL))
            _exit(1);
        if (write(pipe_fd[1], &judge->pid, sizeof judge->pid) > 0)
            raise(SIGKILL);
        _exit(1);
    }
    assert_int_equal(read(pipe_fd[0], &judge_pid, sizeof judge_pid), sizeof judge_pid);
    gone.fd = (int)syscall(SYS_pidfd_open, judge_pid, 0);
    assert_int_equal(waitpid(supervisor, &status, 0), supervisor);
    assert_true(WIFSIGNALED(status));
    if (gone.fd >= 0)
        assert_int_equal(poll(&gone, 1, 5000), 1);
    assert_int_equal(waitpid(judge_pid, &status, 0), judge_pid);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
    close(gone.fd);
    close(pipe_fd[0]);
    close(pipe_fd[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_card_is_described),
        cmocka_unit_test(an_instance_of_a_card_has_a_uuid_of_its_own_kind),
        cmocka_unit_test(contents_are_the_hosts_however_they_are_made),
        cmocka_unit_test(what_was_asked_last_is_what_lies_there),
        cmocka_unit_test(buffers_larger_than_the_mirror_go_through_it),
        cmocka_unit_test(buffers_begin_as_zeros_between_canaries_that_a_descriptor_reaches),
        cmocka_unit_test(the_first_changed_element_of_all_contents_is_told),
        cmocka_unit_test(more_buffers_than_one_message_carries_are_made_in_order),
        cmocka_unit_test(an_idle_device_answers_a_probe),
        cmocka_unit_test(rows_of_the_truth_come_from_the_problems_own_kernel),
        cmocka_unit_test(a_truth_that_is_none_is_refused_with_the_reason),
        cmocka_unit_test(a_judge_that_dies_of_the_truth_is_one_line),
        cmocka_unit_test(an_answer_that_is_none_ends_the_judge),
        cmocka_unit_test(nobody_is_left_when_the_supervisor_dies),
    };
    int failed;

    if (argc > 1 && !strncmp(argv[1], "play:", 5))
        return play(argv[1] + 5);
    folder = temporary_folder();
    library = place_fake_cuda(folder, "", "");
    cuda_judge_set_program(BUILD_DIR "/aisp-judge-cuda");
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(library);
    remove_folder(folder);
    return failed;
}
