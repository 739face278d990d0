/* plugin_test.c - declarations out of real shared objects and out of damaged ones; loading problems. */
#include "temporary.h"

#include <elf.h>
#include <fcntl.h>

#include "core/base/rng.h"
#include "core/plugin.h"

#define VARIANT_TOP                                                                                \
    "#include <aisp/variant.h>\n"                                                                  \
    "static enum aisp_status run(const struct aisp_call *c) { (void)c; return AISP_OK; }\n"
#define VARIANT_END "AISP_VARIANT = { .abi = AISP_ABI, .run = run };\n"
#define IDEA        "AISP_DECLARE(\"idea: one\\nuses: threads, graph\\nplace: x=huge, y = pinned\\n\");\n"

static char *folder;

static int make(void **state)
{
    (void)state;
    folder = temporary_folder();
    return 0;
}

static int clean(void **state)
{
    (void)state;
    remove_folder(folder);
    return 0;
}

/* By how the line begins: how many sections there are is the linker's choice. */
static void assert_refused(const char *path, const char *line)
{
    struct aisp_declaration decl;
    struct aisp_err err = { .text = "" };

    assert_int_equal(aisp_declaration_read(path, &decl, &err), AISP_E_REFUSED);
    if (strncmp(err.text, line, strlen(line)) != 0)
        assert_string_equal(err.text, line);
}

static void assert_source_refused(const char *source, const char *flags, const char *line)
{
    char *path = compile(folder, "v.so", source, flags);

    assert_refused(path, line);
    free(path);
}

static void a_declaration_is_read_without_loading(void **state)
{
    char *path = compile(folder, "v.so", VARIANT_TOP IDEA VARIANT_END, "-DNDEBUG");
    struct aisp_declaration decl;
    struct aisp_err err = { .text = "untouched" };
    char wish[16];

    (void)state;
    assert_int_equal(aisp_declaration_read(path, &decl, &err), AISP_OK);
    assert_string_equal(err.text, "untouched");
    assert_string_equal(decl.idea, "one");
    assert_string_equal(decl.expect, "");
    assert_true(aisp_declaration_uses(&decl, "threads"));
    assert_true(aisp_declaration_uses(&decl, "graph"));
    assert_false(aisp_declaration_uses(&decl, "thread"));
    assert_false(aisp_declaration_uses(&decl, ""));
    aisp_declaration_place(&decl, "x", wish);
    assert_string_equal(wish, "huge");
    aisp_declaration_place(&decl, "y", wish);
    assert_string_equal(wish, "pinned");
    aisp_declaration_place(&decl, "z", wish);
    assert_string_equal(wish, "");
    free(path);
}

/* Tables longer than what is read at once, and far from both ends of the file. */
static void a_declaration_is_read_out_of_a_large_object(void **state)
{
    struct aisp_buf source = AISP_BUF_INIT;
    struct aisp_declaration decl;
    char *path;

    (void)state;
    aisp_buf_puts(&source, VARIANT_TOP "const char before[100000] = { 1 };\n" IDEA);
    for (int i = 0; i < 400; i++)
        aisp_buf_printf(&source, "int exported_by_a_long_name_%d = %d;\n", i, i + 1);
    for (int i = 0; i < 100; i++)
        aisp_buf_printf(&source, "__attribute__((section(\"part%d\"))) int in_part_%d = 1;\n", i,
                        i);
    aisp_buf_puts(&source, VARIANT_END "int after[50000] = { 1 };\n");
    path = compile(folder, "v.so", source.s, "-g");
    assert_int_equal(aisp_declaration_read(path, &decl, NULL), AISP_OK);
    assert_string_equal(decl.idea, "one");
    aisp_buf_release(&source);
    free(path);
}

static void a_changed_object_is_seen_at_once(void **state)
{
    static const char *const idea[] = { "one", "two", "six" };
    struct aisp_declaration decl;

    (void)state;
    for (int i = 0; i < 3; i++) {
        char *source = aisp_format("%sAISP_DECLARE(\"idea: %s\\n\");\n%s", VARIANT_TOP, idea[i],
                                   VARIANT_END),
             *path = compile(folder, "v.so", source, "");

        assert_int_equal(aisp_declaration_read(path, &decl, NULL), AISP_OK);
        assert_string_equal(decl.idea, idea[i]);
        free(source);
        free(path);
    }
}

static void code_that_runs_at_loading_does_not_run(void **state)
{
    char *path =
        compile(folder, "v.so",
                VARIANT_TOP IDEA VARIANT_END "__attribute__((constructor)) static void f(void)"
                                             "{ __builtin_trap(); }\n",
                "");
    struct aisp_declaration decl;

    (void)state;
    assert_int_equal(aisp_declaration_read(path, &decl, NULL), AISP_OK);
    free(path);
}

static void a_variant_without_its_parts_is_refused_by_the_part(void **state)
{
    (void)state;
    assert_source_refused(VARIANT_TOP VARIANT_END, "",
                          "v.so: no declaration (section aisp.declare): AISP_DECLARE is missing");
    assert_source_refused(VARIANT_TOP IDEA "void *keep = (void *)run;\n", "",
                          "v.so: exports no aisp_variant (AISP_VARIANT is missing, or hidden)");
    assert_source_refused(VARIANT_TOP IDEA VARIANT_END, "-fvisibility=hidden",
                          "v.so: exports no aisp_variant (AISP_VARIANT is missing, or hidden)");
    assert_source_refused(VARIANT_TOP IDEA "extern const struct aisp_variant aisp_variant;"
                                           "const void *f(void) { return &aisp_variant; }\n",
                          "", "v.so: exports no aisp_variant (AISP_VARIANT is missing, or hidden)");
    assert_source_refused("#include <aisp/variant.h>\n" IDEA "void aisp_variant(void) {}\n", "",
                          "v.so: aisp_variant is no data: symbol type 2");
}

static void another_abi_is_refused_by_its_number(void **state)
{
    (void)state;
    assert_source_refused(VARIANT_TOP IDEA "AISP_VARIANT = { .abi = 7, .run = run };\n", "",
                          "v.so: built against ABI 7, this aisp has ABI 3");
    assert_source_refused(VARIANT_TOP IDEA "AISP_VARIANT = { 0 };\n", "",
                          "v.so: built against ABI 0, this aisp has ABI 3");
    assert_source_refused(VARIANT_TOP IDEA
                          "const struct { struct aisp_variant v; long more; } aisp_variant"
                          "= { { .abi = AISP_ABI, .run = run } };\n",
                          "", "v.so: aisp_variant has 48 bytes, ABI 3 has 40");
}

static void assert_text_refused(const char *text, size_t n, const char *line)
{
    struct aisp_declaration decl = { .idea = "before" };
    struct aisp_err err = { .text = "" };

    assert_int_equal(aisp_declaration_parse(text, n, "v.so", &decl, &err), AISP_E_REFUSED);
    assert_string_equal(err.text, line);
    assert_string_equal(decl.idea, "before");
}
#define TEXT(s) s, sizeof s - 1

static void a_wrong_declaration_is_refused_by_the_key(void **state)
{
    char longer[300] = "idea: ";

    (void)state;
    memset(longer + 6, 'x', 256);
    assert_text_refused(TEXT("idea: x\nspeed: 9"),
                        "v.so: key \"speed\" is unknown (idea, expect, uses, place)");
    assert_text_refused(TEXT("idea: x\nidea: y"), "v.so: key \"idea\" stands twice");
    assert_text_refused(TEXT("idea:  \n"), "v.so: key \"idea\" is empty");
    assert_text_refused(TEXT("just words"), "v.so: line \"just words\" is not \"key: value\"");
    assert_text_refused(TEXT(""), "v.so: the declaration is empty");
    assert_text_refused(TEXT("\0\0\0"), "v.so: the declaration is empty");
    assert_text_refused(TEXT("idea: x\0idea: y"), "v.so: more than one declaration");
    assert_text_refused(TEXT("idea: \033[31m"), "v.so: the declaration is not plain UTF-8 text");
    assert_text_refused(TEXT("idea: \xc3"), "v.so: the declaration is not plain UTF-8 text");
    assert_text_refused(TEXT("idea: \xc0\x8a"), "v.so: the declaration is not plain UTF-8 text");
    assert_text_refused(TEXT("idea: \xed\xa0\x80"),
                        "v.so: the declaration is not plain UTF-8 text");
    assert_text_refused(TEXT("idea: x\nplace: x"), "v.so: place: \"x\" is not TENSOR=WISH");
    assert_text_refused(TEXT("idea: x\nplace: x=hugs"),
                        "v.so: place: wish \"hugs\" is unknown (huge, pinned, pageable, local)");
    assert_text_refused(longer, strlen(longer), "v.so: key \"idea\" has 256 bytes, more than 255");
}

static void a_declaration_may_hold_utf8_and_padding(void **state)
{
    struct aisp_declaration decl;

    (void)state;
    assert_int_equal(aisp_declaration_parse(TEXT("  idea :  4 \xc3\x97 16 \n\nexpect: a / b\0\0"),
                                            "v.so", &decl, NULL),
                     AISP_OK);
    assert_string_equal(decl.idea, "4 \xc3\x97 16");
    assert_string_equal(decl.expect, "a / b");
}

static void what_is_no_shared_object_is_refused(void **state)
{
    struct aisp_declaration decl;
    struct aisp_err err;
    static const char script[] =
        "#!/bin/sh\nexit 0\n# and more than the header of an ELF file, so that it is read\n";
    char *path = write_file(folder, "text.so", script, sizeof script - 1);

    (void)state;
    assert_refused(path, "text.so: not a shared object: no ELF file");
    free(path);
    path = write_file(folder, "empty.so", "", 0);
    assert_refused(path, "empty.so: not a shared object: 0 bytes");
    free(path);
    path = aisp_format("%s/pipe.so", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_refused(path, "pipe.so: not a shared object: no regular file");
    free(path);
    path = aisp_format("%s/none.so", folder);
    assert_int_equal(aisp_declaration_read(path, &decl, &err), AISP_E_NOT_FOUND);
    free(path);
    path = compile(folder, "object.so", VARIANT_TOP IDEA VARIANT_END, "-c");
    assert_refused(path, "object.so: not a shared object: ELF type 1");
    free(path);
}

/* A real object in memory, to be damaged, written and read. */
struct object {
    unsigned char *bytes;
    size_t n;
    char *path;
};

static struct object object_open(void)
{
    struct object o = { .path = compile(folder, "v.so", VARIANT_TOP IDEA VARIANT_END, "-s") };
    FILE *f = fopen(o.path, "rb");
    struct stat info;

    assert_non_null(f);
    assert_int_equal(fstat(fileno(f), &info), 0);
    o.n = (size_t)info.st_size;
    o.bytes = malloc(o.n);
    assert_int_equal(fread(o.bytes, 1, o.n, f), o.n);
    fclose(f);
    return o;
}

static void object_release(struct object *o)
{
    free(o->bytes);
    free(o->path);
}

static Elf64_Ehdr *header(struct object *o)
{
    return (Elf64_Ehdr *)(void *)o->bytes;
}

static Elf64_Shdr *section(struct object *o, const char *wanted)
{
    Elf64_Shdr *s = (Elf64_Shdr *)(void *)(o->bytes + header(o)->e_shoff);
    const char *names = (char *)o->bytes + s[header(o)->e_shstrndx].sh_offset;

    for (int i = 0; i < header(o)->e_shnum; i++)
        if (!strcmp(names + s[i].sh_name, wanted))
            return &s[i];
    fail_msg("no section %s", wanted);
    return NULL;
}

#define ASSERT_DAMAGE(damage, line)                                                                \
    do {                                                                                           \
        struct object o = object_open();                                                           \
        damage;                                                                                    \
        free(write_file(folder, "v.so", o.bytes, o.n));                                            \
        assert_refused(o.path, line);                                                              \
        object_release(&o);                                                                        \
    } while (0)

static void a_damaged_object_is_refused_by_what_is_wrong(void **state)
{
    (void)state;
    ASSERT_DAMAGE(header(&o)->e_ident[EI_CLASS] = ELFCLASS32,
                  "v.so: not a 64-bit object: ELF class 1");
    ASSERT_DAMAGE(header(&o)->e_ident[EI_DATA] = ELFDATA2MSB,
                  "v.so: not little-endian: ELF data encoding 2");
    ASSERT_DAMAGE(header(&o)->e_type = ET_EXEC, "v.so: not a shared object: ELF type 2");
    ASSERT_DAMAGE(header(&o)->e_machine = EM_AARCH64,
                  "v.so: built for another processor: ELF machine 183");
    ASSERT_DAMAGE(header(&o)->e_shnum = 0xfeff, "v.so: 65279 sections, more than 4096");
    ASSERT_DAMAGE(header(&o)->e_shnum = 4000,
                  "v.so: truncated: the section table is outside of the file");
    ASSERT_DAMAGE(header(&o)->e_shoff = UINT64_MAX - 8,
                  "v.so: truncated: the section table is outside of the file");
    ASSERT_DAMAGE(header(&o)->e_shoff = 0, "v.so: no section table, so no declaration");
    ASSERT_DAMAGE(header(&o)->e_shoff = 8,
                  "v.so: the section table overlaps with another part of the file");
    ASSERT_DAMAGE(header(&o)->e_shentsize = 1, "v.so: section headers of 1 bytes");
    ASSERT_DAMAGE(header(&o)->e_shstrndx = 0xfff0, "v.so: section names are in section 65520 of ");
    ASSERT_DAMAGE(section(&o, "aisp.declare")->sh_name = 1u << 31, "v.so: the name of section ");
    ASSERT_DAMAGE(section(&o, "aisp.declare")->sh_size = UINT64_MAX,
                  "v.so: the declaration is longer than 2048 bytes");
    ASSERT_DAMAGE(section(&o, "aisp.declare")->sh_offset = UINT64_MAX - 3,
                  "v.so: truncated: the declaration is outside of the file");
    ASSERT_DAMAGE(section(&o, "aisp.declare")->sh_type = SHT_NOBITS,
                  "v.so: the declaration has no contents: section type 8");
    ASSERT_DAMAGE(section(&o, "aisp.declare")->sh_offset = 0,
                  "v.so: the declaration overlaps with another part of the file");
    ASSERT_DAMAGE(section(&o, ".comment")->sh_name = section(&o, "aisp.declare")->sh_name,
                  "v.so: two sections aisp.declare");
    ASSERT_DAMAGE(section(&o, ".dynsym")->sh_size = UINT64_C(24) << 40,
                  "v.so: the table of dynamic symbols is too large: 26388279066624 bytes");
    ASSERT_DAMAGE(section(&o, ".dynsym")->sh_size = 0, "v.so: dynamic symbols of a wrong size");
    ASSERT_DAMAGE(section(&o, ".dynsym")->sh_link = 1u << 30,
                  "v.so: dynamic symbols without names");
    ASSERT_DAMAGE(section(&o, ".dynsym")->sh_offset = section(&o, ".dynstr")->sh_offset,
                  "v.so: the table of symbol names overlaps with another part of the file");
    ASSERT_DAMAGE(section(&o, ".dynstr")->sh_size = 1,
                  "v.so: the name of a symbol is outside of the table");
    ASSERT_DAMAGE(section(&o, ".data.rel.ro")->sh_addr += 1 << 20,
                  "v.so: aisp_variant is outside of its section");
    ASSERT_DAMAGE(section(&o, ".data.rel.ro")->sh_offset = UINT64_MAX - 2,
                  "v.so: truncated: aisp_variant is outside of the file");
}

static void read_or_refuse(const char *path)
{
    struct aisp_declaration decl;
    struct aisp_err err = { .text = "" };
    enum aisp_status st = aisp_declaration_read(path, &decl, &err);

    if (st == AISP_OK)
        return;
    assert_int_equal(st, AISP_E_REFUSED);
    assert_int_equal(strncmp(err.text, "v.so: ", 6), 0);
}

static void every_truncation_is_refused(void **state)
{
    struct object o = object_open();
    struct aisp_declaration decl;

    (void)state;
    for (size_t n = o.n - 1; n > 0; n = n > 4096 ? n - 97 : n - 1) {
        assert_int_equal(truncate(o.path, (off_t)n), 0);
        assert_int_equal(aisp_declaration_read(o.path, &decl, NULL), AISP_E_REFUSED);
    }
    object_release(&o);
}

/* 20000 objects with one to four bytes of the header, the section table, the symbols or the text changed. */
static void random_damage_is_read_or_refused_and_nothing_else(void **state)
{
    struct object o = object_open();
    const struct {
        uint64_t from, n;
    } part[] = {
        { 0, sizeof(Elf64_Ehdr) },
        { header(&o)->e_shoff, header(&o)->e_shnum * sizeof(Elf64_Shdr) },
        { section(&o, ".dynsym")->sh_offset, section(&o, ".dynsym")->sh_size },
        { section(&o, ".dynstr")->sh_offset, section(&o, ".dynstr")->sh_size },
        { section(&o, "aisp.declare")->sh_offset, section(&o, "aisp.declare")->sh_size },
        { section(&o, ".shstrtab")->sh_offset, section(&o, ".shstrtab")->sh_size },
    };
    struct aisp_key key = { { 11 } };
    struct aisp_dice dice;
    int fd = open(o.path, O_RDWR);

    (void)state;
    assert_true(fd >= 0);
    aisp_dice_init(&dice, &key);
    for (int i = 0; i < 20000; i++) {
        uint64_t at[4], n = 1 + aisp_dice_below(&dice, 4);

        for (uint64_t k = 0; k < n; k++) {
            uint64_t p = aisp_dice_below(&dice, sizeof part / sizeof *part);
            unsigned char byte = (unsigned char)aisp_dice_u32(&dice);

            at[k] = part[p].from + aisp_dice_below(&dice, part[p].n);
            assert_int_equal(pwrite(fd, &byte, 1, (off_t)at[k]), 1);
        }
        read_or_refuse(o.path);
        for (uint64_t k = 0; k < n; k++)
            assert_int_equal(pwrite(fd, o.bytes + at[k], 1, (off_t)at[k]), 1);
    }
    close(fd);
    object_release(&o);
}

#define PROBLEM(abi, reference)                                                                    \
    "#include <aisp/problem.h>\n"                                                                  \
    "static void r(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to) {}\n"  \
    "static const struct aisp_param p[] = { { \"n\", 64, 5, 0, 32, 128, 1 }, { 0 } };\n"           \
    "static const struct aisp_tensor t[] = { { \"x\", AISP_IN, AISP_F32, \"n\", { AISP_NORMAL, "   \
    "0, 1 } },\n"                                                                                  \
    "    { \"y\", AISP_OUT, AISP_F32, \"n\" }, { 0 } };\n"                                         \
    "AISP_PROBLEM = { .abi = " abi                                                                 \
    ", .title = \"A test\", .teaches = \"nothing\", .param = p, .tensor = t,\n"                    \
    "    .bytes = \"8*n\", .flops = \"n\", .tolerance = { .why = \"exact\" }, " reference " };\n"

static void a_sound_problem_loads_and_unloads(void **state)
{
    char *path = compile(folder, "problem.so", PROBLEM("AISP_ABI", ".reference = r"), "");
    struct aisp_loaded_problem loaded;
    struct aisp_err err = { .text = "" };

    (void)state;
    if (aisp_problem_load(path, &loaded, &err))
        fail_msg("%s", err.text);
    assert_string_equal(loaded.problem->title, "A test");
    aisp_problem_unload(&loaded);
    assert_null(loaded.problem);
    aisp_problem_unload(&loaded);
    aisp_problem_unload(NULL);
    free(path);
}

static void assert_problem_refused(const char *file, const char *source, const char *line)
{
    char *path = compile(folder, file, source, "");
    struct aisp_loaded_problem loaded;
    struct aisp_err err = { .text = "" };

    assert_int_equal(aisp_problem_load(path, &loaded, &err), AISP_E_REFUSED);
    assert_non_null(strstr(err.text, line));
    assert_null(loaded.handle);
    free(path);
}

static void a_problem_is_refused_by_name_and_reason(void **state)
{
    struct aisp_loaded_problem loaded;
    char *path = aisp_format("%s/none.so", folder);

    (void)state;
    assert_problem_refused("p1.so", PROBLEM("7", ".reference = r"),
                           "p1.so: built against ABI 7, this aisp has ABI 3");
    assert_problem_refused("p2.so", PROBLEM("AISP_ABI", ""),
                           "p2.so: reference is missing (or accept)");
    assert_problem_refused("p3.so", "int x;\n",
                           "p3.so: no aisp_problem in it (AISP_PROBLEM is missing)");
    assert_problem_refused("p4.so", "extern int nowhere(void); int f(void) { return nowhere(); }\n",
                           "nowhere");
    assert_int_equal(aisp_problem_load(path, &loaded, NULL), AISP_E_NOT_FOUND);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_declaration_is_read_without_loading),
        cmocka_unit_test(a_declaration_is_read_out_of_a_large_object),
        cmocka_unit_test(a_changed_object_is_seen_at_once),
        cmocka_unit_test(code_that_runs_at_loading_does_not_run),
        cmocka_unit_test(a_variant_without_its_parts_is_refused_by_the_part),
        cmocka_unit_test(another_abi_is_refused_by_its_number),
        cmocka_unit_test(a_wrong_declaration_is_refused_by_the_key),
        cmocka_unit_test(a_declaration_may_hold_utf8_and_padding),
        cmocka_unit_test(what_is_no_shared_object_is_refused),
        cmocka_unit_test(a_damaged_object_is_refused_by_what_is_wrong),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(random_damage_is_read_or_refused_and_nothing_else),
        cmocka_unit_test(a_sound_problem_loads_and_unloads),
        cmocka_unit_test(a_problem_is_refused_by_name_and_reason),
    };

    return cmocka_run_group_tests(tests, make, clean);
}
