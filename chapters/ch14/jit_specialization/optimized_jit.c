/* optimized_jit - setup writes the instructions for the shape at hand: no loop but the one over elements, every address a
 * constant, tiles of rows cut as evenly as they go.
 * Expected: what counts and tests falls away, and a loop end that is missed for each tile; 23 rows go as tiles of 5, 5, 5,
 * 4, 4. Where a bucket fits little is left: 966 products take 483 cycles at two a cycle, the bucket some 600; 1.05 to
 * 1.15x. Where none does (three vectors of columns) it is the 3x that a bucket would have given. Writing takes about as
 * long as one call; a compiler would take thousands of calls, and then a cache of its results on the disk, by shape, is
 * worth its trouble.
 * Costs: an assembler of nine instructions; 10 KiB of code for one shape. Other shapes than that of setup, and those whose
 * code would be too long, take the generic code. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tile.h"

/* Registers by number. ymm0 to ymm9 are sums, then the vectors of u, and an element of d. */
enum { RDX = 2, RSI = 6, RDI = 7, YMM_U = 10, YMM_D = 13 };
enum { ROOM = 1 << 16 };

/* Code under way; `n` goes on where there is no room, so that the end shows it. */
struct code {
    unsigned char *at;
    size_t n;
};

struct kernel {
    struct shape shape;
    unsigned char *code;
    void (*run)(const float *d, const float *u, float *y, int64_t elements);
};

static void put(struct code *c, unsigned byte)
{
    if (c->n < ROOM)
        c->at[c->n] = (unsigned char)byte;
    c->n++;
}

static void put32(struct code *c, int64_t value)
{
    for (int i = 0; i < 4; i++)
        put(c, (unsigned)(value >> 8 * i) & 255);
}

/* An AVX instruction on ymm: map 1 is 0f, 2 is 0f38; prefix 0 is none, 1 is 66. `upper` is the number of a register in the
 * last operand. */
static void vex(struct code *c, int map, int prefix, int reg, int second, int upper, int opcode)
{
    put(c, 0xc4);
    put(c, (unsigned)((reg < 8) << 7 | 1 << 6 | (upper < 8) << 5 | map));
    put(c, (unsigned)((~second & 15) << 3 | 1 << 2 | prefix));
    put(c, (unsigned)opcode);
}

static void vex_memory(struct code *c, int map, int prefix, int reg, int second, int opcode, int base, int64_t offset)
{
    const int is_short = offset >= -128 && offset < 128;

    vex(c, map, prefix, reg, second, 0, opcode);
    put(c, (unsigned)((is_short ? 0x40 : 0x80) | (reg & 7) << 3 | base));
    if (is_short)
        put(c, (unsigned)offset & 255);
    else
        put32(c, offset);
}

static void vex_register(struct code *c, int map, int prefix, int reg, int second, int third, int opcode)
{
    vex(c, map, prefix, reg, second, third, opcode);
    put(c, (unsigned)(0xc0 | (reg & 7) << 3 | (third & 7)));
}

/* A vector of columns to or from where base points: the last one ends with the row. */
static void move(struct code *c, const struct shape *s, int reg, int base, int64_t row, int64_t col, int is_store)
{
    const int64_t last = s->cols - LANES, offset = 4 * (row * s->cols + (col < last ? col : last));

    vex_memory(c, 1, 0, reg, 0, is_store ? 0x11 : 0x10, base, offset); /* vmovups */
}

/* Rows [row, row + rows) and `vectors` vectors from column `col` on. */
static void put_tile(struct code *c, const struct shape *s, int64_t row, int rows, int64_t col, int vectors)
{
    for (int64_t k = 0; k < s->depth; k++) {
        for (int v = 0; v < vectors; v++)
            move(c, s, YMM_U + v, RSI, k, col + v * LANES, 0);
        for (int r = 0; r < rows; r++) {
            vex_memory(c, 2, 1, YMM_D, 0, 0x18, RDI, 4 * ((row + r) * s->depth + k)); /* vbroadcastss */
            for (int v = 0; v < vectors; v++) {
                if (k == 0)
                    vex_register(c, 1, 0, r * vectors + v, YMM_D, YMM_U + v, 0x59); /* vmulps */
                else
                    vex_register(c, 2, 1, r * vectors + v, YMM_D, YMM_U + v, 0xb8); /* vfmadd231ps */
            }
        }
    }
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < vectors; v++)
            move(c, s, r * vectors + v, RDX, row + r, col + v * LANES, 1);
}

/* add base, bytes */
static void put_advance(struct code *c, int base, int64_t bytes)
{
    put(c, 0x48);
    put(c, 0x81);
    put(c, 0xc0u | (unsigned)base);
    put32(c, bytes);
}

/* Two vectors of columns at a time, and rows in as few tiles as there must be, of even size. */
static void put_element(struct code *c, const struct shape *s)
{
    for (int64_t col = 0; col < s->cols; col += TILE_VECTORS * LANES) {
        const int vectors = col + LANES < s->cols ? 2 : 1;
        const int64_t tiles = (s->rows + TILE_ROWS - 1) / TILE_ROWS;

        for (int64_t t = 0; t < tiles && c->n < ROOM; t++) {
            const int64_t row = s->rows * t / tiles, end = s->rows * (t + 1) / tiles;

            put_tile(c, s, row, (int)(end - row), col, vectors);
        }
    }
}

/* (d in rdi, u in rsi, y in rdx, elements in rcx). Returns the bytes of code, 0 if there is no room for it. */
static size_t put_kernel(unsigned char *at, const struct shape *s)
{
    struct code c = { at, 0 };

    put_element(&c, s);
    put_advance(&c, RSI, 4 * s->depth * s->cols);
    put_advance(&c, RDX, 4 * s->rows * s->cols);
    put(&c, 0x48); /* dec rcx */
    put(&c, 0xff);
    put(&c, 0xc9);
    put(&c, 0x0f); /* jnz to the first one */
    put(&c, 0x85);
    put32(&c, -(int64_t)(c.n + 4));
    put(&c, 0xc5); /* vzeroupper */
    put(&c, 0xf8);
    put(&c, 0x77);
    put(&c, 0xc3); /* ret */
    return c.n <= ROOM ? c.n : 0;
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    struct kernel *k = calloc(1, sizeof *k);

    *setup->state = k;
    if (!k)
        return AISP_E_NO_MEMORY;
    k->shape = shape_of(setup->param);
    k->code = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (k->code == MAP_FAILED) {
        k->code = NULL;
        return AISP_E_NO_MEMORY;
    }
    if (has_lanes(&k->shape) && put_kernel(k->code, &k->shape) && !mprotect(k->code, ROOM, PROT_READ | PROT_EXEC))
        memcpy(&k->run, &k->code, sizeof k->run);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct shape s = shape_of(call->param);
    const struct kernel *k = call->state;
    const struct shape *is = &k->shape;

    if (k->run && s.elements > 0 && s.rows == is->rows && s.depth == is->depth && s.cols == is->cols)
        k->run(call->tensor[D], call->tensor[U], call->tensor[Y], s.elements);
    else
        elements_any(&s, call->tensor[D], call->tensor[U], call->tensor[Y]);
    return AISP_OK;
}

static void teardown(void *state)
{
    struct kernel *k = state;

    if (k && k->code)
        munmap(k->code, ROOM);
    free(k);
}

AISP_DECLARE("idea: instructions for one shape, written when it is known\n"
             "expect: branches / 20 of buckets\n"
             "uses: jit, allocates");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run, .teardown = teardown };
