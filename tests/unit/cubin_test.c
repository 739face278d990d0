/* cubin_test.c - what machine code says of a kernel. The words of instructions are nvcc's own: those of the table were taken
 * out of what nvcc 13.0 made of each of PTX's mma and wgmma; where there is an nvcc, it compiles each mma of sm_80 again.
 * Images that are cut or that lie are made here, out of a small one that this file writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cuda/cubin.h"
#include "core/base/buf.h"

#define TEST(f) cmocka_unit_test(f)

static const struct {
    const char *ptx, *math;
    bool is_sparse;
    uint64_t word[2];
} known[] = {
    { "m16n8k16 f32 f16", "f16", false, { 0x000000060c08723c, 0x004ff60000001808 } },
    { "m16n8k16 f16 f16", "f16", false, { 0x0000000c0806723c, 0x004ff60000000806 } },
    { "m16n8k8 f32 f16", "f16", false, { 0x000000000608723c, 0x004fde0000001008 } },
    { "m16n8k16 bf16", "bf16", false, { 0x000000060c08723c, 0x004ff60000041808 } },
    { "m16n8k8 bf16", "bf16", false, { 0x000000000608723c, 0x004fde0000041008 } },
    { "m16n8k8 tf32", "tf32", false, { 0x000000060c08723c, 0x004ff60000081008 } },
    { "m16n8k4 tf32", "tf32", false, { 0x000000000608723c, 0x004fde0000085008 } },
    { "m8n8k4 f64", "f64", false, { 0x0000000c0a04723f, 0x004e360000000004 } },
    { "m16n8k32 s8", "i8", false, { 0x000000060c087237, 0x004ff60000405c08 } },
    { "m16n8k32 u8", "i8", false, { 0x000000060c087237, 0x004ff60000400c08 } },
    { "m8n8k16 s8", "i8", false, { 0x0000000900067237, 0x004fd80000005406 } },
    { "m16n8k64 s4", "i4", false, { 0x000000060c087237, 0x004ff60000785408 } },
    { "m8n8k32 s4", "i4", false, { 0x0000000900067237, 0x004fd80000385406 } },
    { "m16n8k256 b1", "b1", false, { 0x000000060c08723d, 0x004ff60000015408 } },
    { "m16n8k32 e4m3", "f8", false, { 0x000000060c08727a, 0x004ff60000002c08 } },
    { "m16n8k32 e5m2", "f8", false, { 0x000000060c08727a, 0x004ff6000000ec08 } },
    { "sp f16", "f16", true, { 0x000000100c08723c, 0x004ff60000005a08 } },
    { "sp bf16", "bf16", true, { 0x000000100c08723c, 0x004ff60000045a08 } },
    { "sp tf32", "tf32", true, { 0x000000100c08723c, 0x004ff60000081a08 } },
    { "sp s8", "i8", true, { 0x000000100c087237, 0x004ff60000605508 } },
    { "sp s4", "i4", true, { 0x000000100c087237, 0x004ff60000785d08 } },
    { "sp e4m3", "f8", true, { 0x000000100c08727a, 0x004ff60000013408 } },
    { "wgmma f16", "f16", false, { 0x00000000081879f0, 0x000fe60008000818 } },
    { "wgmma n256 f16", "f16", false, { 0x03e00000081879f0, 0x000fe60008000818 } },
    { "wgmma f16, registers", "f16", false, { 0x000000041c187df0, 0x000fe60008000818 } },
    { "wgmma bf16", "bf16", false, { 0x00000000081879f0, 0x000fe60008001818 } },
    { "wgmma bf16, registers", "bf16", false, { 0x000000041c187df0, 0x000fe60008001818 } },
    { "wgmma tf32", "tf32", false, { 0x04000000081879f0, 0x000fe60008002818 } },
    { "wgmma tf32, registers", "tf32", false, { 0x040000041c187df0, 0x000fe60008002818 } },
    { "wgmma e4m3", "f8", false, { 0x00000000081879f3, 0x000fe60008000818 } },
    { "wgmma e5m2, registers", "f8", false, { 0x000000041c187df3, 0x000fe60008003818 } },
    { "wgmma s8", "i8", false, { 0x00000000081879f1, 0x000fe60008041018 } },
    { "wgmma u8, registers", "i8", false, { 0x000000041c187df1, 0x000fe60008000018 } },
    { "wgmma b1", "b1", false, { 0x00000000081879f2, 0x000fe60008014018 } },
    { "wgmma sp f16", "f16", true, { 0x08001c00081879f0, 0x000fe60008000a18 } },
    { "wgmma sp tf32", "tf32", true, { 0x00001c00081879f0, 0x000fe60008002a18 } },
    { "wgmma sp e4m3", "f8", true, { 0x04001c00081879f3, 0x000fe60008000a18 } },
    { "wgmma sp s8", "i8", true, { 0x00201c00081879f1, 0x000fe60008041218 } },
};

static void the_words_of_each_matrix_instruction_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct cuda_code code;

        if (!cuda_matrix_instruction(known[i].word, &code) || strcmp(code.math, known[i].math) ||
            code.is_sparse != known[i].is_sparse)
            fail_msg("%s: read as %s%s", known[i].ptx, code.math, code.is_sparse ? ", sparse" : "");
    }
}

static void other_instructions_are_none(void **state)
{
    /* FADD, MOV, I2F, F2F, LDG, SHFL, SEL of the same compiler */
    static const uint64_t word[][2] = {
        { 0x0000000202077221, 0x004fca0000000000 }, { 0x000000ff00077202, 0x000fc40000000f00 },
        { 0x00000004ff057435, 0x000fe200000001ff }, { 0x0000000bff04723e, 0x084fe400030006ff },
        { 0x00000000210c723a, 0x000e280000004800 }, { 0x001c031d121c7589, 0x000fe200000e0000 },
        { 0x00000001160c0207, 0x081fe40000000000 },
    };
    struct cuda_code code;

    (void)state;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        assert_false(cuda_matrix_instruction(word[i], &code));
}

/* ---- images ---- */

struct seen {
    int n;
    char name[8][64];
    struct cuda_code code[8];
};

static void note(void *to, const char *kernel, const struct cuda_code *code)
{
    struct seen *s = to;

    if (s->n == 8)
        return;
    snprintf(s->name[s->n], sizeof s->name[0], "%s", kernel);
    s->code[s->n++] = *code;
}

enum { TEXT_A = 1, TEXT_B, STRINGS, SYMBOLS, N_SECTIONS, KERNEL = 0x10, TF32 = 5, F16 = 0, F64 = 7, NOTHING = -1 };

struct made {
    char strings[256];
    uint64_t code_a[2], code_b[2];
    Elf64_Sym symbol[4];
    Elf64_Shdr section[N_SECTIONS];
};
struct whole {
    Elf64_Ehdr header;
    struct made m;
};

static uint32_t text(struct whole *w, const char *of)
{
    static uint32_t end;

    if (!*of) {
        end = 1;
        return 0;
    }
    strcpy(w->m.strings + end, of);
    end += (uint32_t)strlen(of) + 1;
    return end - (uint32_t)strlen(of) - 1;
}

static void set_code(uint64_t code[2], int which)
{
    if (which != NOTHING)
        memcpy(code, known[which].word, 16);
}

/* Two functions with an instruction each; `other` of the second says whether it is a kernel. third: another symbol. */
static void make(struct whole *w, int a, int b, unsigned char other, const char *third)
{
    *w = (struct whole){ .header = { .e_machine = 190, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = N_SECTIONS } };
    memcpy(w->header.e_ident, ELFMAG, SELFMAG);
    w->header.e_ident[EI_CLASS] = ELFCLASS64;
    w->header.e_shstrndx = STRINGS;
    w->header.e_shoff = offsetof(struct whole, m.section);
    text(w, "");
    set_code(w->m.code_a, a);
    set_code(w->m.code_b, b);
    w->m.section[TEXT_A] = (Elf64_Shdr){ .sh_name = text(w, ".text._Z5firstv"), .sh_type = SHT_PROGBITS,
                                         .sh_offset = offsetof(struct whole, m.code_a), .sh_size = 16 };
    w->m.section[TEXT_B] = (Elf64_Shdr){ .sh_name = text(w, ".text._Z6secondv"), .sh_type = SHT_PROGBITS,
                                         .sh_offset = offsetof(struct whole, m.code_b), .sh_size = 16 };
    w->m.section[STRINGS] = (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct whole, m.strings),
                                          .sh_size = sizeof w->m.strings };
    w->m.section[SYMBOLS] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_link = STRINGS, .sh_entsize = sizeof(Elf64_Sym),
                                          .sh_offset = offsetof(struct whole, m.symbol), .sh_size = sizeof w->m.symbol };
    w->m.symbol[1] = (Elf64_Sym){ .st_info = STT_FUNC, .st_other = KERNEL, .st_shndx = TEXT_A };
    w->m.symbol[2] = (Elf64_Sym){ .st_info = STT_FUNC, .st_other = other, .st_shndx = TEXT_B };
    if (third)
        w->m.symbol[3] = (Elf64_Sym){ .st_info = STT_FUNC, .st_name = text(w, third) };
}

static void each_kernel_has_its_own_instructions(void **state)
{
    struct seen s = { 0 };
    struct whole w;

    (void)state;
    make(&w, TF32, NOTHING, KERNEL, NULL);
    assert_true(cuda_cubin_read(&w, sizeof w, note, &s));
    assert_int_equal(s.n, 2);
    assert_string_equal(s.name[0], "_Z5firstv");
    assert_string_equal(s.code[0].math, "tf32");
    assert_string_equal(s.name[1], "_Z6secondv");
    assert_string_equal(s.code[1].math, "");
    assert_false(s.code[0].launches || s.code[1].launches);
}

static void a_hash_tells_instructions_apart_and_not_names(void **state)
{
    struct seen s = { 0 };
    struct whole w;

    (void)state;
    make(&w, TF32, TF32, KERNEL, NULL);
    assert_true(cuda_cubin_read(&w, sizeof w, note, &s));
    assert_true(s.code[0].hash != 0 && s.code[0].hash == s.code[1].hash);
    make(&w, TF32, F16, KERNEL, NULL);
    assert_true(cuda_cubin_read(&w, sizeof w, note, &s));
    assert_true(s.code[2].hash == s.code[0].hash && s.code[3].hash != s.code[2].hash);
}

/* A call of another section's function is the same instruction, whatever that function does. */
static void a_hash_tells_apart_what_a_kernel_may_call(void **state)
{
    struct seen s = { 0 };
    struct whole w;

    (void)state;
    make(&w, F64, F16, 0, NULL);
    assert_true(cuda_cubin_read(&w, sizeof w, note, &s));
    make(&w, F64, TF32, 0, NULL);
    assert_true(cuda_cubin_read(&w, sizeof w, note, &s));
    assert_int_equal(s.n, 2);
    assert_true(s.code[0].hash != s.code[1].hash);
}

static void what_kernels_may_call_counts_for_all_of_them(void **state)
{
    struct seen s = { 0 };
    struct whole w;

    (void)state;
    make(&w, F64, F16, 0, NULL);
    assert_true(cuda_cubin_read(&w, sizeof w, note, &s));
    assert_int_equal(s.n, 1);
    assert_string_equal(s.code[0].math, "f16");
}

static void the_devices_runtime_is_found_by_what_it_starts(void **state)
{
    struct seen s = { 0 };
    struct whole w;

    (void)state;
    make(&w, NOTHING, NOTHING, KERNEL, "__cudaCDP2LaunchDeviceV2");
    assert_true(cuda_cubin_read(&w, sizeof w, note, &s));
    assert_true(s.n == 2 && s.code[0].launches);
    s.n = 0;
    make(&w, NOTHING, NOTHING, KERNEL, "__cudaCDP2GetDevice");
    assert_true(cuda_cubin_read(&w, sizeof w, note, &s));
    assert_true(s.n == 2 && !s.code[0].launches);
}

static void no_image_that_is_cut_or_lies_is_walked_past_its_end(void **state)
{
    struct seen s = { 0 };
    struct whole w;

    (void)state;
    make(&w, TF32, F16, KERNEL, NULL);
    for (size_t n = 0; n < sizeof w; n++) {
        char *cut = malloc(n + 1); /* of its own, so that a sanitizer sees one byte too many */

        memcpy(cut, &w, n);
        s.n = 0;
        assert_false(cuda_cubin_read(cut, n, note, &s));
        free(cut);
    }
    for (size_t at = 0; at < sizeof w; at++) {
        struct whole other = w;

        ((unsigned char *)&other)[at] ^= 0xff;
        s.n = 0;
        cuda_cubin_read(&other, sizeof other, note, &s);
    }
    assert_false(cuda_cubin_read(NULL, 64, note, &s));
}

static void names_are_equal_whoever_reports_them(void **state)
{
    (void)state;
    assert_true(cuda_code_name("_Z5firstv") == cuda_code_name("__nv_static_44__f90a54b7_22_a_cu_ee4f3242__Z5firstv"));
    assert_true(cuda_code_name("_Z5firstv") != cuda_code_name("_Z6secondv"));
    assert_true(cuda_code_name("") != 0);
}

/* ---- nvcc's own ---- */

static const char *nvcc(void)
{
    static const char *const place[] = { "/usr/local/cuda/bin/nvcc", "/usr/bin/nvcc" };

    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        if (!access(place[i], X_OK))
            return place[i];
    return NULL;
}

/* One mma of PTX: shapes and registers of a thread. */
static const struct mma {
    const char *name, *instruction;
    int n_d, n_a, n_b;
    char d, ab;
    bool is_sparse;
} each[] = {
    { "f16", "m16n8k16.row.col.f32.f16.f16.f32", 4, 4, 2, 'f', 'r', false },
    { "f16", "m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2, 'r', 'r', false },
    { "f16", "m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1, 'f', 'r', false },
    { "bf16", "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 4, 2, 'f', 'r', false },
    { "bf16", "m16n8k8.row.col.f32.bf16.bf16.f32", 4, 2, 1, 'f', 'r', false },
    { "tf32", "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 4, 2, 'f', 'r', false },
    { "tf32", "m16n8k4.row.col.f32.tf32.tf32.f32", 4, 2, 1, 'f', 'r', false },
    { "f64", "m8n8k4.row.col.f64.f64.f64.f64", 2, 1, 1, 'd', 'd', false },
    { "i8", "m16n8k32.row.col.s32.s8.s8.s32", 4, 4, 2, 'r', 'r', false },
    { "i8", "m16n8k32.row.col.s32.u8.s8.s32", 4, 4, 2, 'r', 'r', false },
    { "i8", "m16n8k16.row.col.satfinite.s32.s8.u8.s32", 4, 2, 1, 'r', 'r', false },
    { "i8", "m8n8k16.row.col.s32.s8.s8.s32", 2, 1, 1, 'r', 'r', false },
    { "i4", "m16n8k64.row.col.s32.s4.s4.s32", 4, 4, 2, 'r', 'r', false },
    { "i4", "m8n8k32.row.col.s32.u4.u4.s32", 2, 1, 1, 'r', 'r', false },
    { "b1", "m16n8k256.row.col.s32.b1.b1.s32.and.popc", 4, 4, 2, 'r', 'r', false },
    { "f16", "m16n8k32.row.col.f32.f16.f16.f32", 4, 4, 4, 'f', 'r', true },
    { "bf16", "m16n8k32.row.col.f32.bf16.bf16.f32", 4, 4, 4, 'f', 'r', true },
    { "tf32", "m16n8k16.row.col.f32.tf32.tf32.f32", 4, 4, 4, 'f', 'r', true },
    { "i8", "m16n8k64.row.col.s32.s8.s8.s32", 4, 4, 4, 'r', 'r', true },
};

static int list(struct aisp_buf *to, const char *before, const char *form, int first, int n)
{
    aisp_buf_puts(to, before);
    for (int i = 0; i < n; i++) {
        aisp_buf_puts(to, i ? ", " : "");
        aisp_buf_printf(to, "%s%d", form, first + i);
    }
    return first + n;
}

static void write_kernel(struct aisp_buf *to, size_t nth, const struct mma *m)
{
    const char *type = m->d == 'f' ? "float" : m->d == 'd' ? "double" : "unsigned", *of = m->ab == 'd' ? "double" : "unsigned";
    int at;

    aisp_buf_printf(to, "extern \"C\" __global__ void k%zu(%s *o, const %s *p, unsigned e)\n{\n    %s d[4];\n", nth, type, of,
                    type);
    aisp_buf_printf(to, "    for (int i = 0; i < 4; i++)\n        d[i] = o[i];\n    asm volatile(\"mma%s.sync.aligned.%s ",
                    m->is_sparse ? ".sp::ordered_metadata" : "", m->instruction);
    at = list(to, "{", "%", 0, m->n_d);
    at = list(to, "}, {", "%", at, m->n_a);
    at = list(to, "}, {", "%", at, m->n_b);
    list(to, "}, {", "%", 0, m->n_d);
    aisp_buf_puts(to, "}");
    if (m->is_sparse)
        aisp_buf_printf(to, ", %%%d, 0x0", at);
    aisp_buf_puts(to, ";\"\n                 : ");
    for (int i = 0; i < m->n_d; i++)
        aisp_buf_printf(to, "%s\"+%c\"(d[%d])", i ? ", " : "", m->d, i);
    aisp_buf_puts(to, "\n                 : ");
    for (int i = 0; i < m->n_a + m->n_b; i++)
        aisp_buf_printf(to, "%s\"%c\"(p[threadIdx.x + %d])", i ? ", " : "", m->ab, i);
    if (m->is_sparse)
        aisp_buf_puts(to, ", \"r\"(e)");
    aisp_buf_puts(to, ");\n    for (int i = 0; i < 4; i++)\n        o[i] = d[i];\n}\n");
}

struct built {
    int n;
    bool is_met[32];
};

static void meet(void *to, const char *kernel, const struct cuda_code *code)
{
    struct built *b = to;
    const int i = *kernel == 'k' ? atoi(kernel + 1) : -1;

    if (i < 0 || i >= (int)(sizeof each / sizeof *each))
        fail_msg("%s", kernel);
    if (strcmp(code->math, each[i].name) || code->is_sparse != each[i].is_sparse)
        fail_msg("%s: read as %s%s", each[i].instruction, code->math, code->is_sparse ? ", sparse" : "");
    b->is_met[i] = true;
    b->n++;
}

static void what_nvcc_makes_of_each_mma_is_read(void **state)
{
    char folder[] = "/tmp/aisp-cubin-XXXXXX", *path, *command, image[1 << 18];
    struct aisp_buf source = AISP_BUF_INIT;
    struct built b = { 0 };
    size_t n;
    FILE *f;

    (void)state;
    if (!nvcc())
        skip();
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        write_kernel(&source, i, &each[i]);
    assert_non_null(mkdtemp(folder));
    path = aisp_format("%s/mma.cu", folder);
    f = fopen(path, "w");
    assert_non_null(f);
    fwrite(source.s, 1, source.len, f);
    fclose(f);
    command = aisp_format("cd %s && %s -w -cubin -gencode=arch=compute_80,code=sm_80 -o mma.cubin mma.cu", folder, nvcc());
    assert_int_equal(system(command), 0);
    free(command);
    free(path);
    path = aisp_format("%s/mma.cubin", folder);
    f = fopen(path, "r");
    assert_non_null(f);
    n = fread(image, 1, sizeof image, f);
    fclose(f);
    assert_true(cuda_cubin_read(image, n, meet, &b));
    assert_int_equal(b.n, sizeof each / sizeof *each);
    command = aisp_format("rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    free(command);
    free(path);
    aisp_buf_release(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_words_of_each_matrix_instruction_are_read),
        TEST(other_instructions_are_none),
        TEST(each_kernel_has_its_own_instructions),
        TEST(a_hash_tells_instructions_apart_and_not_names),
        TEST(a_hash_tells_apart_what_a_kernel_may_call),
        TEST(what_kernels_may_call_counts_for_all_of_them),
        TEST(the_devices_runtime_is_found_by_what_it_starts),
        TEST(no_image_that_is_cut_or_lies_is_walked_past_its_end),
        TEST(names_are_equal_whoever_reports_them),
        TEST(what_nvcc_makes_of_each_mma_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
