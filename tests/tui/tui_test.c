/* tui_test.c - the parts of the screen without a terminal: JSON in, keys in, characters out.
 * Not here: the program in a terminal (driver.c and its scripts). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tui/canvas.h"
#include "tui/chart.h"
#include "tui/complete.h"
#include "tui/json.h"
#include "tui/list.h"
#include "tui/pane.h"
#include "tui/view.h"

/* ---- canvas ---- */

static void check_text(const struct aisp_canvas *canvas, const char *expected)
{
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_canvas_text(canvas, &text);
    assert_string_equal(text.s, expected);
    aisp_buf_release(&text);
}

static void canvas_shows_nothing_but_printable_characters(void **state)
{
    struct aisp_canvas canvas;

    (void)state;
    aisp_canvas_init(&canvas, 1, 20, true);
    aisp_canvas_put(&canvas, 0, 0, 20, AISP_TONE_PLAIN, "a\033[2Jb\xff\xc3,\r\u00b5\u2588");
    check_text(&canvas, "a?[2Jb?\?,?u#\n");
    aisp_canvas_release(&canvas);
}

static void canvas_cuts_at_its_edges(void **state)
{
    struct aisp_canvas canvas;

    (void)state;
    aisp_canvas_init(&canvas, 2, 4, true);
    aisp_canvas_put(&canvas, 0, 2, 10, AISP_TONE_PLAIN, "abcdef");
    aisp_canvas_put(&canvas, 1, -2, 10, AISP_TONE_PLAIN, "abcdef");
    aisp_canvas_put(&canvas, 7, 0, 10, AISP_TONE_PLAIN, "x");
    aisp_canvas_put(&canvas, -1, 0, 10, AISP_TONE_PLAIN, "x");
    check_text(&canvas, "  ab\ncdef\n");
    aisp_canvas_release(&canvas);
}

static void canvas_wraps_at_blanks_and_breaks_what_has_none(void **state)
{
    struct aisp_canvas canvas;

    (void)state;
    aisp_canvas_init(&canvas, 4, 8, true);
    assert_int_equal(aisp_canvas_wrap(&canvas, aisp_canvas_all(&canvas), AISP_TONE_PLAIN, "one two abcdefghijk"), 3);
    check_text(&canvas, "one two\nabcdefgh\nijk\n\n");
    aisp_canvas_release(&canvas);
}

/* ---- list ---- */

static bool is_in(const void *context, size_t i, const char *query)
{
    return aisp_text_has(((const char *const *)context)[i], query);
}

static void list_keeps_the_picked_item_while_it_matches(void **state)
{
    static const char *const names[] = { "Alpha", "beta", "gamma", "alphabet" };
    struct aisp_list list = { 0 };

    (void)state;
    aisp_list_show(&list, 4, is_in, names);
    aisp_list_key(&list, AISP_KEY_END);
    assert_int_equal(aisp_list_picked(&list, 4), 3);
    for (const char *c = "/ALPHA"; *c; c++)
        if (aisp_list_key(&list, *c) == AISP_LIST_QUERY)
            aisp_list_show(&list, 4, is_in, names);
    assert_int_equal(list.n_shown, 2);
    assert_int_equal(aisp_list_picked(&list, 4), 3);
    assert_int_equal(aisp_list_key(&list, AISP_KEY_ESCAPE), AISP_LIST_QUERY);
    aisp_list_show(&list, 4, is_in, names);
    assert_int_equal(list.n_shown, 4);
    assert_int_equal(aisp_list_picked(&list, 4), 3);
    aisp_list_release(&list);
}

static void list_of_nothing_has_nothing_picked(void **state)
{
    struct aisp_list list = { 0 };

    (void)state;
    aisp_list_show(&list, 0, is_in, NULL);
    aisp_list_key(&list, AISP_KEY_DOWN);
    aisp_list_key(&list, AISP_KEY_PAGE_DOWN);
    aisp_list_fit(&list, 5);
    assert_int_equal(aisp_list_picked(&list, 77), 77);
    aisp_list_release(&list);
}

static void list_scrolls_as_little_as_needed(void **state)
{
    static const char *const names[] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" };
    struct aisp_list list = { 0 };

    (void)state;
    aisp_list_show(&list, 10, is_in, names);
    aisp_list_fit(&list, 3);
    for (int i = 0; i < 4; i++)
        aisp_list_key(&list, 'j');
    aisp_list_fit(&list, 3);
    assert_int_equal(list.top, 2);
    aisp_list_key(&list, 'k');
    aisp_list_fit(&list, 3);
    assert_int_equal(list.top, 2);
    aisp_list_key(&list, 'G');
    aisp_list_fit(&list, 3);
    assert_int_equal(list.top, 7);
    aisp_list_fit(&list, 20);                /* the terminal grew */
    assert_int_equal(list.top, 0);
    aisp_list_release(&list);
}

static void line_takes_back_whole_characters(void **state)
{
    char line[8] = "";

    (void)state;
    assert_true(aisp_line_key(line, sizeof line, 'a'));
    assert_true(aisp_line_key(line, sizeof line, 0xb5));
    assert_string_equal(line, "a\u00b5");
    assert_true(aisp_line_key(line, sizeof line, AISP_KEY_BACKSPACE));
    assert_string_equal(line, "a");
    assert_false(aisp_line_key(line, sizeof line, AISP_KEY_UP));
    for (int i = 0; i < 20; i++)
        aisp_line_key(line, sizeof line, 'x');
    assert_string_equal(line, "axxxxxx");    /* full is full */
}

/* ---- pane ---- */

static void pane_wraps_and_drops_foreign_escapes(void **state)
{
    struct aisp_canvas canvas;
    struct aisp_pane pane = { 0 };

    (void)state;
    aisp_canvas_init(&canvas, 4, 10, true);
    aisp_pane_set(&pane, "one \033[1;32mtwo\033[0m three\n\033[2Jend");
    aisp_pane_draw(&pane, &canvas, aisp_canvas_all(&canvas));
    check_text(&canvas, " one two\n three\n end\n 1-3 of 3\n");
    assert_int_equal(canvas.cell[5].style, AISP_TONE_GOOD);
    assert_int_equal(canvas.cell[1].style, AISP_TONE_PLAIN);
    aisp_pane_release(&pane);
    aisp_canvas_release(&canvas);
}

static void pane_brings_what_is_found_into_view(void **state)
{
    struct aisp_canvas canvas;
    struct aisp_pane pane = { 0 };

    (void)state;
    aisp_canvas_init(&canvas, 3, 24, true);
    aisp_pane_set(&pane, "a\nb\nc\nd\ne\nneedle\nf\n");
    aisp_pane_draw(&pane, &canvas, aisp_canvas_all(&canvas));
    for (const char *c = "/NEED\n"; *c; c++)
        assert_true(aisp_pane_key(&pane, *c));
    aisp_pane_draw(&pane, &canvas, aisp_canvas_all(&canvas));
    assert_int_equal(pane.top, 4);
    aisp_pane_release(&pane);
    aisp_canvas_release(&canvas);
}

/* ---- words and completion ---- */

static void words_are_split_and_joined_as_a_shell_does(void **state)
{
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_buf line = AISP_BUF_INIT;

    (void)state;
    assert_true(aisp_words_split(&words, "  bench run  -t 'ch0*' \"\" a'b c'd "));
    assert_int_equal(words.n, 6);
    assert_string_equal(words.word[3], "ch0*");
    assert_string_equal(words.word[4], "");
    assert_string_equal(words.word[5], "ab cd");
    aisp_words_join(&words, &line);
    assert_string_equal(line.s, "bench run -t 'ch0*' '' 'ab cd'");
    aisp_words_release(&words);
    assert_false(aisp_words_split(&words, "a 'b"));
    aisp_words_release(&words);
    aisp_buf_release(&line);
}

static void words_get_the_common_options_that_they_lack(void **state)
{
    struct aisp_words typed = AISP_WORDS_INIT, common = AISP_WORDS_INIT, all = AISP_WORDS_INIT;
    struct aisp_buf line = AISP_BUF_INIT;

    (void)state;
    aisp_words_split(&typed, "bench show --bench-root=b -- --artifacts-dir");
    aisp_words_split(&common, "--artifacts-dir a --bench-root c");
    aisp_words_add_common(&all, &typed, &common);
    aisp_words_join(&all, &line);
    assert_string_equal(line.s, "bench show --bench-root=b --artifacts-dir a -- --artifacts-dir");
    aisp_words_release(&typed);
    aisp_words_release(&common);
    aisp_words_release(&all);
    aisp_buf_release(&line);
}

static bool offers(const char *line, const char *word)
{
    char *names[] = { "ch01:double" };
    const struct aisp_words targets = { names, 1, 1 };
    struct aisp_completion c;
    bool found = false;

    aisp_complete(&c, line, &targets);
    for (size_t i = 0; i < c.n; i++)
        found = found || !strcmp(c.item[i].word, word);
    aisp_completion_release(&c);
    return found;
}

static void completion_knows_commands_options_choices_and_targets(void **state)
{
    (void)state;
    assert_true(offers("", "bench"));
    assert_true(offers("b", "bench"));
    assert_false(offers("x", "bench"));
    assert_true(offers("bench l", "list-targets"));
    assert_false(offers("bench l", "run"));
    assert_true(offers("bench run --q", "--quick"));
    assert_true(offers("bench run ", "--json"));
    assert_true(offers("bench report --format ", "html"));
    assert_false(offers("bench report --format ", "--json"));
    assert_true(offers("bench run -t ", "ch01:double"));
    assert_true(offers("bench show ch", "ch01:double"));
    assert_false(offers("bench list-runs ", "ch01:double"));
}

/* ---- views ---- */

static void press(struct aisp_tui_view *view, const char *keys)
{
    for (; *keys; keys++)
        view->class->key(view, *keys);
}

static char *drawn(struct aisp_tui_view *view, int rows, int columns)
{
    struct aisp_canvas canvas;
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_canvas_init(&canvas, rows, columns, true);
    view->class->draw(view, &canvas, aisp_canvas_all(&canvas));
    aisp_canvas_text(&canvas, &text);
    aisp_canvas_release(&canvas);
    return aisp_buf_detach(&text);
}

static bool shows(struct aisp_tui_view *view, const char *text)
{
    char *screen = drawn(view, 22, 80);
    const bool has = strstr(screen, text);

    free(screen);
    return has;
}

static void give(struct aisp_tui_view *view, const char *json)
{
    struct aisp_answer answer = { .value = json_loads(json, 0, NULL) };

    assert_non_null(answer.value);
    aisp_words_release(&view->ask);
    view->class->answer(view, &answer);
    json_decref(answer.value);
}

static void targets_are_filtered_by_what_occurs(void **state)
{
    struct aisp_tui_view *view = aisp_targets_view_new();

    (void)state;
    assert_string_equal(view->ask.word[1], "list-targets");
    give(view, "{\"targets\": ["
               "{\"target\": \"ch01:a\", \"chapter\": \"ch01\", \"goal\": \"speed\", \"variants\": [{\"name\": \"baseline\", "
               "\"device\": \"cpu\"}]},"
               "{\"target\": \"ch02:b\", \"chapter\": \"ch02\", \"goal\": \"memory\", \"variants\": [{\"name\": \"baseline\", "
               "\"device\": \"cuda\"},"
               " {\"name\": \"optimized_x\", \"device\": \"cuda\", \"refused\": \"\", \"quarantined\": true}]}]}");
    assert_true(shows(view, "x (quarantined)"));
    press(view, "c");
    assert_true(shows(view, "ch01:a"));
    assert_false(shows(view, "ch02:b"));
    press(view, "cd");                       /* ch02, and cpu */
    assert_true(shows(view, "nothing matches"));
    press(view, "d");
    assert_true(shows(view, "ch02:b"));
    aisp_view_free(view);
}

static void live_view_shows_verdicts_as_they_come(void **state)
{
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_answer answer = { .exit_code = 130, .error = "interrupted after 1 of 2 comparisons" };
    struct aisp_tui_view *view;
    json_t *event;

    (void)state;
    aisp_words_split(&words, "bench run -t x");
    view = aisp_live_view_new(&words);
    view->class->hear(view, AISP_JOB_PROGRESS, "1/2 x fast: timed", NULL);
    event = json_pack("{s:s, s:s, s:s, s:i, s:i, s:f}", "event", "progress", "target", "x", "variant", "fast", "done", 0, "of",
                      2, "ratio", 2.5);
    view->class->hear(view, AISP_JOB_EVENT, "", event);
    json_decref(event);
    assert_true(shows(view, "1/2 x fast: timed"));
    assert_true(shows(view, "ratio so far 2.5"));
    assert_true(shows(view, "no verdict yet"));
    event = json_pack("{s:s, s:{s:s, s:s, s:s, s:f, s:f, s:f, s:s}}", "event", "result", "result", "target", "x", "variant",
                      "fast", "verdict", "FASTER", "ratio", 2.5, "lo95", 2.4, "hi95", 2.6, "grade", "development");
    view->class->hear(view, AISP_JOB_EVENT, "", event);
    json_decref(event);
    assert_true(shows(view, "2.500 [2.400, 2.600]"));
    assert_true(shows(view, "FASTER"));
    assert_true(aisp_view_holds(view, AISP_KEY_ESCAPE));    /* it is still running */
    press(view, "s");
    assert_true(view->wants_stop);
    aisp_words_release(&view->ask);
    view->class->answer(view, &answer);
    assert_true(shows(view, "stopped, exit code 130"));
    assert_true(shows(view, "interrupted after 1 of 2"));
    assert_false(aisp_view_holds(view, AISP_KEY_ESCAPE));
    aisp_words_release(&words);
    aisp_view_free(view);
}

static void result_view_survives_any_record(void **state)
{
    static const char *const records[] = {
        "{}",
        "{\"result\": null}",
        "{\"result\": {\"findings\": [{}], \"ratio\": \"x\"}, \"distribution\": {\"a\": {}, \"lo_ns\": 1}}",
        "{\"result\": {\"verdict\": \"FASTER\", \"ratio\": 1e300, \"lo95\": null, \"hi95\": 0}, \"roofline\": {},"
        " \"distribution\": {\"lo_ns\": 1, \"hi_ns\": 1, \"a\": {\"counts\": [null, 1], \"drift_ns\": [null]}, "
        "\"pair_ratios\": [0]}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        struct aisp_tui_view *view = aisp_result_view_new("r", "k");

        give(view, records[i]);
        for (int columns = 1; columns < 120; columns += 13)
            free(drawn(view, 8, columns));
        aisp_view_free(view);
    }
}

/* Whatever is typed, at whatever size: nothing is read or written that is not there. */
static void views_survive_any_keys(void **state)
{
    static const int keys[] = { AISP_KEY_UP, AISP_KEY_DOWN, AISP_KEY_LEFT, AISP_KEY_RIGHT, AISP_KEY_PAGE_UP, AISP_KEY_PAGE_DOWN,
                                AISP_KEY_HOME, AISP_KEY_END, AISP_KEY_DELETE, AISP_KEY_ENTER, AISP_KEY_TAB, AISP_KEY_ESCAPE,
                                AISP_KEY_BACKSPACE, AISP_KEY_INTERRUPT, '/', 'a', 'x', 'n', 'c', 'd', 'o', 'm', 's',
                                0xb5, ' ' };
    static const char answer[] =
        "{\"targets\": [{\"target\": \"ch01:a\"}, {\"target\": \"ch01:x\", \"chapter\": \"ch01\"}],"
        " \"runs\": [{\"run\": \"1\", \"complete\": true}, {\"run\": \"2\", \"complete\": true}, {}],"
        " \"results\": [{\"key\": \"k\", \"target\": \"x\"}, {}], \"rows\": [{}, {\"change\": {}, \"noise\": {}}]}";
    struct aisp_tui_view *(*const made[])(void) = { aisp_targets_view_new, aisp_runs_view_new, aisp_whatif_view_new };
    uint32_t random = 1;

    (void)state;
    for (size_t v = 0; v < 3 + 2; v++) {
        struct aisp_tui_view *view = v < 3 ? made[v]() : v == 3 ? aisp_run_view_new("r") : aisp_compare_view_new("", "");

        give(view, answer);
        for (int i = 0; i < 2000; i++) {
            struct aisp_step step;

            random = random * 1664525 + 1013904223;
            step = view->class->key(view, keys[(random >> 16) % (sizeof keys / sizeof *keys)]);
            if (step.kind == AISP_OPEN)
                aisp_view_free(step.view);
            if (i % 50 == 0)
                give(view, answer);
            if (i % 5 == 0)
                free(drawn(view, (int)(random >> 20) % 40, (int)(random >> 8) % 130));
        }
        aisp_view_free(view);
    }
}

static void words_of(const struct aisp_tui_view *view, char *text, size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < view->ask.n; i++) {
        strncat(text, i ? " " : "", size - strlen(text) - 1);
        strncat(text, view->ask.word[i], size - strlen(text) - 1);
    }
}

static void whatif_sliders_are_the_options_of_the_command(void **state)
{
    struct aisp_tui_view *view;
    char asked[200];

    (void)state;
    if (!aisp_tui_command("bench whatif"))
        skip();
    view = aisp_whatif_view_new();
    words_of(view, asked, sizeof asked);
    assert_string_equal(asked, "");          /* no limit, no question */
    assert_true(shows(view, "vram"));
    view->class->key(view, AISP_KEY_RIGHT);
    view->class->key(view, AISP_KEY_RIGHT);
    words_of(view, asked, sizeof asked);
    assert_string_equal(asked, "bench whatif --vram 1.5");
    view->class->key(view, AISP_KEY_ENTER);
    press(view, "\177\177\17724");
    view->class->key(view, AISP_KEY_ENTER);
    words_of(view, asked, sizeof asked);
    assert_string_equal(asked, "bench whatif --vram 24");
    view->class->key(view, AISP_KEY_DELETE);
    words_of(view, asked, sizeof asked);
    assert_string_equal(asked, "");
    aisp_view_free(view);
}

/* ---- jobs ---- */

static void job_answers_with_value_text_and_code(void **state)
{
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_job job;

    (void)state;
    aisp_words_split(&words, "version");
    assert_int_equal(aisp_job_start(&job, &words, AISP_JOB_WANTS_VALUE | AISP_JOB_WANTS_TEXT, 80, NULL), AISP_OK);
    assert_true(aisp_job_wait(&job, 60000));
    assert_int_equal(job.answer.exit_code, 0);
    assert_non_null(strstr(job.answer.text, "aisp"));
    assert_true(json_is_object(job.answer.value));
    assert_null(job.answer.error);
    aisp_job_release(&job);
    aisp_words_release(&words);
}

static void job_of_bad_words_says_what_is_wrong(void **state)
{
    struct aisp_words words = AISP_WORDS_INIT;
    struct aisp_job job;

    (void)state;
    aisp_words_split(&words, "bench rum");
    assert_int_equal(aisp_job_start(&job, &words, AISP_JOB_WANTS_TEXT, 80, NULL), AISP_OK);
    assert_true(aisp_job_wait(&job, 60000));
    assert_int_equal(job.answer.exit_code, 2);
    assert_non_null(strstr(job.answer.error, "did you mean"));
    assert_null(job.answer.text);
    aisp_job_release(&job);
    aisp_words_release(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(canvas_shows_nothing_but_printable_characters),
        cmocka_unit_test(canvas_cuts_at_its_edges),
        cmocka_unit_test(canvas_wraps_at_blanks_and_breaks_what_has_none),
        cmocka_unit_test(list_keeps_the_picked_item_while_it_matches),
        cmocka_unit_test(list_of_nothing_has_nothing_picked),
        cmocka_unit_test(list_scrolls_as_little_as_needed),
        cmocka_unit_test(line_takes_back_whole_characters),
        cmocka_unit_test(pane_wraps_and_drops_foreign_escapes),
        cmocka_unit_test(pane_brings_what_is_found_into_view),
        cmocka_unit_test(words_are_split_and_joined_as_a_shell_does),
        cmocka_unit_test(words_get_the_common_options_that_they_lack),
        cmocka_unit_test(completion_knows_commands_options_choices_and_targets),
        cmocka_unit_test(targets_are_filtered_by_what_occurs),
        cmocka_unit_test(live_view_shows_verdicts_as_they_come),
        cmocka_unit_test(result_view_survives_any_record),
        cmocka_unit_test(views_survive_any_keys),
        cmocka_unit_test(whatif_sliders_are_the_options_of_the_command),
        cmocka_unit_test(job_answers_with_value_text_and_code),
        cmocka_unit_test(job_of_bad_words_says_what_is_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
