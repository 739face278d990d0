/* pdf_test.c - reports as PDF: read back by poppler, and operator by operator. */
#include "tests/unit/report_scene.h"

#include "commands/report.h"
#include "commands/reports/pdf_sheet.h"

#define HOSTILE "opt\x1b[2J\x1b]0;t\x07(a)\\(b\\)\u00e9\u00b5\u202e\u4e2d\u6587 %s<b>\n| Tj ET endstream endobj"

static const struct spec plain[] = {
    { "k1", "ch07:transpose", "optimized_tiled", "Tiles stay in L1", "FASTER", "publishable", NULL, 8210, 4105, false },
    { "k2", "ch01:dot", "optimized_simd", "Wide lanes", "UNSURE", "development", "a virtual machine", 901, 900, false, 0, 8000,
      16000 },
    { "k3", "ch07:transpose", "optimized_cheat", "Remember answers", "INVALID", "invalid", "call 3 returned an old answer",
      8210, 123.4, false },
    { "k4", "ch07:copy", "optimized_wide", "Moves", "SAME", "publishable", NULL, 400, 400, false, 0, 16000, 0 },
};

/* False: this build has no libharu, which is said in one line. */
static bool make_of(struct fixture *f, const struct aisp_report *report, bool is_compressed, struct aisp_buf *out)
{
    const enum aisp_status st = aisp_report_pdf(report, is_compressed, out, &f->err);

    if (st == AISP_E_UNAVAILABLE) {
        assert_non_null(strstr(f->err.text, "install libhpdf-dev"));
        return false;
    }
    if (st)
        fail_msg("%s", f->err.text);
    return true;
}

/* Of the last record. */
static bool make(struct fixture *f, bool is_compressed, struct aisp_buf *out)
{
    struct aisp_report report = AISP_REPORT_INIT;
    bool is_made;

    assert_int_equal(aisp_report_load(&report, f->store, f->run, &f->err), AISP_OK);
    is_made = make_of(f, &report, is_compressed, out);
    aisp_report_release(&report);
    return is_made;
}

/* What one of poppler's programs says of the file, its complaints as well; caller frees. */
static char *poppler(struct fixture *f, const struct aisp_buf *pdf, const char *program, const char *options)
{
    char *path = aisp_format("%s/a.pdf", f->folder), *command;
    struct aisp_buf said = AISP_BUF_INIT;
    FILE *file = fopen(path, "w"), *pipe;
    char chunk[4096];
    size_t n;

    assert_int_equal(fwrite(pdf->s, 1, pdf->len, file), pdf->len);
    fclose(file);
    command = aisp_format("%s %s %s %s 2>&1", program, options, path, strcmp(program, "pdftotext") ? "" : "-");
    pipe = popen(command, "r");
    while ((n = fread(chunk, 1, sizeof chunk, pipe)) > 0)
        aisp_buf_add(&said, chunk, n);
    if (pclose(pipe))
        fail_msg("%s: %.*s (poppler-utils has it)", command, (int)(said.len < 200 ? said.len : 200), said.len ? said.s : "");
    free(command);
    free(path);
    return aisp_buf_detach(&said);
}

/* Every point of every operator of an uncompressed file; the pages. */
static size_t look_at_operators(const struct aisp_buf *pdf)
{
    size_t n_points = 0, n_pages = 0;

    for (const char *line = pdf->s, *end = pdf->s + pdf->len; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        char text[256], op[8];
        double x, y;

        next = next ? next + 1 : end;
        snprintf(text, sizeof text, "%.*s", (int)(next - line), line);
        if (sscanf(text, "%lf %lf %7s", &x, &y, op) == 3 && (!strcmp(op, "m") || !strcmp(op, "l") || !strcmp(op, "Td"))) {
            n_points++;
            if (x < 20 || x > AISP_PDF_WIDTH - 20 || y < 20 || y > AISP_PDF_HEIGHT - 20)
                fail_msg("outside of the page: %s", text);
        }
        n_pages += !strncmp(text, "/Type /Page\n", 12);
        line = next;
    }
    assert_true(n_points > 100);
    return n_pages;
}

/* Every word's box lies on its page. */
static void look_at_words(const char *boxes)
{
    size_t n = 0;

    for (const char *at = boxes; (at = strstr(at, "<word ")); at++, n++) {
        double x1, y1, x2, y2;

        assert_int_equal(sscanf(at, "<word xMin=\"%lf\" yMin=\"%lf\" xMax=\"%lf\" yMax=\"%lf\"", &x1, &y1, &x2, &y2), 4);
        if (x1 < 20 || y1 < 20 || x2 > AISP_PDF_WIDTH - 20 || y2 > AISP_PDF_HEIGHT - 20)
            fail_msg("outside of the page: %.120s", at);
    }
    assert_true(n > 50);
}

/* ---- tests ---- */

static void poppler_reads_every_row_of_the_report(void **state)
{
    struct fixture *f = *state;
    struct aisp_buf pdf = AISP_BUF_INIT;
    char *text, *boxes;

    record(f, plain, 4);
    if (!make(f, true, &pdf))
        skip();
    text = poppler(f, &pdf, "pdftotext", "-layout");
    boxes = poppler(f, &pdf, "pdftotext", "-bbox");
    for (size_t i = 0; i < 4; i++) {
        assert_non_null(strstr(text, plain[i].target));
        assert_true(count_of(text, plain[i].variant) >= 2); /* a row and a figure, or its reason */
        assert_non_null(strstr(text, plain[i].verdict));
    }
    assert_non_null(strstr(text, "2.000 [1.990, 2.010]"));
    assert_non_null(strstr(text, "f32 80.0 GFLOP/s"));
    assert_non_null(strstr(text, "roofline: GB/s, no arithmetic"));
    assert_non_null(strstr(text, "4 comparisons: 1 FASTER, 1 SAME, 1 UNSURE, 1 INVALID"));
    assert_true(count_of(text, f->run) >= 3);
    assert_non_null(strstr(text, "page 1 of "));
    assert_null(strstr(text, "nan"));
    look_at_words(boxes);
    free(text);
    free(boxes);
    aisp_buf_release(&pdf);
}

static void times_of_an_invalid_variant_are_withheld(void **state)
{
    struct fixture *f = *state;
    struct aisp_buf pdf = AISP_BUF_INIT;
    char *text;

    record(f, &plain[2], 1);
    if (!make(f, true, &pdf))
        skip();
    text = poppler(f, &pdf, "pdftotext", "-layout");
    assert_non_null(strstr(text, "times are withheld"));
    assert_null(strstr(text, "123 ns"));
    assert_null(strstr(text, "optimized_cheat: "));
    free(text);
    aisp_buf_release(&pdf);
}

/* The rows of one report again and again, under other names. */
static void multiply(const struct aisp_report *few, size_t n, struct aisp_report *many)
{
    *many = (struct aisp_report){ .record = few->record };
    for (size_t i = 0; i < n; i++) {
        struct aisp_report_row *row = aisp_grow(&many->row, &many->n, &many->cap, sizeof *row);
        char *target = aisp_format("ch%02zu:target%zu", i / 20, i / 4), *variant = aisp_format("optimized_number%zu", i);
        json_t *result;

        *row = few->row[i % few->n];
        result = json_copy((json_t *)row->result);
        json_object_set_new(result, "target", json_string(target));
        json_object_set_new(result, "variant", json_string(variant));
        row->result = result;
        free(target);
        free(variant);
    }
}

static void two_hundred_results_fill_pages_and_stay_on_them(void **state)
{
    enum { N = 200 };
    struct fixture *f = *state;
    struct aisp_report few = AISP_REPORT_INIT, many;
    struct aisp_buf pdf = AISP_BUF_INIT;
    bool is_made;
    size_t n_pages;
    char *text;

    record(f, plain, 4);
    assert_int_equal(aisp_report_load(&few, f->store, f->run, &f->err), AISP_OK);
    multiply(&few, N, &many);
    is_made = make_of(f, &many, false, &pdf);
    if (is_made) {
        n_pages = look_at_operators(&pdf);
        assert_true(n_pages >= 30 && n_pages <= 90);
        text = poppler(f, &pdf, "pdftotext", "-layout");
        for (size_t i = 0; i < N; i++) {
            assert_non_null(strstr(text, aisp_report_text(many.row[i].result, "target")));
            assert_non_null(strstr(text, aisp_report_text(many.row[i].result, "variant")));
        }
        assert_true(count_of(text, "variant and idea") >= N / 4);
        assert_int_equal(count_of(text, "aisp bench report"), n_pages);
        free(text);
    }
    for (size_t i = 0; i < N; i++)
        json_decref((json_t *)many.row[i].result);
    free(many.row);
    aisp_report_release(&few);
    aisp_buf_release(&pdf);
    if (!is_made)
        skip();
}

static void hostile_names_stay_text_and_on_the_page(void **state)
{
    struct aisp_buf long_text = AISP_BUF_INIT, pdf = AISP_BUF_INIT;
    struct fixture *f = *state;
    char *text, *picture;

    for (int i = 0; i < 2000; i++)
        aisp_buf_puts(&long_text, i % 7 ? "W\\()" : "\u4e2d");
    const struct spec spec[] = {
        { "k1", HOSTILE, HOSTILE, HOSTILE, "FASTER", "development", HOSTILE, 500, 400, false },
        { "k2", "ch07:x", "optimized", long_text.s, "INVALID", "invalid", long_text.s, 500, 400, false },
    };

    record(f, spec, 2);
    if (!make(f, false, &pdf))
        skip();
    look_at_operators(&pdf);
    text = poppler(f, &pdf, "pdftotext", "-layout");
    assert_null(strchr(text, 0x1b));
    assert_null(strchr(text, 0x07));
    assert_non_null(strstr(text, "opt[U+001B][2J"));
    assert_non_null(strstr(text, "(a)\\(b\\)\u00e9\u00b5"));
    assert_non_null(strstr(text, "[U+202E]"));
    assert_non_null(strstr(text, "...")); /* where the long one was cut */
    free(text);
    text = poppler(f, &pdf, "pdftotext", "-bbox");
    look_at_words(text);
    free(text);
    picture = poppler(f, &pdf, "pdftoppm", "-r 20 -gray -f 1 -l 1");
    assert_memory_equal(picture, "P5\n", 3);
    free(picture);
    aisp_buf_release(&pdf);
    aisp_buf_release(&long_text);
}

static void a_pdf_of_one_record_is_always_the_same(void **state)
{
    struct fixture *f = *state;
    struct aisp_buf first = AISP_BUF_INIT, second = AISP_BUF_INIT;

    record(f, plain, 2);
    if (!make(f, true, &first))
        skip();
    assert_true(make(f, true, &second));
    assert_int_equal(first.len, second.len);
    assert_memory_equal(first.s, second.s, first.len);
    aisp_buf_release(&first);
    aisp_buf_release(&second);
}

static void text_has_one_byte_a_letter_and_the_rest_is_visible(void **state)
{
    static const char *const cases[][2] = {
        { "plain (a) \\", "plain (a) \\" }, { "\u00b5s \u00e9", "\xb5s \xe9" }, { "\u20ac \u2026 \u2122", "\x80 \x85 \x99" },
        { "\u4e2d", "[U+4E2D]" },           { "\x1b[0m", "[U+001B][0m" },       { "\U0001f600", "[U+1F600]" },
        { "\u00a0\u00ad", " [U+00AD]" },    { "a\xff\xe4z", "a\xff\xe4z" },     { "\xc3", "\xc3" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *bytes = aisp_pdf_encode(cases[i][0]);

        assert_string_equal(bytes, cases[i][1]);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(poppler_reads_every_row_of_the_report, set_up, tear_down),
        cmocka_unit_test_setup_teardown(times_of_an_invalid_variant_are_withheld, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_hundred_results_fill_pages_and_stay_on_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_names_stay_text_and_on_the_page, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pdf_of_one_record_is_always_the_same, set_up, tear_down),
        cmocka_unit_test(text_has_one_byte_a_letter_and_the_rest_is_visible),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
