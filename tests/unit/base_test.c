/* base_test.c - errors, text, arrays, hashes. */
#include "temporary.h"

#include <errno.h>

#include "core/base/err.h"
#include "core/base/hash.h"
#include "core/base/text.h"

static void a_failure_returns_its_status_and_leaves_one_line(void **state)
{
    struct aisp_err err = { 0 };

    (void)state;
    assert_int_equal(aisp_fail(&err, AISP_E_IO, "%s: %d", "a\nb", 7), AISP_E_IO);
    assert_int_equal(err.status, AISP_E_IO);
    assert_string_equal(err.text, "a?b: 7");
    assert_int_equal(aisp_fail(NULL, AISP_E_USAGE, "unheard"), AISP_E_USAGE);
}

static void what_is_no_text_becomes_question_marks(void **state)
{
    static const char *const pairs[][2] = {
        { "", "" },
        { "a\tb\177c", "a?b?c" },
        { "gr\303\274n \342\202\254 \360\237\230\200", "gr\303\274n \342\202\254 \360\237\230\200" },
        { "/tmp/\377\376.so", "/tmp/??.so" },
        { "\302\233" "31m \300\257 \355\240\200", "??" "31m ?? ???" },
        { "cut \342\202", "cut ??" },
    };
    struct aisp_err err;

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[64];

        strcpy(text, pairs[i][0]);
        aisp_text_clean(text);
        assert_string_equal(text, pairs[i][1]);
        aisp_fail(&err, AISP_E_IO, "%s", pairs[i][0]);
        assert_string_equal(err.text, pairs[i][1]);
    }
}

static void a_failure_can_be_told_again_with_more_in_front(void **state)
{
    struct aisp_err err;

    (void)state;
    aisp_fail(&err, AISP_E_IO, "inner");
    aisp_fail(&err, AISP_E_REFUSED, "outer: %s", err.text);
    assert_string_equal(err.text, "outer: inner");
}

static void a_long_line_is_cut_but_keeps_the_reason_of_errno(void **state)
{
    char name[2000];
    struct aisp_err err;

    (void)state;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    aisp_fail(&err, AISP_E_IO, "%s", name);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    errno = ENOENT;
    aisp_fail_errno(&err, AISP_E_IO, "%s", name);
    assert_non_null(strstr(err.text, "xxx: No such file or directory"));
    assert_int_equal(errno, ENOENT);
}

static void every_status_has_its_name(void **state)
{
    (void)state;
    assert_string_equal(aisp_status_name(AISP_OK), "AISP_OK");
    assert_string_equal(aisp_status_name(AISP_E_INTERRUPTED), "AISP_E_INTERRUPTED");
    for (int i = AISP_E_USAGE; i < AISP_N_STATUS; i++)
        assert_int_equal(strncmp(aisp_status_name((enum aisp_status)i), "AISP_E_", 7), 0);
    assert_string_equal(aisp_status_name(AISP_N_STATUS), "AISP_?");
    assert_string_equal(aisp_status_name((enum aisp_status) - 1), "AISP_?");
}

static void text_grows_by_pieces_and_formats(void **state)
{
    struct aisp_buf buf = AISP_BUF_INIT;
    char *s;

    (void)state;
    for (int i = 0; i < 1000; i++)
        aisp_buf_printf(&buf, "%d,", i % 10);
    aisp_buf_puts(&buf, "end");
    aisp_buf_add(&buf, "\0x", 2);
    assert_int_equal(buf.len, 2005);
    assert_memory_equal(buf.s + 1990, "5,6,7,8,9,end\0x", 16);
    s = aisp_buf_detach(&buf);
    assert_null(buf.s);
    free(s);
    s = aisp_buf_detach(&buf);
    assert_string_equal(s, "");
    free(s);
    aisp_buf_release(&buf);
    aisp_buf_release(NULL);
}

/* Around the room that there is without asking for more. */
static void text_of_any_length_is_formatted_whole(void **state)
{
    char digits[300];

    (void)state;
    memset(digits, '7', sizeof digits);
    for (int n = 0; n < 300; n++) {
        struct aisp_buf buf = AISP_BUF_INIT;

        aisp_buf_printf(&buf, "%.*s", n, digits);
        aisp_buf_printf(&buf, "%.*s|", 299 - n, digits);
        assert_int_equal(buf.len, 300);
        assert_int_equal(strspn(buf.s, "7"), 299);
        assert_string_equal(buf.s + 299, "|");
        aisp_buf_release(&buf);
    }
}

static void an_array_grows_with_zeroed_elements(void **state)
{
    struct row {
        int64_t a, b;
    } *row = NULL;
    size_t n = 0, cap = 0;

    (void)state;
    for (int i = 0; i < 100; i++) {
        struct row *r = aisp_grow(&row, &n, &cap, sizeof *row);

        assert_int_equal(r->a, 0);
        assert_int_equal(r->b, 0);
        r->a = i;
        r->b = -1;
    }
    assert_int_equal(n, 100);
    for (int i = 0; i < 100; i++)
        assert_int_equal(row[i].a, i);
    free(row);
}

static void an_array_that_gave_back_its_room_grows_again(void **state)
{
    int *number = NULL;
    size_t n = 0, cap = 0;

    (void)state;
    aisp_fit(&number, n, &cap, sizeof *number);
    assert_null(number);
    for (int i = 0; i < 5; i++)
        *(int *)aisp_grow(&number, &n, &cap, sizeof *number) = i;
    aisp_fit(&number, n, &cap, sizeof *number);
    assert_int_equal(cap, 5);
    *(int *)aisp_grow(&number, &n, &cap, sizeof *number) = 5;
    for (int i = 0; i < 6; i++)
        assert_int_equal(number[i], i);
    free(number);
}

/* FIPS 180-4 examples. */
static void hashes_are_sha256(void **state)
{
    char hex[65];

    (void)state;
    aisp_hash_bytes("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    aisp_hash_bytes(NULL, 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void a_file_has_the_hash_of_its_bytes(void **state)
{
    char *folder = temporary_folder(), *bytes = aisp_xcalloc(1, 100000), *path;
    char of_file[65], of_bytes[65];
    struct aisp_err err;

    (void)state;
    memset(bytes + 50000, 'y', 1000);
    path = write_file(folder, "data", bytes, 100000);
    aisp_hash_bytes(bytes, 100000, of_bytes);
    assert_int_equal(aisp_hash_file(path, of_file, &err), AISP_OK);
    assert_string_equal(of_file, of_bytes);
    free(path);
    path = aisp_format("%s/none", folder);
    assert_int_equal(aisp_hash_file(path, of_file, &err), AISP_E_NOT_FOUND);
    assert_int_equal(aisp_hash_file(folder, of_file, &err), AISP_E_IO);
    free(path);
    free(bytes);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_returns_its_status_and_leaves_one_line),
        cmocka_unit_test(what_is_no_text_becomes_question_marks),
        cmocka_unit_test(a_failure_can_be_told_again_with_more_in_front),
        cmocka_unit_test(a_long_line_is_cut_but_keeps_the_reason_of_errno),
        cmocka_unit_test(every_status_has_its_name),
        cmocka_unit_test(text_grows_by_pieces_and_formats),
        cmocka_unit_test(text_of_any_length_is_formatted_whole),
        cmocka_unit_test(an_array_grows_with_zeroed_elements),
        cmocka_unit_test(an_array_that_gave_back_its_room_grows_again),
        cmocka_unit_test(hashes_are_sha256),
        cmocka_unit_test(a_file_has_the_hash_of_its_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
