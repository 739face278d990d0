/* hardware.c - the words of a model's name that tell parts apart, joined by dashes. */
#include "core/hardware.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/buf.h"
#include "core/base/hash.h"

/* What vendors write for lawyers, or because it is always so. */
static bool is_filler(const char *word)
{
    static const char *const filler[] = { "r", "tm", "c", "cpu", "processor", "core", "with", "graphics", "gen", "genuine" };
    const size_t n = strlen(word);

    for (size_t i = 0; i < sizeof filler / sizeof *filler; i++)
        if (!strcmp(word, filler[i]))
            return true;
    /* "12th": a generation, which the number says again. */
    return n > 2 && isdigit((unsigned char)word[0]) && (!strcmp(word + n - 2, "th") || !strcmp(word + n - 2, "rd"));
}

/* The next word of letters and digits in lower case; false at the end. "(R)" is the word "r". */
static bool next_word(const char **at, char *word, size_t size)
{
    size_t n = 0;

    while (**at && !isalnum((unsigned char)**at))
        (*at)++;
    for (; isalnum((unsigned char)**at); (*at)++)
        if (n < size - 1)
            word[n++] = (char)tolower((unsigned char)**at);
    word[n] = '\0';
    return n > 0;
}

static void add_word(struct aisp_buf *out, const char *word)
{
    aisp_buf_printf(out, "%s%s", out->len ? "-" : "", word);
}

/* Where what names the part ends: at the clock ("@ 2.70GHz"), at what an APU has beside its cores ("w/ Radeon"). */
static size_t part_length(const char *model)
{
    static const char *const end[] = { "@", " w/ ", " with " };
    size_t n = strlen(model);

    for (size_t i = 0; i < sizeof end / sizeof *end; i++) {
        const char *at = strstr(model, end[i]);

        if (at && (size_t)(at - model) < n)
            n = (size_t)(at - model);
    }
    return n;
}

/* Does the model have a number? One without names no part. */
static bool add_model(struct aisp_buf *out, const char *model)
{
    char part[128], word[64];
    bool has_number = false;

    snprintf(part, sizeof part, "%.*s", (int)part_length(model), model);
    for (const char *at = part; next_word(&at, word, sizeof word);) {
        /* "64-Core": how many there are is said later, as the kernel counts them. */
        const bool counts = strspn(word, "0123456789") == strlen(word) && !strncasecmp(at, "-core", 5);

        if (is_filler(word) || counts)
            continue;
        add_word(out, word);
        has_number |= strpbrk(word, "0123456789") != NULL;
    }
    return has_number;
}

static const char *vectors(const struct aisp_environment *env)
{
    static const char *const isa[][2] = {
        { "amx_tile", "amx" }, { "avx512f", "avx512" }, { "avx2", "avx2" }, { "sse4_2", "sse4" }
    };

    for (size_t i = 0; i < sizeof isa / sizeof *isa; i++)
        if (strstr(env->isa, isa[i][0]))
            return isa[i][1];
    return NULL;
}

/* In the room there is: cut behind a whole word, and told apart from others that begin alike. */
static void fit(const struct aisp_buf *text, char key[AISP_HARDWARE_MAX])
{
    char hex[65];
    int n = AISP_HARDWARE_MAX - 6;

    if (text->len < AISP_HARDWARE_MAX) {
        memcpy(key, text->s, text->len + 1);
        return;
    }
    aisp_hash_bytes(text->s, text->len, hex);
    while (n > 1 && text->s[n] != '-')
        n--;
    snprintf(key, AISP_HARDWARE_MAX, "%.*s-%.4s", n, text->s, hex);
}

void aisp_hardware_key(const struct aisp_environment *env, const char *card, char key[AISP_HARDWARE_MAX])
{
    struct aisp_buf out = AISP_BUF_INIT;
    size_t before;

    if (card && *card)
        add_model(&out, card);
    before = out.len;
    if (!add_model(&out, env->cpu_model)) {
        if (out.len == before)
            add_word(&out, "unknown");
        if (vectors(env))
            add_word(&out, vectors(env));
        if (env->l3_bytes > 0)
            aisp_buf_printf(&out, "-l3-%lldm", (long long)(env->l3_bytes >> 20));
    }
    if (env->n_cpus > 0)
        aisp_buf_printf(&out, "-%dc", env->n_cpus);
    if (env->virtual_machine)
        add_word(&out, "vm");
    fit(&out, key);
    aisp_buf_release(&out);
}
