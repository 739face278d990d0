/* guide.c - aisp-guide: docs/guide/validity.md, made of the tables that the product is made of, so that it cannot say what is not
 * so. What only a person can say (what a protection cannot see) stands in docs/guide/validity.txt and is put where it belongs.
 *
 *   aisp-guide            print it
 *   aisp-guide --write    write it
 *   aisp-guide --check    fail if the file that stands there differs
 *
 * Not here: what a protection is (checks/), its fixtures (tests/cheats, tests/honest, tests/scripted). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/issues.h"
#include "checks/proof.h"
#include "core/base/buf.h"
#include "core/run/ranges.h"

enum {
    CODE_LINES = 10,
    SPARE_LINES = 2,
    LINE = 130
}; /* spare: rather than leave out the closing brace */

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "r");
    struct aisp_buf text = AISP_BUF_INIT;
    char part[4096];
    size_t n;

    while (f && (n = fread(part, 1, sizeof part, f)))
        aisp_buf_add(&text, part, n);
    if (f)
        fclose(f);
    return text.s ? aisp_buf_detach(&text) : NULL;
}

/* ---- prose: sections that begin with a line "@NAME" ---- */

static char *prose;

static void put_section(struct aisp_buf *out, const char *name)
{
    char *head = aisp_format("\n@%s\n", name), *at = strstr(prose, head), *end;

    if (at) {
        at += strlen(head);
        end = strstr(at, "\n@");
        aisp_buf_add(out, at, end ? (size_t)(end - at) : strlen(at));
        aisp_buf_puts(out, "\n");
    }
    free(head);
}

/* Every section has to be used: a number that is none is a mistake. */
static bool sections_are_known(void)
{
    bool good = true;

    for (const char *at = strstr(prose, "\n@"); at; at = strstr(at + 1, "\n@")) {
        const int n = atoi(at + 2);

        if (strncmp(at, "\n@intro\n", 8) && strncmp(at, "\n@limits\n", 9) &&
            (n < 1 || n > AISP_N_ISSUES)) {
            fprintf(stderr, "docs/guide/validity.txt: no section can be called \"%.12s\"\n",
                    at + 1);
            good = false;
        }
    }
    for (int i = 1; i <= AISP_N_ISSUES; i++) {
        char *head = aisp_format("\n@%d\n", i);

        if (!strstr(prose, head)) {
            fprintf(stderr, "docs/guide/validity.txt: nothing says what protection %d cannot see\n",
                    i);
            good = false;
        }
        free(head);
    }
    return good;
}

/* ---- a cheat in ten lines ---- */

/* Does the body do more than compute what is asked? */
static bool is_telling(const char *body, size_t n)
{
    char *text = aisp_format("%.*s", (int)n, body);
    const int lines = (int)n ? 1 : 0;
    bool telling = false;
    int statements = 0;

    for (const char *c = text; *c; c++)
        statements += *c == ';';
    telling = lines && (statements > 2 || !strstr(text, "honest(c, 0, c->param[N])"));
    free(text);
    return telling;
}

static void put_code(struct aisp_buf *out, const struct aisp_fixture *f)
{
    char *path = aisp_format(SOURCE "/tests/cheats/%s.c", f->name), *text = read_file(path), *at,
         *end;
    int lines = 0, most = CODE_LINES;

    at = text ? strstr(text, "\nstatic enum aisp_status run(") : NULL;
    end = at ? strstr(at, "\n}\n") : NULL;
    if (end && is_telling(at, (size_t)(end - at))) {
        for (const char *c = at + 1; c < end + 2; c++)
            lines += *c == '\n';
        most += lines <= CODE_LINES + SPARE_LINES ? SPARE_LINES : 0;
        lines = 0;
        aisp_buf_puts(out, "```c\n");
        for (at++; at < end + 2 && lines < most; lines++) {
            const size_t n = strcspn(at, "\n");

            aisp_buf_add(out, at, n + 1);
            at += n + 1;
        }
        aisp_buf_puts(out, at < end + 2 ? "    ...\n```\n\n" : "```\n\n");
    }
    free(text);
    free(path);
}

/* ---- a protection ---- */

/* Text with line breaks at LINE. */
static void put_wrapped(struct aisp_buf *out, const char *indent, const char *text)
{
    size_t used = strlen(indent);

    for (const char *at = text; *at;) {
        const size_t n = strcspn(at, " ");

        if (used + n + 1 > LINE) {
            aisp_buf_printf(out, "\n%s", indent);
            used = strlen(indent);
        } else if (at != text) {
            aisp_buf_puts(out, " ");
            used++;
        }
        aisp_buf_add(out, at, n);
        used += n;
        at += n + (at[n] == ' ');
    }
    aisp_buf_puts(out, "\n");
}

static void put_fixtures(struct aisp_buf *out, const struct aisp_check *check)
{
    for (const struct aisp_fixture *f = aisp_fixtures; f->name; f++) {
        static const char *const words[] = { "cheat", "honest twin",
                                             "cheat and twin on a played device", "",
                                             "cheat on a card", "honest twin on a card" };
        char *line, *id;

        if (strcmp(f->check, check->name) || f->kind == AISP_FIXTURE_SCRIPTED_TWIN)
            continue;
        id = aisp_fixture_id(f);
        line =
            aisp_format("  - %s `%s`%s%s%s%s%s", words[f->kind], id, *f->what ? ": " : "", f->what,
                        *f->switches ? " Caught by: " : "", f->switches, *f->switches ? "." : "");
        put_wrapped(out, "    ", line);
        free(line);
        free(id);
    }
}

static void put_check(struct aisp_buf *out, const struct aisp_check *check)
{
    static const char *const severities[] = { "only noted", "makes the grade development",
                                              "withholds the result" };
    const char *why;
    const enum aisp_proof proof = aisp_proof_of(check, &why);
    char *line = aisp_format(
        "- `%s` (%s%s%s; needs: %s; %s): %s.%s%s%s", check->name, aisp_proof_name(proof),
        *why ? ", " : "", why, check->needs, severities[check->severity], check->title,
        *check->incident ? " Answers: " : "", check->incident, *check->incident ? "." : "");

    put_wrapped(out, "  ", line);
    put_fixtures(out, check);
    free(line);
}

static void put_issue(struct aisp_buf *out, int number)
{
    const struct aisp_issue *issue = aisp_issue(number);
    const struct aisp_fixture *shown = NULL;
    const char *why;
    const enum aisp_proof proof = aisp_proof_of_issue(number, &why);
    const size_t before = out->len;

    aisp_buf_printf(out, "### %d. %c%s\n\n**%s**%s%s\n\n", number, issue->name[0] & ~32,
                    issue->name + 1, aisp_proof_name(proof), *why ? ": " : "", why);
    AISP_FOR_EACH(aisp_checks, struct aisp_check, check)
        if (check->issue == number)
            put_check(out, check);
    aisp_buf_puts(out, "\n");
    for (const struct aisp_fixture *f = aisp_fixtures; f->name && !shown; f++)
        AISP_FOR_EACH(aisp_checks, struct aisp_check, check)
            if (check->issue == number && f->kind == AISP_FIXTURE_CHEAT &&
                !strcmp(f->check, check->name))
                shown = f;
    if (shown)
        put_code(out, shown);
    char name[8];
    snprintf(name, sizeof name, "%d", number);
    put_section(out, name);
    if (out->len > before && out->s[out->len - 1] != '\n')
        aisp_buf_puts(out, "\n");
}

/* ---- limits ---- */

static void put_percent(struct aisp_buf *out, double p)
{
    aisp_buf_printf(out, p < 1e-6 ? " %.0e |" : p < 0.001 ? " %.2g |" : " %.3f |", p);
}

/* How likely it is that a wrong row, or k of them, is never looked at. */
static void put_sampling(struct aisp_buf *out)
{
    static const struct {
        int64_t rows, n, k;
    } cases[] = {
        { 1000, 1, 1 },    { 1000, 10, 1 },    { 1000, 10, 10 },     { 1000, 100, 1 },
        { 1000, 100, 10 }, { 100000, 100, 1 }, { 100000, 100, 100 }, { 100000, 1000, 100 },
    };
    static const int looks[] = { 1, 24, 120 };

    aisp_buf_puts(
        out,
        "| rows | compared a look | wrong rows | missed by 1 look | by 24 looks | by 120 looks |\n"
        "|--:|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double one = pow(aisp_ranges_miss(cases[i].rows, cases[i].n), (double)cases[i].k);

        aisp_buf_printf(out, "| %lld | %lld | %lld |", (long long)cases[i].rows,
                        (long long)cases[i].n, (long long)cases[i].k);
        for (size_t l = 0; l < sizeof looks / sizeof *looks; l++)
            put_percent(out, pow(one, looks[l]));
        aisp_buf_puts(out, "\n");
    }
    aisp_buf_puts(out, "\n");
}

static void put_counts(struct aisp_buf *out)
{
    int n[AISP_N_PROOFS] = { 0 };

    for (int i = 1; i <= AISP_N_ISSUES; i++)
        n[aisp_proof_of_issue(i, NULL)]++;
    aisp_buf_printf(out,
                    "Of the %d protections: proven %d, logic proven with a played device only %d, "
                    "unproven %d.\n\n",
                    AISP_N_ISSUES, n[AISP_PROVEN], n[AISP_LOGIC_ONLY], n[AISP_UNPROVEN]);
}

static void make(struct aisp_buf *out)
{
    const char *family = "";

    aisp_buf_puts(out, "# Validity\n\n<!-- Made by aisp-guide of the tables and of validity.txt: "
                       "change those. -->\n\n");
    put_section(out, "intro");
    aisp_buf_puts(out, "\n");
    put_counts(out);
    for (int i = 1; i <= AISP_N_ISSUES; i++) {
        if (strcmp(family, aisp_issue(i)->family)) {
            family = aisp_issue(i)->family;
            aisp_buf_printf(out, "## %c%s\n\n", family[0] & ~32, family + 1);
        }
        put_issue(out, i);
    }
    aisp_buf_puts(out, "## Limits\n\n");
    put_section(out, "limits");
    aisp_buf_puts(out, "\n");
    put_sampling(out);
}

static int check(const struct aisp_buf *made, const char *path)
{
    char *there = read_file(path);
    const bool same = there && !strcmp(there, made->s);

    if (!same)
        printf("docs/guide/validity.md is not what the tables say: run aisp-guide --write\n");
    free(there);
    return same ? 0 : 1;
}

static int write_file(const struct aisp_buf *made, const char *path)
{
    FILE *f = fopen(path, "w");
    const bool good = f && fwrite(made->s, 1, made->len, f) == made->len;

    if (f && fclose(f))
        return 1;
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const char path[] = SOURCE "/docs/guide/validity.md";
    struct aisp_buf made = AISP_BUF_INIT;
    int code = 0;

    prose = read_file(SOURCE "/docs/guide/validity.txt");
    if (!prose || !sections_are_known())
        return 1;
    make(&made);
    if (argc == 2 && !strcmp(argv[1], "--check"))
        code = check(&made, path);
    else if (argc == 2 && !strcmp(argv[1], "--write"))
        code = write_file(&made, path);
    else
        fwrite(made.s, 1, made.len, stdout);
    aisp_buf_release(&made);
    free(prose);
    return code;
}
