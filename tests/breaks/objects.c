/* objects.c - a break as an object: the source with one edit, compiled with the flags of the build (cmake/targets.cmake), less
 * warnings: an unused variable is no reason to let a break off. */
#include "tests/breaks/breaks.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_WORDS = 96, COMPILE_LIMIT_S = 120 };

/* Counters as one thread would write them, where a break takes the atomic away. */
static const char *const racy[] = {
    "-Dbroken_fetch_add(p,v,o)=((*(volatile __typeof__(*(p))*)(p)+=(v))-(v))",
    "-Dbroken_add_fetch(p,v,o)=(*(volatile __typeof__(*(p))*)(p)+=(v))",
    "-Dbroken_sub_fetch(p,v,o)=(*(volatile __typeof__(*(p))*)(p)-=(v))",
    "-Dbroken_load(p,o)=(*(p))",
    "-Dbroken_test(p,o)=(*(volatile char*)(p)?1:(*(volatile char*)(p)=1,0))",
};

struct words { const char *word[MOST_WORDS]; int n; char *kept[MOST_WORDS]; int n_kept; };

static void put(struct words *words, const char *word)
{
    if (words->n + 1 == MOST_WORDS)
        AISP_BUG("more than %d words for the compiler", MOST_WORDS);
    words->word[words->n++] = word;
    words->word[words->n] = NULL;
}

static const char *keep(struct words *words, char *text)
{
    words->kept[words->n_kept++] = text;
    return text;
}

/* "a b c": each a word. */
static void put_all(struct words *words, const char *text)
{
    char *copy = (char *)keep(words, aisp_xstrdup(text)), *rest = NULL;

    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        put(words, word);
}

/* BREAKS_PEERS is "openblas=/usr/lib/libopenblas.so,onednn=...,". */
static void put_library(struct words *words, const char *variant)
{
    const char *at = BREAKS_PEERS;
    char name[40] = "";
    size_t n;

    if (sscanf(variant, "peer_%30[a-z0-9]", name) != 1)
        return;
    strcat(name, "=");
    n = strlen(name);
    for (; *at; at += strcspn(at, ","), at += *at == ',') {
        const int length = (int)strcspn(at + n, ",");

        if (!strncmp(at, name, n))
            put(words, keep(words, aisp_format(*(at + n) == '/' ? "%.*s" : "-l%.*s", length, at + n)));
    }
}

static void put_assembly(struct words *words, const struct job *job, const char *variant)
{
    char *pattern = aisp_format("%s/%s*.S", job->source, variant);
    glob_t found;

    if (!glob(pattern, 0, NULL, &found)) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            put(words, keep(words, aisp_xstrdup(found.gl_pathv[i])));
        globfree(&found);
    }
    free(pattern);
}

static bool write_source(const char *path, const struct tokens *tokens, const struct edit *edit)
{
    FILE *file = fopen(path, "w");

    if (!file)
        return false;
    fprintf(file, "%.*s%s%s", (int)edit->at, tokens->source, edit->with, tokens->source + edit->at + edit->n);
    return fclose(file) == 0;
}

char *object_path(const struct job *job, int number)
{
    return aisp_format("%s/plain/optimized_b%03d.so", job->folder, number);
}

bool object_make(const struct job *job, const struct tokens *tokens, const struct attempt *attempt)
{
    const char *variant = job->target->variant[attempt->variant].name;
    char *source = aisp_format("%s/b%03d.c", job->folder, attempt->number), *object = object_path(job, attempt->number);
    struct words words = { .n = 0 };
    struct program_result result = { .exit_code = -1 };

    put(&words, BREAKS_CC);
    put_all(&words, BREAKS_FLAGS);
    put_all(&words, "-w -std=gnu11 -D_GNU_SOURCE -fPIC -shared -iquote");
    put(&words, job->source);
    put(&words, "-I");
    put(&words, keep(&words, aisp_format("%s/view/variant", job->settings->build)));
    for (size_t i = 0; i < sizeof racy / sizeof *racy; i++)
        put(&words, racy[i]);
    put(&words, "-o");
    put(&words, object);
    put(&words, source);
    put_assembly(&words, job, variant);
    put(&words, "-lm");
    put_library(&words, variant);
    if (write_source(source, tokens, &attempt->edit))
        program_run(words.word, COMPILE_LIMIT_S, &result);
    free(result.out);
    for (int i = 0; i < words.n_kept; i++)
        free(words.kept[i]);
    unlink(source);
    free(source);
    free(object);
    return result.exit_code == 0;
}

void object_copy(const char *from, const char *folder, const char *name)
{
    char *to = aisp_format("%s/%s", folder, name);
    struct program_result result;

    mkdir(folder, 0700);
    program_run((const char *const[]){ "cp", "--", from, to, NULL }, 60, &result);
    if (result.exit_code)
        AISP_BUG("no copy %s", to);
    free(result.out);
    free(to);
}
