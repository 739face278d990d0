/* isa.c - which instructions this CPU has: claimed by cpuid and the system, and executed.
 * Not here: the instructions (isa_scalar.c, isa_vector.c).
 * Why in a child: what is not there ends in SIGILL, and a handler that jumps out of it would hide how it died. */
#include <cpuid.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/utils/probe/probe.h"
#include "core/base/buf.h"

enum { LIMIT_S = 2 };

static _Noreturn void run_and_leave(bool (*run)(void))
{
    static const int deadly[] = { SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGALRM };
    const struct rlimit none = { 0, 0 };

    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        signal(deadly[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0);
    alarm(LIMIT_S);
    _exit(run() ? 0 : 1);
}

enum aisp_outcome aisp_isa_execute(bool (*run)(void))
{
    const pid_t pid = fork();
    int status;

    if (pid < 0)
        return AISP_NOT_RUN;
    if (!pid)
        run_and_leave(run);
    if (waitpid(pid, &status, 0) != pid)
        return AISP_NOT_RUN;
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGILL ? AISP_RAN_ILLEGAL : AISP_RAN_SIGNAL;
    return WEXITSTATUS(status) ? AISP_RAN_WRONG : AISP_RAN_RIGHT;
}

/* What the system saves of registers, so what it lets programs use. */
static uint64_t xcr0(void)
{
    unsigned a, b, c, d, low, high;

    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 27 & 1))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static bool is_claimed(const struct aisp_isa_row *row)
{
    unsigned r[4];

    if (!__get_cpuid_count(row->leaf, row->subleaf, &r[0], &r[1], &r[2], &r[3]))
        return false;
    return (r[row->reg] >> row->bit & 1) && (xcr0() & row->xcr0) == row->xcr0;
}

/* The line of flags, with a space before and behind each; caller frees. */
static char *proc_flags(void)
{
    FILE *f = fopen("/proc/cpuinfo", "re");
    struct aisp_buf flags = AISP_BUF_INIT;
    char line[8192];

    aisp_buf_puts(&flags, " ");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, "flags", 5) && strchr(line, ':')) {
            line[strcspn(line, "\n")] = '\0';
            aisp_buf_printf(&flags, "%s ", strchr(line, ':') + 1);
            break;
        }
    if (f)
        fclose(f);
    return aisp_buf_detach(&flags);
}

static void add(json_t *rows, const struct aisp_isa_row *row, const char *flags)
{
    static const char *const words[] = { "right", "wrong result", "illegal instruction", "killed by a signal", "not run" };
    const enum aisp_outcome outcome = aisp_isa_execute(row->run);
    const bool claimed = is_claimed(row);
    char *word = aisp_format(" %s ", row->proc);

    json_array_append_new(
        rows, json_pack("{s:s, s:b, s:b, s:s, s:o}", "name", row->name, "cpuid", claimed, "proc", strstr(flags, word) != NULL,
                        "executed", words[outcome], "agrees",
                        outcome == AISP_NOT_RUN ? json_null() : json_boolean(claimed == (outcome == AISP_RAN_RIGHT))));
    free(word);
}

json_t *aisp_probe_isa(void)
{
    json_t *rows = json_array();
    char *flags = proc_flags();

    for (const struct aisp_isa_row *row = aisp_isa_scalar; row->name; row++)
        add(rows, row, flags);
    for (const struct aisp_isa_row *row = aisp_isa_vector; row->name; row++)
        add(rows, row, flags);
    free(flags);
    return rows;
}
