/* clock_drift - computes as the baseline does, and makes the worker's clock run at half speed by
 * replacing clock_gettime in the import table of the program that loaded it.
 *
 * @pairs 4
 * @defence CLOCKS_AGREE
 * @ratio 0.7 1.4
 * @says clocks disagree
 * @says The printed time is the supervisor's */
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

static int64_t begin_ns;

static int64_t to_ns(const struct timespec *t)
{
    return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

static int half_speed(clockid_t clock, struct timespec *t)
{
    const int failed = clock_gettime(clock, t);
    int64_t now_ns;

    if (failed || clock != CLOCK_MONOTONIC_RAW)
        return failed;
    now_ns = begin_ns + (to_ns(t) - begin_ns) / 2;
    t->tv_sec = now_ns / 1000000000;
    t->tv_nsec = now_ns % 1000000000;
    return 0;
}

/* What the table of an object is made of. */
struct imports {
    const ElfW(Rela) * rela;
    size_t bytes;
    const ElfW(Sym) * symbol;
    const char *names;
};

static void patch(uintptr_t base, const struct imports *in)
{
    for (size_t i = 0; in->rela && i < in->bytes / sizeof *in->rela; i++) {
        const ElfW(Rela) *r = &in->rela[i];
        uintptr_t *at = (uintptr_t *)(base + r->r_offset);
        void *page = (void *)((uintptr_t)at & ~(uintptr_t)4095);

        if (strcmp(in->names + in->symbol[ELF64_R_SYM(r->r_info)].st_name, "clock_gettime"))
            continue;
        mprotect(page, 8192, PROT_READ | PROT_WRITE);
        *at = (uintptr_t)half_speed;
    }
}

/* The first object is the program itself. */
static int replace(struct dl_phdr_info *info, size_t size, void *unused)
{
    struct imports plt = { 0 }, got = { 0 };

    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Dyn) * d;

        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        for (d = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr); d->d_tag; d++) {
            switch (d->d_tag) {
            case DT_JMPREL:
                plt.rela = (const void *)d->d_un.d_ptr;
                break;
            case DT_PLTRELSZ:
                plt.bytes = d->d_un.d_val;
                break;
            case DT_RELA:
                got.rela = (const void *)d->d_un.d_ptr;
                break;
            case DT_RELASZ:
                got.bytes = d->d_un.d_val;
                break;
            case DT_SYMTAB:
                plt.symbol = got.symbol = (const void *)d->d_un.d_ptr;
                break;
            case DT_STRTAB:
                plt.names = got.names = (const void *)d->d_un.d_ptr;
                break;
            }
        }
    }
    patch(info->dlpi_addr, &plt);
    patch(info->dlpi_addr, &got);
    return 1;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    struct timespec t;

    (void)s;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    begin_ns = to_ns(&t);
    dl_iterate_phdr(replace, NULL);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: a slower clock makes faster code");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
