/* words.c - a typed line into words and back. */
#include <stdlib.h>
#include <string.h>

#include "doors/job.h"

void aisp_words_add(struct aisp_words *words, const char *word)
{
    *(char **)aisp_grow(&words->word, &words->n, &words->cap, sizeof *words->word) = aisp_xstrdup(word);
}

void aisp_words_add_all(struct aisp_words *words, const char *const *list)
{
    for (; *list; list++)
        aisp_words_add(words, *list);
}

void aisp_words_add_folders(struct aisp_words *words, const char *bench_root, const char *artifacts_dir)
{
    const char *const list[] = { "--bench-root", bench_root, "--artifacts-dir", artifacts_dir, NULL };

    aisp_words_add_all(words, list);
}

static bool gives(const struct aisp_words *words, size_t n_words, const char *option)
{
    const size_t n = strlen(option);

    for (size_t i = 0; i < n_words; i++)
        if (!strncmp(words->word[i], option, n) && (!words->word[i][n] || words->word[i][n] == '='))
            return true;
    return false;
}

void aisp_words_add_common(struct aisp_words *to, const struct aisp_words *from, const struct aisp_words *common)
{
    size_t n = 0;

    for (; n < from->n && strcmp(from->word[n], "--"); n++)
        aisp_words_add(to, from->word[n]);
    for (size_t i = 0; i + 1 < common->n; i += 2)
        if (!gives(from, n, common->word[i])) {
            aisp_words_add(to, common->word[i]);
            aisp_words_add(to, common->word[i + 1]);
        }
    for (; n < from->n; n++)
        aisp_words_add(to, from->word[n]);
}

void aisp_words_release(struct aisp_words *words)
{
    for (size_t i = 0; i < words->n; i++)
        free(words->word[i]);
    free(words->word);
    *words = (struct aisp_words)AISP_WORDS_INIT;
}

bool aisp_words_split(struct aisp_words *words, const char *line)
{
    struct aisp_buf word = AISP_BUF_INIT;
    bool has_word = false;
    char quote = 0;

    for (const char *c = line; ; c++) {
        if (quote && *c == quote) {
            quote = 0;
        } else if (!quote && (*c == '\'' || *c == '"')) {
            quote = *c;
            has_word = true;
        } else if (!*c || (!quote && *c == ' ')) {
            if (has_word)
                aisp_words_add(words, word.s ? word.s : "");
            aisp_buf_release(&word);
            has_word = false;
            if (!*c)
                break;
        } else {
            aisp_buf_add(&word, c, 1);
            has_word = true;
        }
    }
    return !quote;
}

/* Between single quotes all is itself; a single quote stands between double ones, with nothing beside it that a shell reads. */
static void add_quoted(const char *word, struct aisp_buf *out)
{
    const char *quote = strchr(word, '\'') && !strpbrk(word, "\"$`\\!") ? "\"" : "'";

    aisp_buf_puts(out, quote);
    for (; *word; word++)
        if (*word == *quote)
            aisp_buf_puts(out, "'\"'\"'");
        else
            aisp_buf_add(out, word, 1);
    aisp_buf_puts(out, quote);
}

void aisp_words_join(const struct aisp_words *words, struct aisp_buf *out)
{
    for (size_t i = 0; i < words->n; i++) {
        const char *w = words->word[i];

        aisp_buf_puts(out, i ? " " : "");
        if (*w && !strpbrk(w, " '\"*?[]$&;|<>()\\`\n\t"))
            aisp_buf_puts(out, w);
        else
            add_quoted(w, out);
    }
}
