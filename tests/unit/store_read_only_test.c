/* store_read_only_test.c - the embedded store in a folder that cannot be written: read as it lies where it is whole, as its writer
 * has it where there is one, and else refused with what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "tests/unit/store_scene.h"

/* A '%', a '?' and a '#' in its name mean nothing. No server keeps it. */
static int set_up(void **state)
{
    char *folder = aisp_xstrdup("/tmp/aisp-store-a%20?b#c-XXXXXX");

    assert_non_null(mkdtemp(folder));
    *state = scene_in(folder);
    return 0;
}

static void record(struct aisp_store *store)
{
    json_t *manifest = json_pack("{s:s, s:s}", "host", "abc", "version", "0"), *summary = json_object();
    char run[AISP_RUN_ID_MAX];
    struct aisp_err err;

    assert_int_equal(aisp_store_run_begin(store, manifest, run, &err), AISP_OK);
    assert_int_equal(aisp_store_run_finish(store, run, summary, &err), AISP_OK);
    json_decref(manifest);
    json_decref(summary);
}

/* In a child with a mount namespace of its own, where the folder cannot be written; what it says is its exit code. */
static pid_t in_read_only_folder(const char *folder, int (*look)(const char *, const int *), const int *fd)
{
    const pid_t child = fork();

    if (child)
        return child;
    if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount(folder, folder, NULL, MS_BIND, NULL) ||
        mount("none", folder, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL))
        _exit(77);
    _exit(look(folder, fd));
}

static int said_by(pid_t child)
{
    int status;

    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();                                  /* no right to mount here */
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* How many runs are seen; 50: it cannot be read, 51: and it says what to do. */
static int n_runs_seen(struct aisp_store *store, const char *folder)
{
    struct aisp_err err = { 0 };
    json_t *runs = NULL;
    int n;

    if (!store && aisp_store_open(&store, folder, false, &err))
        return strstr(err.text, "make room, or read a copy") ? 51 : 50;
    if (aisp_store_runs(store, 40, &runs, &err))
        return strstr(err.text, "was written to while it was read") ? 51 : 50;
    n = (int)json_array_size(runs);
    json_decref(runs);
    aisp_store_close(store);
    return n;
}

static int look(const char *folder, const int *fd)
{
    (void)fd;
    return n_runs_seen(NULL, folder);
}

static int look_through_link(const char *folder, const int *fd)
{
    char *path = aisp_format("%s/link", folder);
    const int seen = n_runs_seen(NULL, path);

    (void)fd;
    free(path);
    return seen;
}

static void a_store_in_a_read_only_folder_is_read(void **state)
{
    struct scene *f = *state;

    record(f->store);
    record(f->store);
    aisp_store_close(f->store);
    f->store = NULL;
    assert_int_equal(said_by(in_read_only_folder(f->folder, look, NULL)), 2);
}

/* With a writer, its log is beside the file: what it wrote is seen. */
static void a_read_only_folder_shows_what_its_writer_has_written(void **state)
{
    struct scene *f = *state;

    record(f->store);
    assert_int_equal(said_by(in_read_only_folder(f->folder, look, NULL)), 1);
    record(f->store);
    assert_int_equal(said_by(in_read_only_folder(f->folder, look, NULL)), 2);
}

static void a_log_that_cannot_be_put_in_order_is_reported(void **state)
{
    struct scene *f = *state;
    char *line, *copy = aisp_format("%s/copy", f->folder);

    record(f->store);
    line = aisp_format("cd '%s' && mkdir copy && cp aisp.sqlite aisp.sqlite-wal copy", f->folder);
    assert_int_equal(system(line), 0);
    free(line);
    assert_int_equal(said_by(in_read_only_folder(copy, look, NULL)), 51);
    free(copy);
}

/* What its writer left lies beside the file, and not beside the link. */
static void a_log_beside_what_a_link_names_is_reported(void **state)
{
    struct scene *f = *state;
    char *line;

    record(f->store);
    line = aisp_format("cd '%s' && mkdir copy link && cp aisp.sqlite aisp.sqlite-wal copy && ln -s ../copy/aisp.sqlite link",
                       f->folder);
    assert_int_equal(system(line), 0);
    free(line);
    assert_int_equal(said_by(in_read_only_folder(f->folder, look_through_link, NULL)), 51);
}

/* Opened at rest; then somebody writes, who can: nothing of two states is told. */
static int look_before_and_after(const char *folder, const int *fd)
{
    struct aisp_store *store = NULL;
    struct aisp_err err = { 0 };
    char byte = 0;

    if (aisp_store_open(&store, folder, false, &err) || write(fd[1], &byte, 1) != 1 || read(fd[0], &byte, 1) != 1)
        return 60;
    return n_runs_seen(store, folder) == 51 && n_runs_seen(NULL, folder) == 2 ? 0 : 61;
}

static void who_reads_at_rest_finds_out_that_somebody_wrote(void **state)
{
    struct scene *f = *state;
    char byte;
    int there[2], back[2];
    pid_t child;

    record(f->store);
    aisp_store_close(f->store);
    f->store = NULL;
    assert_int_equal(pipe(there) | pipe(back), 0);
    child = in_read_only_folder(f->folder, look_before_and_after, (const int[2]){ there[0], back[1] });
    close(back[1]);
    if (read(back[0], &byte, 1) == 1) {
        assert_int_equal(aisp_store_open(&f->store, f->folder, true, &f->err), AISP_OK);
        record(f->store);
        aisp_store_close(f->store);
        f->store = NULL;
        assert_int_equal(write(there[1], &byte, 1), 1);
    }
    assert_int_equal(said_by(child), 0);
}

static void who_wants_no_reason_gets_none(void **state)
{
    struct aisp_store *store = NULL;

    (void)state;
    assert_int_equal(aisp_store_open(&store, "/no/such/folder", false, NULL), AISP_E_NOT_FOUND);
    assert_null(store);
}

/* To the last byte. */
static void fill_up(const char *folder)
{
    char *path = aisp_format("%s/filler", folder), zeros[512] = "";
    const int fd = open(path, O_WRONLY | O_CREAT, 0600);

    while (fd >= 0 && write(fd, zeros, sizeof zeros) > 0)
        ;
    close(fd);
    free(path);
}

static void a_store_on_a_full_disk_is_read(void **state)
{
    struct scene *f = *state;
    struct aisp_store *store;
    const pid_t child = fork();

    if (!child) {
        if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
            mount("tmpfs", f->folder, "tmpfs", 0, "size=4m"))
            _exit(77);
        if (aisp_store_open(&store, f->folder, true, &f->err))
            _exit(60);
        record(store);
        aisp_store_close(store);
        fill_up(f->folder);
        _exit(n_runs_seen(NULL, f->folder));
    }
    assert_int_equal(said_by(child), 1);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, scene_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_store_in_a_read_only_folder_is_read),
        T(a_read_only_folder_shows_what_its_writer_has_written),
        T(a_log_that_cannot_be_put_in_order_is_reported),
        T(a_log_beside_what_a_link_names_is_reported),
        T(who_reads_at_rest_finds_out_that_somebody_wrote),
        T(a_store_on_a_full_disk_is_read),
        T(who_wants_no_reason_gets_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
