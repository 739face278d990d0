/* object_code_test.c - the hash of what an object loads: the same wherever it was built, another one for other code. */
#include "tests/unit/temporary.h"

#include "core/base/hash.h"
#include "core/object_code.h"

static const char source[] = "static const int table[4] = { 1, 2, 3, 4 };\nint f(int i) { return table[i & 3]; }\n";

static void hash(const char *path, char hex[65])
{
    struct aisp_err err = { AISP_OK, "" };

    if (aisp_object_code_hash(path, hex, &err))
        fail_msg("%s", err.text);
}

/* With debug information and recorded switches both files hold the name of their folder. */
static void the_same_source_in_two_folders_has_one_hash(void **state)
{
    char *a = temporary_folder(), *b = temporary_folder(), file[2][65], code[2][65];
    char *first = compile(a, "x.so", source, "-g -frecord-gcc-switches"),
         *second = compile(b, "x.so", source, "-g -frecord-gcc-switches");

    (void)state;
    assert_int_equal(aisp_hash_file(first, file[0], NULL), AISP_OK);
    assert_int_equal(aisp_hash_file(second, file[1], NULL), AISP_OK);
    assert_string_not_equal(file[0], file[1]);
    hash(first, code[0]);
    hash(second, code[1]);
    assert_string_equal(code[0], code[1]);
    assert_int_equal(strspn(code[0], "0123456789abcdef"), 64);
    free(first);
    free(second);
    remove_folder(a);
    remove_folder(b);
}

static void other_code_data_or_flags_have_another(void **state)
{
    static const char code[] = "static const int table[4] = { 1, 2, 3, 4 };\nint f(int i) { return table[i & 1]; }\n";
    static const char data[] = "static const int table[4] = { 1, 2, 3, 5 };\nint f(int i) { return table[i & 3]; }\n";
    static const char *const sources[] = { source, code, data, source }, *const flags[] = { "", "", "", "-O0" };
    char *folder = temporary_folder(), hex[4][65];

    (void)state;
    for (int i = 0; i < 4; i++) {
        char *path = compile(folder, "x.so", sources[i], flags[i]);

        hash(path, hex[i]);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(hex[i], hex[j]);
        free(path);
    }
    remove_folder(folder);
}

/* Cut anywhere, and with any byte of its headers changed, it is refused or hashed: nothing is read outside of the file. */
static void a_damaged_file_is_refused_or_read_whole(void **state)
{
    char *folder = temporary_folder(), *path = compile(folder, "x.so", source, ""), *bytes = aisp_xmalloc(1 << 20), hex[65];
    FILE *f = fopen(path, "rb");
    const size_t n = fread(bytes, 1, 1 << 20, f);
    int n_refused = 0;

    (void)state;
    fclose(f);
    for (size_t cut = 0; cut < n; cut += 1 + n / 100) {
        char *damaged = write_file(folder, "cut.so", bytes, cut);

        n_refused += aisp_object_code_hash(damaged, hex, NULL) == AISP_E_REFUSED;
        free(damaged);
    }
    assert_true(n_refused > 90);                 /* the section table stands at the end */
    for (size_t i = 0; i < 64; i++) {
        const char was = bytes[i];
        char *damaged;

        bytes[i] = (char)~was;
        damaged = write_file(folder, "damaged.so", bytes, n);
        aisp_object_code_hash(damaged, hex, NULL);
        bytes[i] = was;
        free(damaged);
    }
    free(bytes);
    free(path);
    remove_folder(folder);
}

static void what_is_no_object_is_named(void **state)
{
    char *folder = temporary_folder(), *path = write_file(folder, "text.so", "hello", 5), hex[65];
    struct aisp_err err = { AISP_OK, "" };

    (void)state;
    assert_int_equal(aisp_object_code_hash(path, hex, &err), AISP_E_REFUSED);
    assert_non_null(strstr(err.text, "text.so: no shared object"));
    assert_int_equal(aisp_object_code_hash(folder, hex, &err), AISP_E_REFUSED);
    assert_int_equal(aisp_object_code_hash("/nowhere/x.so", hex, &err), AISP_E_NOT_FOUND);
    free(path);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_source_in_two_folders_has_one_hash),
        cmocka_unit_test(other_code_data_or_flags_have_another),
        cmocka_unit_test(a_damaged_file_is_refused_or_read_whole),
        cmocka_unit_test(what_is_no_object_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
