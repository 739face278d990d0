/* smt.c - do two CPUs share a core? Claimed by the list of siblings, executed by work beside work: on a shared core each gets a
 * part of the core's rate, on cores of their own both get all of it. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/utils/probe/probe.h"
#include "core/base/buf.h"
#include "core/base/clock.h"

enum { SLICES = 5, LIMIT_S = 5 };
#define SLICE_NS INT64_C(12000000) /* longer than a turn of the scheduler */

static void pin(int cpu)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

/* Additions that do not depend on each other: as many a cycle as there are units, so that a neighbour's are missed. */
static void work(void)
{
    uint64_t a = 0, b = 0, c = 0, d = 0;

    for (int i = 0; i < 1000; i++)
        __asm__ volatile(".rept 8\n\t"
                         "add $1, %0\n\tadd $1, %1\n\tadd $1, %2\n\tadd $1, %3\n\t"
                         ".endr"
                         : "+r"(a), "+r"(b), "+r"(c), "+r"(d)
                         :
                         : "cc");
}

/* Turns a nanosecond, in the best slice: what else runs here only takes away. */
static double rate(void)
{
    double best = 0;

    for (int i = 0; i < SLICES; i++) {
        const int64_t start = aisp_now_ns();
        int64_t now = start;
        int turns = 0;

        for (; now - start < SLICE_NS; turns++) {
            work();
            now = aisp_now_ns();
        }
        if ((double)turns / (double)(now - start) > best)
            best = (double)turns / (double)(now - start);
    }
    return best;
}

double aisp_smt_share(int cpu, int other)
{
    cpu_set_t before;
    double alone, beside;
    pid_t pid;

    if (sched_getaffinity(0, sizeof before, &before))
        return 0;
    pin(cpu);
    alone = rate();
    pid = fork();
    if (!pid) {
        signal(SIGALRM, SIG_DFL);
        alarm(LIMIT_S);
        pin(other);
        for (;;)
            work();
    }
    beside = pid > 0 ? rate() : 0;
    if (pid > 0) {
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
    sched_setaffinity(0, sizeof before, &before);
    return alone > 0 ? beside / alone : 0;
}

/* The second CPU of a list such as "0,64" or "0-1"; -1: there is one only. */
static int second_of(const char *list)
{
    char *end;
    const long first = strtol(list, &end, 10);

    return *end == '-' ? (int)first + 1 : *end == ',' ? atoi(end + 1) : -1;
}

json_t *aisp_probe_smt(void)
{
    char siblings[64] = "", *path = NULL;
    int cpu = sched_getcpu(), other = -1;
    cpu_set_t allowed;
    FILE *f;

    path = aisp_format("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    f = fopen(path, "re");
    if (f && fgets(siblings, sizeof siblings, f)) {
        siblings[strcspn(siblings, "\n")] = '\0';
        other = second_of(siblings);
        if (other == cpu)
            other = atoi(siblings);
    }
    if (f)
        fclose(f);
    free(path);
    if (other >= 0 && (sched_getaffinity(0, sizeof allowed, &allowed) || !CPU_ISSET(other, &allowed)))
        other = -1;
    return json_pack("{s:i, s:s, s:o}", "cpu", cpu, "siblings", siblings, "share_beside_sibling",
                     other >= 0 ? json_real(aisp_smt_share(cpu, other)) : json_null());
}
