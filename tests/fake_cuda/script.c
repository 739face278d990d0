/* script.c - what the text file beside the library says, and what it does to a call. */
#include "fake_cuda.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RULES = 64, MOST_CALLS = 96 };

enum kind { FAIL, FAIL_AFTER, HANG, KILL, SPIN, DELAY };

struct rule {
    enum kind kind;
    char call[48];
    long nth;
    int value; /* the error, or ms */
};

struct fake_machine fake_machine;
static struct rule rule[MOST_RULES];
static struct {
    const char *name;
    long n;
} count[MOST_CALLS];
static int n_rules, n_counts, lost;
static int trace = -1;
static pid_t initialized; /* a context does not survive a fork */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void set_defaults(void)
{
    static const struct {
        int key, value;
    } known[] = {
        { CU_ATTR_MAX_SHARED, 48 << 10 },
        { CU_ATTR_SMS, 4 },
        { CU_ATTR_MEMORY_KHZ, 1000000 },
        { CU_ATTR_BUS_BITS, 256 },
        { CU_ATTR_L2_BYTES, 1 << 20 },
        { CU_ATTR_MAJOR, 9 },
        { CU_ATTR_MINOR, 0 },
        { CU_ATTR_VMM, 1 },
        { CU_ATTR_VMM_FD, 1 },
    };

    memset(&fake_machine, 0, sizeof fake_machine);
    memset(fake_machine.attribute, -1, sizeof fake_machine.attribute);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        fake_machine.attribute[known[i].key] = known[i].value;
    snprintf(fake_machine.name, sizeof fake_machine.name, "Fake device");
    memcpy(fake_machine.uuid.bytes, "\xfa\xce\xfa\xce", 4);
    fake_machine.driver = 13000;
    fake_machine.n_devices = 1;
    fake_machine.memory_bytes = (size_t)4 << 30;
    n_rules = 0;
    n_counts = 0;
    lost = 0;
}

static bool read_uuid(const char *text)
{
    unsigned char *to = fake_machine.uuid.bytes;
    int n = 0;

    for (; *text; text++) {
        if (*text == '-')
            continue;
        if (!isxdigit((unsigned char)*text) || n == 32)
            return false;
        to[n / 2] = (unsigned char)(to[n / 2] << 4 |
                                    (isdigit((unsigned char)*text) ? *text - '0'
                                                                   : (*text | 32) - 'a' + 10));
        n++;
    }
    return n == 32;
}

static bool read_rule(const char *text)
{
    static const char *const name[] = { "fail", "fail_after", "hang", "kill", "spin", "delay" };
    struct rule r;
    char word[16];
    int n = sscanf(text, "%15s %47s %ld %d", word, r.call, &r.nth, &r.value);

    for (r.kind = FAIL; r.kind <= DELAY && strcmp(word, name[r.kind]); r.kind++)
        ;
    if (r.kind > DELAY || n < (r.kind == HANG || r.kind == KILL ? 3 : 4) || n_rules == MOST_RULES)
        return false;
    if (r.nth < (r.kind >= SPIN ? 0 : 1))
        return false;
    rule[n_rules++] = r;
    return true;
}

static bool read_line(const char *line, const char *path)
{
    char program[64];
    int at = 0, key, value;
    size_t mib;

    if (!*line || *line == '#')
        return true;
    if (sscanf(line, "in %63s %n", program, &at) == 1 && at)
        return strcmp(program, program_invocation_short_name) || read_line(line + at, path);
    if (!strncmp(line, "name ", 5)) {
        snprintf(fake_machine.name, sizeof fake_machine.name, "%s%s",
                 strncmp(line + 5, "Fake", 4) ? "Fake " : "", line + 5);
        return true;
    }
    if (!strncmp(line, "uuid ", 5))
        return read_uuid(line + 5);
    if (sscanf(line, "driver %d", &fake_machine.driver) == 1)
        return true;
    if (sscanf(line, "devices %d", &fake_machine.n_devices) == 1)
        return fake_machine.n_devices >= 0 && fake_machine.n_devices <= FAKE_MOST_DEVICES;
    if (sscanf(line, "memory_mib %zu", &mib) == 1) {
        fake_machine.memory_bytes = mib << 20;
        return true;
    }
    if (sscanf(line, "attribute %d %d", &key, &value) == 2) {
        if (key < 0 || key >= FAKE_ATTRIBUTES)
            return false;
        fake_machine.attribute[key] = value;
        return true;
    }
    if (sscanf(line, "later %d", &fake_machine.later_ms) == 1)
        return fake_machine.later_ms > 0 && fake_machine.later_ms < 1000;
    if (!strcmp(line, "trace")) {
        char to[4096];

        snprintf(to, sizeof to, "%s.trace", path);
        trace = open(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        return trace >= 0;
    }
    return read_rule(line);
}

int fake_script_read(void)
{
    char line[256], path[4096];
    Dl_info self;
    FILE *f;
    int error = CU_OK;

    pthread_mutex_lock(&lock);
    set_defaults();
    dladdr(&fake_machine, &self);
    snprintf(path, sizeof path, "%s.script", self.dli_fname);
    f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (!read_line(line, self.dli_fname)) {
            fprintf(stderr, "fake driver: %s: not understood: %s\n", path, line);
            error = CU_UNKNOWN;
        }
    }
    if (f)
        fclose(f);
    pthread_mutex_unlock(&lock);
    return error;
}

void fake_set_initialized(void)
{
    initialized = getpid();
}

/* How often `call`, a literal, was made, this time included. */
static long count_call(const char *call)
{
    int i = 0;

    while (i < n_counts && strcmp(count[i].name, call))
        i++;
    if (i == MOST_CALLS)
        abort();
    if (i == n_counts) {
        count[n_counts++].name = call;
        count[i].n = 0;
    }
    return ++count[i].n;
}

/* As a driver that waits with its eyes open: what passes is this thread's own CPU time. */
static void spin(int ms)
{
    struct timespec t, begin;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    while ((t.tv_sec - begin.tv_sec) * 1000000000L + t.tv_nsec - begin.tv_nsec < ms * 1000000L);
}

static void never_return(void)
{
    for (;;)
        pause();
}

/* What the script says of this call; the last of several rules for one call holds. */
int fake_begin(const char *call)
{
    struct timespec wait = { 0, 0 };
    bool is_hung = false;
    int error, spin_ms = 0;

    if (strcmp(call, "cuInit") && initialized != getpid())
        return CU_NOT_INITIALIZED;
    pthread_mutex_lock(&lock);
    if (trace >= 0)
        dprintf(trace, "%s %s\n", program_invocation_short_name, call);
    error = lost;
    if (!error) {
        const long nth = count_call(call);

        for (int i = 0; i < n_rules; i++) {
            const struct rule *r = &rule[i];

            if (strcmp(r->call, call) || (r->nth != nth && r->nth))
                continue;
            if (r->kind == FAIL)
                error = r->value;
            if (r->kind == FAIL_AFTER)
                lost = r->value;
            if (r->kind == KILL)
                raise(SIGKILL);
            if (r->kind == DELAY)
                wait = (struct timespec){ r->value / 1000, r->value % 1000 * 1000000L };
            if (r->kind == SPIN)
                spin_ms = r->value;
            is_hung |= r->kind == HANG;
        }
    }
    pthread_mutex_unlock(&lock);
    if (is_hung)
        never_return();
    if (wait.tv_sec || wait.tv_nsec)
        nanosleep(&wait, NULL);
    if (spin_ms)
        spin(spin_ms);
    return error;
}
