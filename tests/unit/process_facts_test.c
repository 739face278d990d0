/* process_facts_test.c - facts of processes and files: they survive JSON, merge to the worst, and what is scanned of a file is
 * what it holds, however broken the file is. Also the two checks on them that no fixture can bring about quickly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "backends/cpu/cpu.h"
#include "checks/check.h"
#include "core/base/buf.h"
#include "core/channel.h"
#include "core/evidence.h"
#include "core/scan.h"

#define VARIANT BUILD_DIR "/fixtures/honest.so"

static void facts_survive_json(void **state)
{
    struct aisp_process_facts *f = calloc(1, sizeof *f), *back = calloc(1, sizeof *back);
    struct aisp_process_object *o;
    json_t *json;

    (void)state;
    f->n_looks = 3;
    f->n_unseen = 2;
    f->jit_window_bytes = 4096;
    f->n_extra_views = 2;
    f->shipped_answer_at = 17;
    f->scan.has_fast_math = true;
    strcpy(f->scan.flags, "-O3 -mavx2");
    o = aisp_process_object(f, "/usr/lib/libz.so.1");
    o->is_executable = true;
    o->first_phase = AISP_PHASE_SETUP;
    json = aisp_process_facts_to_json(f);
    assert_int_equal(aisp_process_facts_from_json(json, back, NULL), AISP_OK);
    assert_memory_equal(f, back, sizeof *f);
    json_decref(json);
    free(f);
    free(back);
}

static void evidence_from_before_there_were_such_facts_still_loads(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT, back = AISP_EVIDENCE_INIT;
    json_t *json = aisp_evidence_to_json(&ev);

    (void)state;
    json_object_del(json, "processes");
    json_object_del(json, "watched");
    assert_int_equal(aisp_evidence_from_json(json, &back, NULL), AISP_OK);
    assert_int_equal(back.process[AISP_B].n_looks, 0);
    json_decref(json);
    aisp_evidence_release(&back);
}

static void a_list_of_objects_that_is_no_list_is_refused(void **state)
{
    struct aisp_process_facts *f = calloc(1, sizeof *f);
    json_t *json = aisp_process_facts_to_json(f);
    struct aisp_err err = { 0 };

    (void)state;
    json_object_set_new(json, "objects", json_integer(3));
    assert_int_equal(aisp_process_facts_from_json(json, f, &err), AISP_E_IO);
    assert_non_null(strstr(err.text, "objects"));
    json_decref(json);
    free(f);
}

static void merging_keeps_the_worst_and_sees_contents_change(void **state)
{
    struct aisp_process_facts *side = calloc(1, sizeof *side), *one = calloc(1, sizeof *one);

    (void)state;
    one->n_looks = 1;
    one->grown_bytes = 100;
    strcpy(aisp_process_object(one, "/a.so")->sha256, "11");
    one->object[0].first_phase = AISP_PHASE_TIMED;
    aisp_process_merge(side, one);
    one->grown_bytes = 7;
    strcpy(one->object[0].sha256, "22");
    one->object[0].first_phase = AISP_PHASE_SETUP;
    one->object[0].is_open = true;
    aisp_process_merge(side, one);
    aisp_process_merge(side, &(struct aisp_process_facts){ .n_unseen = 1 });
    assert_int_equal(side->n_looks, 2);
    assert_int_equal(side->n_unseen, 1);
    assert_int_equal(side->grown_bytes, 100);
    assert_int_equal(side->n_objects, 1);
    assert_true(side->object[0].is_changed);
    assert_true(side->object[0].is_open);
    assert_int_equal(side->object[0].first_phase, AISP_PHASE_SETUP);
    assert_string_equal(side->object[0].sha256, "11");
    free(side);
    free(one);
}

static void objects_beyond_the_room_are_counted(void **state)
{
    struct aisp_process_facts *f = calloc(1, sizeof *f);
    char path[32];

    (void)state;
    for (int i = 0; i < AISP_MAX_OBJECTS + 3; i++) {
        snprintf(path, sizeof path, "/%d.so", i);
        assert_true((aisp_process_object(f, path) != NULL) == (i < AISP_MAX_OBJECTS));
    }
    assert_int_equal(f->n_objects, AISP_MAX_OBJECTS);
    assert_int_equal(f->n_objects_dropped, 3);
    free(f);
}

static void a_scan_says_how_a_variant_was_built(void **state)
{
    struct aisp_scan_facts scan;

    (void)state;
    aisp_scan(VARIANT, &scan);
    assert_true(scan.is_scanned);
    assert_true(scan.has_flags);
    assert_non_null(strstr(scan.flags, "-O3"));
    assert_true(*scan.compiler);
    assert_false(scan.has_writable_code || scan.has_executable_stack || scan.has_fast_math);
    assert_int_equal(scan.n_constructors, 0);
    assert_int_equal(strlen(scan.run_sha256), 64);
    assert_true(scan.code_bytes > 0);
}

static char *read_all(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    char *all = malloc(1 << 20);

    assert_non_null(file);
    *n = fread(all, 1, 1 << 20, file);
    fclose(file);
    return all;
}

static void scan_bytes(const char *bytes, size_t n)
{
    char path[] = "/tmp/aisp-scan-XXXXXX";
    struct aisp_scan_facts scan;
    const int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), n);
    close(fd);
    aisp_scan(path, &scan);
    unlink(path);
}

/* The sanitizers are what finds a mistake here. */
static void a_broken_file_is_scanned_without_harm(void **state)
{
    size_t n;
    char *all = read_all(VARIANT, &n), *copy = malloc(n);
    uint32_t seed = 1;

    (void)state;
    for (size_t cut = 0; cut < n; cut += n / 40 + 1)
        scan_bytes(all, cut);
    for (int i = 0; i < 200; i++) {
        memcpy(copy, all, n);
        for (int k = 0; k < 20; k++) {
            seed = seed * 1664525u + 1013904223u;
            /* half of them in the headers at either end */
            copy[k % 2 ? (seed >> 8) % n : k % 4 ? n - 1 - (seed >> 8) % 2048 : (seed >> 8) % 512] ^= (char)(1 << (seed >> 29));
        }
        scan_bytes(copy, n);
    }
    free(copy);
    free(all);
}

static void bytes_are_found_in_a_file_unless_they_lie_in_every_file(void **state)
{
    static const char zeros[64];
    size_t n;
    char *all = read_all(VARIANT, &n);

    (void)state;
    assert_int_equal(aisp_scan_find(VARIANT, all, 64), 1);
    assert_int_equal(aisp_scan_find(VARIANT, all, 8), 0);
    assert_int_equal(aisp_scan_find(VARIANT, zeros, 64), 0);
    all[3] ^= 1;
    assert_int_equal(aisp_scan_find(VARIANT, all, 64), 0);
    free(all);
}

static void a_watched_file_is_hashed_before_and_after(void **state)
{
    struct aisp_watched w;
    static const int here;

    (void)state;
    assert_true(aisp_watched_find(&w, &here));
    aisp_watched_after(&w);
    assert_string_equal(w.sha256, w.sha256_after);
    strcpy(w.path, "/nowhere");
    aisp_watched_after(&w);
    assert_string_equal(w.sha256_after, "");
}

/* ---- checks ---- */

static const struct aisp_finding *finding(struct aisp_findings *out, const struct aisp_evidence *ev, const char *check)
{
    const struct aisp_grading grading = { 0 };

    aisp_examine(ev, &grading, out);
    for (size_t i = 0; i < out->n; i++)
        if (!strcmp(out->item[i].check->name, check))
            return &out->item[i];
    return NULL;
}

/* Twelve pairs; in those that are odd the contender takes `factor` as long. */
static void add_pairs(struct aisp_evidence *ev, double factor)
{
    static const int8_t sides[4] = { AISP_A, AISP_B, AISP_B, AISP_A };

    for (int pair = 0; pair < 12; pair++) {
        struct aisp_pair *p = aisp_grow(&ev->pair, &ev->n_pairs, &ev->cap_pairs, sizeof *p);

        *p = (struct aisp_pair){ .pair = pair, .complete = true };
        for (int i = 0; i < 16; i++) {
            struct aisp_window *w = aisp_grow(&ev->window, &ev->n_windows, &ev->cap_windows, sizeof *w);

            w->pair = pair;
            w->block = i / 4;
            w->side = sides[i % 4];
            w->kind = AISP_WINDOW_TIMED;
            w->calls = 10;
            w->window_ns = (int64_t)((2000000 + 1000 * ((pair * 7 + i * 3) % 11)) *
                                     (w->side == AISP_B && pair % 2 ? factor : 1));
            w->inner_ns = w->window_ns;
        }
    }
}

static void two_modes_of_the_ratio_are_named_and_one_is_not(void **state)
{
    (void)state;
    for (int two = 0; two < 2; two++) {
        struct aisp_evidence ev = AISP_EVIDENCE_INIT;
        struct aisp_findings out = AISP_FINDINGS_INIT;
        const struct aisp_finding *f;

        add_pairs(&ev, two ? 1.5 : 1.01);
        f = finding(&out, &ev, "autotune-variance");
        assert_true((f != NULL) == two);
        if (f)
            assert_non_null(strstr(f->text, "in 6 pairs"));
        aisp_findings_release(&out);
        aisp_evidence_release(&ev);
    }
}

static void equal_code_is_labelled_and_held_against_a_ratio_only(void **state)
{
    (void)state;
    for (int differs = 0; differs < 2; differs++) {
        struct aisp_evidence ev = AISP_EVIDENCE_INIT;
        struct aisp_findings out = AISP_FINDINGS_INIT;
        const struct aisp_finding *f;

        strcpy(ev.cache_level, "L2");
        ev.floor = 0.002;
        ev.band = 0.005;
        for (int side = 0; side < 2; side++) {
            ev.process[side].scan.is_scanned = true;
            strcpy(ev.process[side].scan.code_sha256, "cc");
        }
        strcpy(ev.variant[AISP_A].sha256, "aa");
        strcpy(ev.variant[AISP_B].sha256, "bb");
        add_pairs(&ev, 1);
        for (size_t i = 0; i < ev.n_windows && differs; i++)
            if (ev.window[i].side == AISP_B)
                ev.window[i].window_ns /= 2;
        f = finding(&out, &ev, "unequal-compilers");
        assert_non_null(f);
        assert_int_equal(f->severity, differs ? AISP_DEVELOPMENT : AISP_NOTE);
        assert_non_null(strstr(f->text, "identical"));
        aisp_findings_release(&out);
        aisp_evidence_release(&ev);
    }
}

static void code_that_nobody_declared_is_told_from_a_runtime(void **state)
{
    static const struct {
        const char *path, *check; /* NULL: silence */
    } row[] = {
        { "/usr/lib/x86_64-linux-gnu/libc.so.6", NULL },
        { "/usr/lib/x86_64-linux-gnu/libopenblas.so.0", "library-fallback" },
        { "/tmp/kernel.so", "compile-cache-hit" },
        { "/build/aisp-worker", NULL },
        { "/build/lib/libcudart.so.13", NULL },
        { "/build/lib/libcublas.so.13", "library-fallback" },
        { "/build/library/libfast.so", "compile-cache-hit" },
        { "/targets/x/aisp-worker", "compile-cache-hit" },
        { "/targets/x/lib/libcudart.so.13", "compile-cache-hit" },
    };
    static const char *const accusers[] = { "library-fallback", "compile-cache-hit" };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct aisp_evidence ev = AISP_EVIDENCE_INIT;
        struct aisp_findings out = AISP_FINDINGS_INIT;
        struct aisp_process_object *o;

        /* What is shipped lies beside the worker, and no variant has one. */
        aisp_process_object(&ev.process[AISP_B], "/build/aisp-worker");
        aisp_process_object(&ev.process[AISP_B], "/targets/x/aisp-worker");
        o = aisp_process_object(&ev.process[AISP_B], row[i].path);
        strcpy(ev.process[AISP_B].variant_path, "/targets/x/optimized_y.so");
        strcpy(ev.device, "cpu");
        o->is_executable = true;
        if (row[i].check)
            assert_non_null(finding(&out, &ev, row[i].check));
        for (size_t k = 0; !row[i].check && k < sizeof accusers / sizeof *accusers; k++) {
            assert_null(finding(&out, &ev, accusers[k]));
            aisp_findings_release(&out);
        }
        aisp_findings_release(&out);
        aisp_evidence_release(&ev);
    }
}

/* A card's driver maps libraries of its own; those that compute are known by name. */
static void a_vendors_library_is_told_from_a_drivers_on_a_card(void **state)
{
    static const struct {
        const char *path, *uses;
        bool is_found;
    } row[] = {
        { "/usr/local/cuda/lib64/libcublas.so.13", "", true },
        { "/usr/local/cuda/lib64/libcublasLt.so.13", "streams", true },
        { "/usr/local/cuda/lib64/libcublas.so.13", "library", false },
        { "/usr/lib/x86_64-linux-gnu/libnvidia-ptxjitcompiler.so.1", "", false },
        { "/usr/lib/x86_64-linux-gnu/libdrm.so.2", "", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct aisp_evidence ev = AISP_EVIDENCE_INIT;
        struct aisp_findings out = AISP_FINDINGS_INIT;

        aisp_process_object(&ev.process[AISP_B], row[i].path)->is_executable = true;
        strcpy(ev.process[AISP_B].variant_path, "/targets/x/optimized_y.so");
        strcpy(ev.variant[AISP_B].decl.uses, row[i].uses);
        strcpy(ev.device, "cuda");
        assert_true((finding(&out, &ev, "library-fallback") != NULL) == row[i].is_found);
        aisp_findings_release(&out);
        aisp_evidence_release(&ev);
    }
}

static void who_hides_is_told_from_a_host_that_shows_nobody(void **state)
{
    static const struct {
        int32_t looks[2], unseen[2], missing[2];
        int severity, side; /* -1: nothing is found */
    } row[] = {
        { { 9, 9 }, { 0, 0 }, { 0, 0 }, -1, -1 },
        { { 0, 0 }, { 0, 0 }, { 0, 0 }, -1, -1 },                                    /* a played device, an older record */
        { { 9, 4 }, { 0, 5 }, { 0, 0 }, AISP_VIOLATION, AISP_B },                    /* now and then is enough */
        { { 0, 9 }, { 9, 0 }, { 0, 0 }, AISP_VIOLATION, AISP_A },
        { { 0, 0 }, { 9, 9 }, { 0, 0 }, AISP_DEVELOPMENT, -1 },
        { { 0, 0 }, { 0, 9 }, { 0, 0 }, AISP_DEVELOPMENT, -1 },                      /* the other one died before it was looked at */
        { { 0, 9 }, { 9, 0 }, { 0, AISP_CAGE_USER }, AISP_DEVELOPMENT, -1 },         /* the other one stayed the supervisor's user */
        { { 9, 0 }, { 0, 9 }, { AISP_CAGE_USER, AISP_CAGE_USER }, AISP_VIOLATION, AISP_B },
    };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct aisp_evidence ev = AISP_EVIDENCE_INIT;
        struct aisp_findings out = AISP_FINDINGS_INIT;
        const struct aisp_finding *found;

        for (int side = AISP_A; side <= AISP_B; side++) {
            ev.process[side].n_looks = row[i].looks[side];
            ev.process[side].n_unseen = row[i].unseen[side];
            ev.account[side].missing = row[i].missing[side];
        }
        found = finding(&out, &ev, "process-hidden");
        assert_int_equal(found ? (int)found->severity : -1, row[i].severity);
        if (found)
            assert_int_equal(found->side, row[i].side);
        aisp_findings_release(&out);
        aisp_evidence_release(&ev);
    }
}

/* As /proc lists them: what is no file may have a name that looks like one. */
static void memory_that_the_kernel_names_is_no_file(void **state)
{
    (void)state;
    assert_true(cpu_is_file("/usr/lib/libc.so.6"));
    assert_true(cpu_is_file("/tmp/anon_hugepage (deleted)"));
    assert_true(cpu_is_file("/anon_hugepage"));
    assert_false(cpu_is_file("/anon_hugepage (deleted)"));
    assert_false(cpu_is_file("/[aio] (deleted)"));
    assert_false(cpu_is_file("/memfd:aisp-in (deleted)"));
    assert_false(cpu_is_file("[heap]"));
    assert_false(cpu_is_file(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vendors_library_is_told_from_a_drivers_on_a_card),
        cmocka_unit_test(facts_survive_json),
        cmocka_unit_test(evidence_from_before_there_were_such_facts_still_loads),
        cmocka_unit_test(a_list_of_objects_that_is_no_list_is_refused),
        cmocka_unit_test(merging_keeps_the_worst_and_sees_contents_change),
        cmocka_unit_test(objects_beyond_the_room_are_counted),
        cmocka_unit_test(a_scan_says_how_a_variant_was_built),
        cmocka_unit_test(a_broken_file_is_scanned_without_harm),
        cmocka_unit_test(bytes_are_found_in_a_file_unless_they_lie_in_every_file),
        cmocka_unit_test(a_watched_file_is_hashed_before_and_after),
        cmocka_unit_test(two_modes_of_the_ratio_are_named_and_one_is_not),
        cmocka_unit_test(equal_code_is_labelled_and_held_against_a_ratio_only),
        cmocka_unit_test(code_that_nobody_declared_is_told_from_a_runtime),
        cmocka_unit_test(memory_that_the_kernel_names_is_no_file),
        cmocka_unit_test(who_hides_is_told_from_a_host_that_shows_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
