/* sweep_test.c - what --sweep may say, which points that makes, and the map that is drawn from their results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/scaling.h"
#include "commands/sweep/grid.h"
#include "commands/sweep/map.h"

/* "8 16 32", of one axis; or the error. */
static char *values_of(const char *text)
{
    struct aisp_buf out = AISP_BUF_INIT;
    struct aisp_err err = { AISP_OK, "" };
    struct aisp_grid grid;

    if (aisp_grid_init(&grid, &text, 1, &err)) {
        assert_int_equal(err.status, AISP_E_USAGE);
        assert_int_equal(grid.n_axes, 0);
        aisp_buf_puts(&out, err.text);
        return aisp_buf_detach(&out);
    }
    for (size_t i = 0; i < grid.axis[0].n; i++)
        aisp_buf_printf(&out, "%s%lld", i ? " " : "", (long long)grid.axis[0].value[i]);
    aisp_grid_release(&grid);
    return aisp_buf_detach(&out);
}

static void check(const char *text, const char *expected)
{
    char *seen = values_of(text);

    assert_string_equal(seen, expected);
    free(seen);
}

/* The error says what is wrong, and repeats what was written. */
static void check_refused(const char *text, const char *part)
{
    char *seen = values_of(text);

    if (!strstr(seen, part) || !strstr(seen, text))
        fail_msg("%s: %s", text, seen);
    free(seen);
}

static void ranges_and_lists_become_values(void **state)
{
    (void)state;
    check("n=64:1024:x2", "64 128 256 512 1024");
    check("n=64:1000:x2", "64 128 256 512");
    check("n=64:256:+64", "64 128 192 256");
    check("n=64:250:+64", "64 128 192");
    check("n=100,200,400", "100 200 400");
    check("n=1:4:+1,8:32:x2", "1 2 3 4 8 16 32");
    check("m=n=k=8:32:x2", "8 16 32");
    check("n=1099511627775,1099511627776", "1099511627775 1099511627776");
    check("n=1:1099511627776:x1099511627776", "1 1099511627776");
    check("n=1:1099511627776:x1048576", "1 1048576 1099511627776");
}

static bool is_geometric(const char *text)
{
    struct aisp_grid grid;
    bool is;

    assert_int_equal(aisp_grid_init(&grid, &text, 1, NULL), AISP_OK);
    is = grid.axis[0].is_geometric;
    aisp_grid_release(&grid);
    return is;
}

static void factors_and_wide_lists_are_geometric(void **state)
{
    (void)state;
    assert_true(is_geometric("n=64:128:x2"));
    assert_true(is_geometric("n=1:8:+1,16:64:x2"));
    assert_true(is_geometric("n=2,32,128"));
    assert_false(is_geometric("n=100,200,1500"));
    assert_false(is_geometric("n=1:64:+1"));
    assert_false(is_geometric("n=1:4:+1,100"));
}

static void values_are_sorted_and_each_is_there_once(void **state)
{
    (void)state;
    check("n=400,100,200", "100 200 400");
    check("n=100,200,100", "100 200");
    check("n=1:8:x2,8:32:x2", "1 2 4 8 16 32");
}

static void what_is_no_sweep_is_refused_with_its_reason(void **state)
{
    (void)state;
    check_refused("", "a sweep is NAME=");
    check_refused("n", "a sweep is NAME=");
    check_refused("=64:128:x2", "no parameter's name");
    check_refused("n=", "no whole number");
    check_refused("n==64,128", "no parameter's name");
    check_refused("n m=64,128", "no parameter's name");
    check_refused("n=64", "--set n=64");
    check_refused("n=64,64", "--set n=64");
    check_refused("n=64:64:x2", "--set n=64");
    check_refused("n=64:4096", "comes LAST and a step");
    check_refused("n=64:4096:", "comes LAST and a step");
    check_refused("n=64:4096:2", "comes LAST and a step");
    check_refused("n=64:4096:-64", "comes LAST and a step");
    check_refused("n=64::x2", "comes LAST and a step");
    check_refused("n=64:4096:x", "whole number from 2");
    check_refused("n=64:4096:x1", "whole number from 2");
    check_refused("n=64:4096:x0", "whole number from 2");
    check_refused("n=64:4096:x1.5", "whole number from 2");
    check_refused("n=64:4096:x2.5", "not understood");
    check_refused("n=64:4096:+0", "whole number from 1");
    check_refused("n=4096:64:x2", "below the first");
    check_refused("n=0,1", "no whole number");
    check_refused("n=-4,4", "no whole number");
    check_refused("n=1,,2", "no whole number");
    check_refused("n=1,2,", "no whole number");
    check_refused("n=1,2 ", "not understood");
    check_refused("n=64k,128k", "not understood");
    check_refused("a=b=c=d=e=1,2", "go together");
}

static void what_overflows_is_refused(void **state)
{
    (void)state;
    check_refused("n=99999999999999999999,1", "no whole number");
    check_refused("n=1:99999999999999999999:x2", "comes LAST and a step");
    check_refused("n=1:1024:x99999999999999999999", "whole number from 2");
    check_refused("n=1099511627777,1", "no whole number");
}

static void thousands_of_points_are_refused(void **state)
{
    const char *const grid16[] = { "m=1:16:+1", "n=1:16:+1" }, *const grid17[] = { "m=1:17:+1", "n=1:16:+1" };
    const char *const four[] = { "a=1,2", "b=1,2", "c=1,2", "d=1,2" };
    struct aisp_err err = { AISP_OK, "" };
    struct aisp_grid grid;

    (void)state;
    check_refused("n=1:4096:+1", "more than 256 values");
    check_refused("n=1:1099511627776:+1", "more than 256 values");
    assert_int_equal(aisp_grid_init(&grid, grid16, 2, &err), AISP_OK);
    assert_int_equal(grid.n_points, 256);
    aisp_grid_release(&grid);
    assert_int_equal(aisp_grid_init(&grid, grid17, 2, &err), AISP_E_USAGE);
    assert_string_equal(err.text, "--sweep: 272 points are more than 256; take a larger step or fewer values");
    assert_int_equal(aisp_grid_init(&grid, four, 4, &err), AISP_E_USAGE);
    assert_string_equal(err.text, "--sweep: a grid of more than 3 directions");
}

static void a_parameter_is_swept_once(void **state)
{
    const char *const twice[] = { "n=1,2", "m=n=3,4" };
    struct aisp_err err = { AISP_OK, "" };
    struct aisp_grid grid;

    (void)state;
    assert_int_equal(aisp_grid_init(&grid, twice, 2, &err), AISP_E_USAGE);
    assert_string_equal(err.text, "--sweep: n is swept twice; its values are one list: n=8,16:128:x2");
}

static void a_grid_runs_over_its_last_direction_first(void **state)
{
    static const char *const names[] = { "m=2 n=k=8", "m=2 n=k=16", "m=4 n=k=8", "m=4 n=k=16" };
    struct aisp_err err = { AISP_OK, "" };
    struct aisp_grid grid;

    (void)state;
    assert_int_equal(aisp_grid_init_words(&grid, " m=2:4:x2  n=k=8,16 ", &err), AISP_OK);
    assert_int_equal(grid.n_points, 4);
    for (size_t p = 0; p < 4; p++) {
        json_t *params = json_pack("{s:I, s:I, s:I}", "k", (json_int_t)aisp_grid_value(&grid, p, 1), "n",
                                   (json_int_t)aisp_grid_value(&grid, p, 1), "m", (json_int_t)aisp_grid_value(&grid, p, 0));
        struct aisp_buf name = AISP_BUF_INIT;
        char *set[AISP_GRID_AXES * AISP_AXIS_PARAMS];
        size_t found, n = 0;

        aisp_grid_put_point(&grid, p, &name);
        assert_string_equal(name.s, names[p]);
        assert_true(aisp_grid_find(&grid, params, &found));
        assert_int_equal(found, p);
        aisp_grid_add_sets(&grid, p, set, &n);
        assert_int_equal(n, 3);
        assert_string_equal(set[0], p < 2 ? "m=2" : "m=4");
        assert_string_equal(set[2], p % 2 ? "k=16" : "k=8");
        while (n)
            free(set[--n]);
        aisp_buf_release(&name);
        json_decref(params);
    }
    aisp_grid_release(&grid);
    assert_int_equal(aisp_grid_init_words(&grid, "  ", &err), AISP_E_USAGE);
}

static enum aisp_status check_against(const char *text, const char *set, struct aisp_err *err)
{
    static const struct aisp_param params[] = { { "rows", 64, 5, 0, 40, 80, 1 }, { "dim", 64, 24, 0, 48, 80, 16 }, { 0 } };
    static const struct aisp_problem problem = { .param = params };
    struct aisp_grid grid;
    enum aisp_status st;

    assert_int_equal(aisp_grid_init(&grid, &text, 1, err), AISP_OK);
    st = aisp_grid_check(&grid, &problem, &set, set ? 1 : 0, err);
    aisp_grid_release(&grid);
    return st;
}

static void values_keep_the_steps_that_a_problem_declares(void **state)
{
    struct aisp_err err = { AISP_OK, "" };

    (void)state;
    assert_int_equal(check_against("rows=1:64:x2", NULL, &err), AISP_OK);
    assert_int_equal(check_against("dim=8:64:x2", NULL, &err), AISP_OK); /* 24, 48, 64: all in steps of 8 */
    assert_int_equal(check_against("dim=24,100", NULL, &err), AISP_E_USAGE);
    assert_string_equal(err.text, "--sweep dim=24,100: dim=100: its values go in steps of 8; the next is 104");
    assert_int_equal(check_against("dim=4,8", NULL, &err), AISP_E_USAGE);
    assert_string_equal(err.text, "--sweep dim=4,8: dim=4: its values go in steps of 8; the next is 8");
    assert_int_equal(check_against("cols=4,8", NULL, &err), AISP_E_USAGE);
    assert_string_equal(err.text, "--sweep: no parameter \"cols\"; there are rows, dim");
    assert_int_equal(check_against("rows=4,8", "rows=7", &err), AISP_E_USAGE);
    assert_string_equal(err.text, "--sweep rows=4,8 and --set rows=7 contradict each other");
    assert_int_equal(check_against("rows=4,8", "row=7", &err), AISP_OK);
}

/* ---- where the side changes ---- */

static void a_side_changes_between_decided_points_only(void **state)
{
    const int none[] = { 1, 1, 0, 1 }, one[] = { -1, -1, 1, 1 }, wide[] = { -1, 0, 0, 1 }, two[] = { 1, -1, 0, 1 },
              open[] = { 0, -1, 0, 0 };
    struct aisp_side_change c[4];

    (void)state;
    assert_int_equal(aisp_side_changes(none, 4, c), 0);
    assert_int_equal(aisp_side_changes(open, 4, c), 0);
    assert_int_equal(aisp_side_changes(one, 4, c), 1);
    assert_true(c[0].from == 1 && c[0].to == 2 && c[0].better_above);
    assert_int_equal(aisp_side_changes(wide, 4, c), 1);
    assert_true(c[0].from == 0 && c[0].to == 3 && c[0].better_above);
    assert_int_equal(aisp_side_changes(two, 4, c), 2);
    assert_true(c[0].from == 0 && c[0].to == 1 && !c[0].better_above);
    assert_true(c[1].from == 1 && c[1].to == 3 && c[1].better_above);
    assert_int_equal(aisp_side_changes(one, 0, c), 0);
}

/* ---- maps ---- */

static void add(json_t *results, const char *variant, int n, const char *verdict, double ratio)
{
    char point[32];

    snprintf(point, sizeof point, "n=%d", n);
    json_array_append_new(results,
                          json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:{s:i, s:i}, s:s, s:f, s:f, s:f, s:s}", "key", "k", "target",
                                    "ch01:x", "variant", variant, "reference", "baseline", "device", "cpu", "point", point,
                                    "params", "n", n, "batch", 3, "verdict", verdict, "ratio", ratio, "lo95", ratio * 0.95,
                                    "hi95", ratio * 1.05, "reason", strcmp(verdict, "UNSURE") ? "" : "too few pairs"));
}

static json_t *map_of(json_t *results, const char *over)
{
    json_t *sweeps = json_pack("[{s:s, s:[s]}]", "target", "ch01:x", "over", over);
    json_t *maps = aisp_maps_of(sweeps, results);

    json_decref(sweeps);
    json_decref(results);
    return maps;
}

static char *text_of(const json_t *maps)
{
    const struct aisp_style style = { .columns = 80 };
    struct aisp_buf out = AISP_BUF_INIT;

    aisp_maps_render(maps, &style, &out);
    return aisp_buf_detach(&out);
}

static void a_crossover_lies_between_faster_and_slower(void **state)
{
    json_t *results = json_array(), *maps;
    char *text;

    (void)state;
    add(results, "optimized_a", 64, "SLOWER", 0.5);
    add(results, "optimized_a", 128, "SLOWER", 0.8);
    add(results, "optimized_a", 256, "FASTER", 1.3);
    add(results, "optimized_a", 512, "FASTER", 2.0);
    maps = map_of(results, "n=64:512:x2");
    text = text_of(maps);
    assert_non_null(strstr(text, "ch01:x  n=64 to 512; 4 points; batch=3\n"));
    assert_non_null(strstr(text, "  crossover between n=128 and n=256: FASTER above\n"));
    assert_non_null(strstr(text, " winner: baseline at n=64 to 128\n         optimized_a at n=256 to 512\n"));
    assert_null(strstr(text, "no crossover"));
    free(text);
    json_decref(maps);
}

static void what_is_undecided_makes_it_wider(void **state)
{
    json_t *results = json_array(), *maps;
    char *text;

    (void)state;
    add(results, "optimized_a", 64, "FASTER", 1.5);
    add(results, "optimized_a", 128, "UNSURE", 1.1);
    add(results, "optimized_a", 256, "SAME", 1.0);
    add(results, "optimized_a", 1024, "SLOWER", 0.7);
    maps = map_of(results, "n=64,128,256,512,1024"); /* 512 was not measured */
    text = text_of(maps);
    assert_non_null(strstr(text, "  crossover between n=64 and n=1024 (undecided at 128, 256, 512): SLOWER above\n"));
    assert_non_null(strstr(text, "      512   not measured\n"));
    assert_non_null(strstr(text, "UNSURE at n=128: too few pairs\n"));
    assert_non_null(strstr(text, "undecided at n=128 to 512\n"));
    free(text);
    json_decref(maps);
}

static void one_side_alone_is_no_crossover(void **state)
{
    json_t *results = json_array(), *maps;
    char *text;

    (void)state;
    add(results, "optimized_a", 64, "UNSURE", 0.9); /* below 1, but nothing that is known */
    add(results, "optimized_a", 128, "FASTER", 1.5);
    maps = map_of(results, "n=64,128");
    text = text_of(maps);
    assert_non_null(strstr(text, "  no crossover: FASTER at 1, UNSURE at 1 of 2 points\n"));
    free(text);
    json_decref(maps);
}

static void variants_whose_intervals_meet_win_together(void **state)
{
    json_t *results = json_array(), *maps;
    char *text;

    (void)state;
    add(results, "optimized_a", 64, "FASTER", 2.0);
    add(results, "optimized_b", 64, "FASTER", 1.95);
    add(results, "optimized_c", 64, "FASTER", 1.2);
    add(results, "optimized_a", 128, "FASTER", 1.2);
    add(results, "optimized_b", 128, "SLOWER", 0.5);
    add(results, "optimized_c", 128, "FASTER", 3.0);
    maps = map_of(results, "n=64,128");
    text = text_of(maps);
    assert_non_null(strstr(text, " winner: optimized_a or optimized_b at n=64\n         optimized_c at n=128\n"));
    free(text);
    json_decref(maps);
}

static void a_grid_is_looked_at_in_both_directions(void **state)
{
    static const char *const verdict[] = { "SLOWER", "FASTER", "FASTER", "SLOWER" };
    json_t *sweeps = json_pack("[{s:s, s:[s, s]}]", "target", "ch01:x", "over", "m=1,2", "n=8,16");
    json_t *results = json_array(), *maps;
    char *text;

    (void)state;
    for (int i = 0; i < 4; i++) {
        add(results, "optimized_a", i % 2 ? 16 : 8, verdict[i], strcmp(verdict[i], "FASTER") ? 0.5 : 2);
        json_object_set_new(json_object_get(json_array_get(results, (size_t)i), "params"), "m", json_integer(i < 2 ? 1 : 2));
    }
    maps = aisp_maps_of(sweeps, results);
    text = text_of(maps);
    assert_non_null(strstr(text, "crossover between m=1 and m=2 where n=8: FASTER above\n"));
    assert_non_null(strstr(text, "crossover between m=1 and m=2 where n=16: SLOWER above\n"));
    assert_non_null(strstr(text, "crossover between n=8 and n=16 where m=1: FASTER above\n"));
    assert_non_null(strstr(text, "crossover between n=8 and n=16 where m=2: SLOWER above\n"));
    free(text);
    json_decref(maps);
    json_decref(sweeps);
    json_decref(results);
}

static void a_damaged_record_has_no_map_but_ends_well(void **state)
{
    json_t *results = json_array(), *sweeps, *maps;

    (void)state;
    add(results, "optimized_a", 64, "FASTER", 2);
    sweeps = json_pack("[{s:s, s:[s]}, {s:s, s:[]}, {s:s}, {}, n, {s:s, s:[i]}, {s:s, s:[s, s, s, s]}]", "target", "ch01:x",
                       "over", "n=64:1:x0", "target", "ch01:x", "over", "target", "ch01:x", "target", "ch01:x", "over", 7,
                       "target", "ch01:x", "over", "a=1,2", "b=1,2", "c=1,2", "d=1,2");
    assert_non_null(sweeps);
    maps = aisp_maps_of(sweeps, results);
    assert_int_equal(json_array_size(maps), 0);
    json_decref(maps);
    maps = aisp_maps_of(NULL, results);
    assert_int_equal(json_array_size(maps), 0);
    json_decref(maps);
    json_decref(sweeps);
    json_decref(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_and_lists_become_values),
        cmocka_unit_test(factors_and_wide_lists_are_geometric),
        cmocka_unit_test(values_are_sorted_and_each_is_there_once),
        cmocka_unit_test(what_is_no_sweep_is_refused_with_its_reason),
        cmocka_unit_test(what_overflows_is_refused),
        cmocka_unit_test(thousands_of_points_are_refused),
        cmocka_unit_test(a_parameter_is_swept_once),
        cmocka_unit_test(a_grid_runs_over_its_last_direction_first),
        cmocka_unit_test(values_keep_the_steps_that_a_problem_declares),
        cmocka_unit_test(a_side_changes_between_decided_points_only),
        cmocka_unit_test(a_crossover_lies_between_faster_and_slower),
        cmocka_unit_test(what_is_undecided_makes_it_wider),
        cmocka_unit_test(one_side_alone_is_no_crossover),
        cmocka_unit_test(variants_whose_intervals_meet_win_together),
        cmocka_unit_test(a_grid_is_looked_at_in_both_directions),
        cmocka_unit_test(a_damaged_record_has_no_map_but_ends_well),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
