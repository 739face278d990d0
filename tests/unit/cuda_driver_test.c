/* cuda_driver_test.c - the driver is opened or one line says why not; and what the backend's tests
 * stand on where there is no card: the memory of the fake driver (tests/fake_cuda). */
#include "tests/fake_cuda/place.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "backends/cuda/driver.h"
#include "backends/cuda/hold.h"
#include "backends/cuda/judge_plan.h"

enum { MIB2 = 2 << 20 };

struct scene {
    char *folder, *library;
    struct cuda_driver driver;
    char why[200];
    bool is_open;
};

static struct scene open_scene(const char *which, const char *script)
{
    struct scene s = { 0 };

    s.folder = temporary_folder();
    s.library = place_fake_cuda(s.folder, which, script);
    s.is_open = cuda_driver_open(&s.driver, s.library, s.why);
    return s;
}

/* With a current context. */
static struct scene device_scene(const char *script)
{
    struct scene s = open_scene("", script);
    cu_context context;

    assert_true(s.is_open);
    assert_int_equal(s.driver.primary_retain(&context, 0), CU_OK);
    assert_int_equal(s.driver.context_set(context), CU_OK);
    return s;
}

static void close_scene(struct scene *s)
{
    free(s->library);
    remove_folder(s->folder);
}

static void refused_with(const char *which, const char *script, const char *why)
{
    struct scene s = open_scene(which, script);

    assert_false(s.is_open);
    assert_string_equal(s.why, why);
    close_scene(&s);
}

static void a_driver_that_answers_is_opened_with_its_version(void **state)
{
    struct scene s = open_scene("", "name Fake H100\ndriver 12080\n# nothing else\n");
    char name[96];
    struct cu_uuid uuid;
    size_t bytes;
    int value;

    (void)state;
    assert_string_equal(s.why, "");
    assert_true(s.is_open);
    assert_int_equal(s.driver.version, 12080);
    assert_int_equal(s.driver.device_name(name, sizeof name, 0), CU_OK);
    assert_string_equal(name, "Fake H100");
    assert_int_equal(s.driver.device_memory(&bytes, 0), CU_OK);
    assert_int_equal(bytes, (size_t)4 << 30);
    assert_int_equal(s.driver.device_uuid(&uuid, 0), CU_OK);
    assert_int_equal(s.driver.device_attribute(&value, CU_ATTR_VMM_FD, 0), CU_OK);
    assert_int_equal(value, 1);
    assert_int_equal(s.driver.device_get(&value, 1), 101);
    close_scene(&s);
}

static void without_a_library_one_line_says_there_is_no_driver(void **state)
{
    struct cuda_driver driver;
    char why[200];

    (void)state;
    assert_false(cuda_driver_open(&driver, "/nowhere/libcuda.so.1", why));
    assert_ptr_equal(strstr(why, "no NVIDIA driver here (/nowhere/libcuda.so.1: "), why);
    assert_null(strchr(why, '\n'));
}

static void a_file_that_is_no_library_is_no_driver(void **state)
{
    char *folder = temporary_folder();
    char *path = write_file(folder, "libcuda.so.1", "text", 4);
    struct cuda_driver driver;
    char why[200];

    (void)state;
    assert_false(cuda_driver_open(&driver, path, why));
    assert_ptr_equal(strstr(why, "no NVIDIA driver here ("), why);
    free(path);
    remove_folder(folder);
}

/* Its words for errors are missing as well: the line must not depend on them. */
static void the_toolkits_stub_is_called_a_stub(void **state)
{
    struct scene s = open_scene("stub/", "");

    (void)state;
    assert_false(s.is_open);
    assert_non_null(strstr(s.why, "is the toolkit's stub, not a driver"));
    close_scene(&s);
}

static void an_old_driver_is_known_by_the_call_it_lacks(void **state)
{
    (void)state;
    refused_with("old/", "", "the driver has no cuDeviceGetUuid_v2: it is older than CUDA 12");
}

static void a_version_below_12_is_too_old(void **state)
{
    (void)state;
    refused_with("", "driver 11080", "the driver is for CUDA 11.8, 12.0 or newer is needed");
}

static void a_machine_without_a_device_is_told(void **state)
{
    (void)state;
    refused_with("", "devices 0", "the driver finds no device");
    refused_with("", "fail cuInit 1 100",
                 "cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)");
}

static void a_driver_that_does_not_start_is_quoted(void **state)
{
    (void)state;
    refused_with(
        "", "fail cuInit 1 803",
        "cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (system has unsupported display driver / "
        "cuda driver combination)");
    refused_with("", "fail cuInit 1 999", "cuInit: CUDA_ERROR_UNKNOWN (unknown error)");
}

static void an_error_without_words_is_told_by_its_number(void **state)
{
    struct scene s = open_scene("", "");
    char text[200];

    (void)state;
    cuda_driver_say(&s.driver, "cuMemCreate", CU_OUT_OF_MEMORY, text);
    assert_string_equal(text, "cuMemCreate: CUDA_ERROR_OUT_OF_MEMORY (out of memory)");
    cuda_driver_say(&s.driver, "cuMemCreate", 4321, text);
    assert_non_null(strstr(text, "4321"));
    close_scene(&s);
}

static const struct cu_allocation_prop prop = { .type = CU_PINNED,
                                                .handle_types = CU_FD,
                                                .place = { CU_ON_DEVICE, 0 } };

/* An allocation, mapped at the wish or elsewhere, and readable, or writable. */
static cu_pointer map(const struct cuda_driver *d, cu_allocation made, cu_pointer wish, int flags)
{
    const struct cu_access access = { { CU_ON_DEVICE, 0 }, flags };
    cu_pointer at;

    assert_int_equal(d->address_reserve(&at, MIB2, 0, wish, 0), CU_OK);
    assert_int_equal(d->memory_map(at, MIB2, 0, made, 0), CU_OK);
    assert_int_equal(d->memory_access(at, MIB2, &access, 1), CU_OK);
    return at;
}

static cu_allocation make_and_import(const struct cuda_driver *d, cu_allocation *imported)
{
    cu_allocation made;
    int fd;

    assert_int_equal(d->memory_create(&made, MIB2, &prop, 0), CU_OK);
    assert_int_equal(d->memory_export(&fd, made, CU_FD, 0), CU_OK);
    assert_int_equal(d->memory_import(imported, (void *)(intptr_t)fd, CU_FD), CU_OK);
    assert_int_equal(close(fd), 0);
    return made;
}

/* Where ThreadSanitizer lets a program map too. */
static const cu_pointer free_place = 0x7e8000000000;

static void memory_travels_by_descriptor_and_a_wish_is_granted(void **state)
{
    struct scene s = device_scene("memory_mib 4");
    const struct cuda_driver *d = &s.driver;
    cu_allocation made, imported;
    cu_pointer here, there;
    size_t free_bytes, total;

    (void)state;
    made = make_and_import(d, &imported);
    here = map(d, made, free_place, CU_READ_WRITE);
    assert_int_equal(here, free_place);
    there = map(d, imported, free_place, CU_READ);
    assert_int_not_equal(there, here);
    assert_int_equal(there % MIB2, 0);
    assert_int_equal(d->set_words(here, 7, MIB2 / 4, NULL), CU_OK);
    assert_int_equal(((const int *)(uintptr_t)there)[MIB2 / 4 - 1], 7);
    assert_int_equal(d->memory_info(&free_bytes, &total), CU_OK);
    assert_int_equal(total - free_bytes, MIB2);
    assert_int_equal(d->memory_release(made), CU_OK);
    assert_int_equal(d->memory_unmap(here, MIB2), CU_OK);
    assert_int_equal(d->address_free(here, MIB2), CU_OK);
    assert_int_equal(d->memory_info(&free_bytes, &total), CU_OK);
    assert_int_equal(free_bytes, total);
    assert_int_equal(((const int *)(uintptr_t)there)[0], 7);
    assert_int_equal(d->memory_release(imported), CU_OK);
    assert_int_equal(d->memory_unmap(there, MIB2), CU_OK);
    assert_int_equal(d->address_free(there, MIB2), CU_OK);
    close_scene(&s);
}

/* How a child ends that stores to `at`. */
static int signal_of_a_store(cu_pointer at)
{
    const pid_t child = fork();
    int status;

    assert_true(child >= 0);
    if (!child) {
        signal(SIGSEGV, SIG_DFL);
        *(volatile int *)(uintptr_t)at = 1;
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void a_store_into_what_is_read_only_faults(void **state)
{
    struct scene s = device_scene("");
    const struct cuda_driver *d = &s.driver;
    cu_allocation made, imported;
    cu_pointer here, there;

    (void)state;
    made = make_and_import(d, &imported);
    here = map(d, made, 0, CU_READ_WRITE);
    there = map(d, imported, 0, CU_READ);
    assert_int_equal(signal_of_a_store(there), SIGSEGV);
    assert_int_equal(signal_of_a_store(here), 0);
    assert_int_equal(d->set_bytes(there, 1, 1, NULL), CU_INVALID_VALUE);
    assert_int_equal(*(const int *)(uintptr_t)there, 1);
    assert_int_equal(d->memory_unmap(here, MIB2), CU_OK);
    assert_int_equal(signal_of_a_store(here), SIGSEGV);
    close_scene(&s);
}

static void wrong_sizes_handles_and_order_are_refused(void **state)
{
    struct scene s = device_scene("memory_mib 4");
    const struct cuda_driver *d = &s.driver;
    cu_allocation made, other;
    cu_pointer at;

    (void)state;
    assert_int_equal(d->memory_create(&made, MIB2 + 1, &prop, 0), CU_INVALID_VALUE);
    assert_int_equal(d->memory_create(&made, 3 * MIB2, &prop, 0), CU_OUT_OF_MEMORY);
    assert_int_equal(d->memory_create(&made, MIB2, &prop, 0), CU_OK);
    at = map(d, made, 0, CU_READ_WRITE);
    assert_int_equal(d->memory_create(&other, MIB2, &prop, 0), CU_OK);
    assert_int_equal(d->memory_map(at, MIB2, 0, other, 0), CU_INVALID_VALUE);
    assert_int_equal(d->address_free(at, MIB2), CU_INVALID_VALUE);
    assert_int_equal(d->set_bytes(at, 0, MIB2 + 1, NULL), CU_INVALID_VALUE);
    assert_int_equal(d->memory_release(other), CU_OK);
    assert_int_equal(d->memory_release(other), CU_INVALID_VALUE);
    close_scene(&s);
}

static void a_call_fails_when_its_turn_comes_and_a_lost_device_stays_lost(void **state)
{
    struct scene s = device_scene("fail cuMemCreate 2 2\nfail_after cuStreamSynchronize 2 719");
    const struct cuda_driver *d = &s.driver;
    cu_allocation made;

    (void)state;
    assert_int_equal(d->memory_create(&made, MIB2, &prop, 0), CU_OK);
    assert_int_equal(d->memory_create(&made, MIB2, &prop, 0), CU_OUT_OF_MEMORY);
    assert_int_equal(d->memory_create(&made, MIB2, &prop, 0), CU_OK);
    assert_int_equal(d->stream_synchronize(NULL), CU_OK);
    assert_int_equal(d->stream_synchronize(NULL), CU_OK);
    assert_int_equal(d->stream_synchronize(NULL), 719);
    assert_int_equal(d->memory_create(&made, MIB2, &prop, 0), 719);
    close_scene(&s);
}

/* What the device and the host both see. */
static _Alignas(4096) struct {
    uint32_t go, beat, end;
    char rest[4096 - 12];
} shared;

static void hold_stream(const struct cuda_driver *d, cu_stream stream, uint64_t limit_ns)
{
    struct cuda_hold hold = { (uintptr_t)&shared.go, (uintptr_t)&shared.beat, limit_ns, 7 };
    void *arguments[] = { &hold };
    cu_function function;
    cu_module module;

    assert_int_equal(d->module_load(&module, "aisp: built without nvcc"), CU_OK);
    assert_int_equal(d->module_function(&function, module, CUDA_HOLD_KERNEL), CU_OK);
    assert_int_equal(d->launch(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL), CU_OK);
    assert_int_equal(d->stream_write(stream, (uintptr_t)&shared.end, 7, 0), CU_OK);
}

static void a_held_stream_queues_until_its_word_or_its_limit_comes(void **state)
{
    struct scene s = device_scene("");
    const struct cuda_driver *d = &s.driver;
    cu_event before, behind;
    cu_stream stream, other;
    float ms;

    (void)state;
    assert_int_equal(d->host_register(&shared, sizeof shared, CU_HOST_ON_DEVICE), CU_OK);
    assert_int_equal(d->stream_create(&stream, CU_STREAM_APART), CU_OK);
    assert_int_equal(d->stream_create(&other, CU_STREAM_APART), CU_OK);
    assert_int_equal(d->event_create(&before, 0), CU_OK);
    assert_int_equal(d->event_create(&behind, 0), CU_OK);
    assert_int_equal(d->event_record(before, stream), CU_OK);
    hold_stream(d, stream, 10000000000);
    assert_int_equal(d->event_record(behind, stream), CU_OK);
    while (__atomic_load_n(&shared.beat, __ATOMIC_ACQUIRE) < 3)
        ;
    assert_int_equal(d->stream_query(stream), CU_NOT_READY);
    assert_int_equal(d->event_elapsed(&ms, before, behind), CU_NOT_READY);
    assert_int_equal(d->stream_synchronize(other), CU_OK);
    assert_int_equal(shared.end, 0);
    __atomic_store_n(&shared.go, 7, __ATOMIC_RELEASE);
    assert_int_equal(d->context_synchronize(), CU_OK);
    assert_int_equal(shared.end, 7);
    assert_int_equal(d->stream_query(stream), CU_OK);
    assert_int_equal(d->event_elapsed(&ms, before, behind), CU_OK);
    shared.go = shared.end = 0;
    hold_stream(d, stream, 30000000);
    assert_int_equal(d->stream_synchronize(stream), CU_OK);
    assert_int_equal(shared.end, 7);
    assert_int_equal(d->stream_write(stream, (uintptr_t)&ms, 7, 0), CU_INVALID_VALUE);
    close_scene(&s);
}

static void events_tell_real_time_and_streams_are_checked(void **state)
{
    struct scene s = device_scene("delay cuStreamSynchronize 1 20");
    const struct cuda_driver *d = &s.driver;
    struct timespec before, after;
    cu_event start, end;
    cu_stream stream;
    float ms;

    (void)state;
    assert_int_equal(d->stream_create(&stream, CU_STREAM_APART), CU_OK);
    assert_int_equal(d->event_create(&start, 0), CU_OK);
    assert_int_equal(d->event_create(&end, 0), CU_OK);
    assert_int_equal(d->event_elapsed(&ms, start, end), 400);
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert_int_equal(d->event_record(start, stream), CU_OK);
    assert_int_equal(d->stream_synchronize(stream), CU_OK);
    assert_int_equal(d->event_record(end, stream), CU_OK);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_int_equal(d->event_elapsed(&ms, start, end), CU_OK);
    assert_true(ms >= 20);
    assert_true(ms <= 1 + (double)(after.tv_sec - before.tv_sec) * 1e3 +
                          (double)(after.tv_nsec - before.tv_nsec) / 1e6);
    assert_int_equal(d->stream_destroy(stream), CU_OK);
    assert_int_equal(d->stream_synchronize(stream), 400);
    close_scene(&s);
}

static void a_kernel_is_found_by_name_and_all_its_threads_run(void **state)
{
    struct scene s = device_scene("");
    const struct cuda_driver *d = &s.driver;
    struct judge_tile tile = { { 1, 2, 3, 4, 5, 6, 7, 8 } };
    int64_t from = 0, to = 4096;
    cu_pointer at;
    void *arguments[] = { &tile, &at, &from, &to };
    cu_function function;
    cu_module module;

    (void)state;
    assert_int_equal(d->module_load(&module, "no image at all"), 200);
    assert_int_equal(d->module_load(&module, ".version 8.0"), CU_OK);
    assert_int_equal(d->module_function(&function, module, "judge_nothing"), 500);
    assert_int_equal(d->module_function(&function, module, "judge_tile"), CU_OK);
    assert_int_equal(d->allocate(&at, 4096 + 8), CU_OK);
    assert_int_equal(d->launch(function, 3, 1, 1, 2048, 1, 1, 0, NULL, arguments, NULL),
                     CU_INVALID_VALUE);
    assert_int_equal(d->launch(function, 3, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL), CU_OK);
    for (int i = 0; i < 512; i++)
        assert_int_equal(((const uint64_t *)(uintptr_t)at)[i], 1 + i % 8);
    assert_int_equal(((const uint64_t *)(uintptr_t)at)[512], 0);
    assert_int_equal(d->release(at), CU_OK);
    assert_int_equal(d->module_unload(module), CU_OK);
    close_scene(&s);
}

static void a_script_that_is_not_understood_is_no_driver(void **state)
{
    (void)state;
    refused_with("", "fail cuMemCreate", "cuInit: CUDA_ERROR_UNKNOWN (unknown error)");
    refused_with("", "in elsewhere fail cuInit 1 2\nin cuda_driver_test fail cuInit 1 100",
                 "cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driver_that_answers_is_opened_with_its_version),
        cmocka_unit_test(without_a_library_one_line_says_there_is_no_driver),
        cmocka_unit_test(a_file_that_is_no_library_is_no_driver),
        cmocka_unit_test(the_toolkits_stub_is_called_a_stub),
        cmocka_unit_test(an_old_driver_is_known_by_the_call_it_lacks),
        cmocka_unit_test(a_version_below_12_is_too_old),
        cmocka_unit_test(a_machine_without_a_device_is_told),
        cmocka_unit_test(a_driver_that_does_not_start_is_quoted),
        cmocka_unit_test(an_error_without_words_is_told_by_its_number),
        cmocka_unit_test(memory_travels_by_descriptor_and_a_wish_is_granted),
        cmocka_unit_test(a_store_into_what_is_read_only_faults),
        cmocka_unit_test(wrong_sizes_handles_and_order_are_refused),
        cmocka_unit_test(a_call_fails_when_its_turn_comes_and_a_lost_device_stays_lost),
        cmocka_unit_test(a_held_stream_queues_until_its_word_or_its_limit_comes),
        cmocka_unit_test(events_tell_real_time_and_streams_are_checked),
        cmocka_unit_test(a_kernel_is_found_by_name_and_all_its_threads_run),
        cmocka_unit_test(a_script_that_is_not_understood_is_no_driver),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
