/* sanitizer.c - start compute-sanitizer over aisp-plain, and read what it prints. */
#include "commands/sanitizer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "commands/place.h"
#include "core/base/clock.h"

extern char **environ;

const char *const aisp_sanitizer_tools[] = { "memcheck", "racecheck", "initcheck", NULL };

static const char MARK[] = "=========", HOST_READ[] = "Host API memory access error";
enum { LIMIT_S = 120 };

static const char *state_name(enum aisp_sanitized state)
{
    static const char *const names[AISP_N_SANITIZED] = { "clean", "warnings", "errors", "not judged" };

    return names[state];
}

/* ---- what was printed ---- */

/* The words behind a line's "========= ", or NULL. */
static const char *words_of(const char *line)
{
    if (strncmp(line, MARK, sizeof MARK - 1) != 0)
        return NULL;
    line += sizeof MARK - 1;
    return line + strspn(line, " ");
}

/* "ERROR SUMMARY: 3 errors", "RACECHECK SUMMARY: 4 hazards displayed (3 errors, 1 warning)". The last line is the one that counts. */
static bool read_summary(const char *words, struct aisp_sanitizer_cell *cell)
{
    const char *in_brackets = strchr(words, '('), *comma;

    if (sscanf(words, "ERROR SUMMARY: %" SCNd64 " error", &cell->errors) == 1) {
        cell->warnings = 0;
        return true;
    }
    if (strncmp(words, "RACECHECK SUMMARY:", 18) != 0 || !in_brackets || !(comma = strchr(in_brackets, ',')))
        return false;
    return sscanf(in_brackets, "(%" SCNd64 " error", &cell->errors) == 1 && sscanf(comma, ", %" SCNd64 " warning", &cell->warnings) == 1;
}

/* The first line that is neither its name nor a summary, which is what it complains of. */
static void read_complaint(const char *words, struct aisp_sanitizer_cell *cell)
{
    char line[sizeof cell->why];

    snprintf(line, sizeof line, "%.*s", (int)strcspn(words, "\n"), words);
    if (!cell->why[0] && line[0] && strcmp(line, "COMPUTE-SANITIZER") != 0 && !strstr(line, " SUMMARY:"))
        memcpy(cell->why, line, sizeof line);
}

/* Complaints begin one space behind the mark, what belongs to them further in. Is this one, of anything but the host's reading? */
static bool complains_of_code(const char *line)
{
    const char *words = words_of(line);

    if (!words || words != line + sizeof MARK || !strncmp(words, "COMPUTE-SANITIZER", 17))
        return false;
    return strncmp(words, HOST_READ, sizeof HOST_READ - 1) != 0 && !memmem(words, strcspn(words, "\n"), " SUMMARY:", 9);
}

/* initcheck does not see what bulk copies (TMA) write: it complains of the host's read of an output that is right. */
static void excuse_unseen_writes(bool is_right, bool is_of_code, struct aisp_sanitizer_cell *cell)
{
    if (cell->state != AISP_SANITIZED_ERRORS || !is_right || is_of_code || strncmp(cell->why, HOST_READ, sizeof HOST_READ - 1) != 0)
        return;
    cell->state = AISP_SANITIZED_NOT_JUDGED;
    snprintf(cell->why, sizeof cell->why,
             "it complains of nothing but the host's read of an output that is right: it does not see what bulk copies write");
}

/* aisp-plain's own row: did the variant run to its end? */
static bool read_row(const char *line, char wrong[256])
{
    char *one = aisp_format("%.*s", (int)strcspn(line, "\n"), line);
    json_t *rows = json_loads(one, 0, NULL);
    const json_t *row = json_array_get(rows, 0);
    const char *result = json_string_value(json_object_get(row, "result")), *kind;
    const char *why = json_string_value(json_object_get(row, "why"));
    const bool is_over = result && (!strcmp(result, "right") || !strcmp(result, "WRONG"));

    kind = json_string_value(json_object_get(json_object_get(row, "wrong"), "kind"));
    if (result && !strcmp(result, "WRONG"))
        snprintf(wrong, 256, "its output was wrong: %.200s", kind ? kind : why ? why : "");
    else if (result && !is_over)
        snprintf(wrong, 256, "%.250s", why ? why : result);
    json_decref(rows);
    free(one);
    return is_over;
}

void aisp_sanitizer_read(const char *printed, struct aisp_sanitizer_cell *cell)
{
    bool is_over = false, has_summary = false, is_of_code = false;
    char row[256] = "";

    *cell = (struct aisp_sanitizer_cell){ .state = AISP_SANITIZED_NOT_JUDGED };
    for (const char *line = printed; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *words = words_of(line);

        if (words) {
            has_summary |= read_summary(words, cell);
            read_complaint(words, cell);
            is_of_code |= complains_of_code(line);
        } else if (line[0] == '[' && line[1] == '{') {
            is_over = read_row(line, row);
        }
    }
    if (!has_summary || (!is_over && !cell->errors)) {
        if (row[0] && !is_over)
            memcpy(cell->why, row, sizeof row);
        else if (!cell->why[0])
            snprintf(cell->why, sizeof cell->why, has_summary ? "aisp-plain said nothing" : "the tool printed no summary");
        return;
    }
    cell->state = cell->errors ? AISP_SANITIZED_ERRORS : cell->warnings ? AISP_SANITIZED_WARNINGS : AISP_SANITIZED_CLEAN;
    excuse_unseen_writes(is_over && !row[0], is_of_code, cell);
    if (row[0] && cell->state == AISP_SANITIZED_CLEAN)
        memcpy(cell->why, row, sizeof row);
    else if (cell->state == AISP_SANITIZED_CLEAN)
        cell->why[0] = '\0';
}

/* ---- running it ---- */

/* Caller frees; NULL: not here. Where the toolkit is unpacked without its folder in the path, it is found too. */
static char *find_tool(void)
{
    static const char *const fixed[] = { "/usr/local/cuda/bin", "/usr/local/cuda/compute-sanitizer" };
    const char *path = getenv("PATH");
    char *found;

    for (const char *at = path ? path : ""; *at; at += strcspn(at, ":"), at += *at == ':') {
        found = aisp_format("%.*s/compute-sanitizer", (int)strcspn(at, ":"), at);
        if (!access(found, X_OK))
            return found;
        free(found);
    }
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        found = aisp_format("%s/compute-sanitizer", fixed[i]);
        if (!access(found, X_OK))
            return found;
        free(found);
    }
    return NULL;
}

static bool wants_stop(const struct aisp_request *request)
{
    return request->console && request->console->stop && *request->console->stop;
}

/* Waits for the child, which leads a group of its own; false: it was ended, for time or because the user wants to stop. */
static bool wait_for(const struct aisp_request *request, pid_t pid, int *status)
{
    const struct timespec moment = { 0, 20000000 };
    const int64_t until = aisp_now_ns() + (int64_t)LIMIT_S * 1000000000;

    for (;;) {
        const pid_t done = waitpid(pid, status, WNOHANG);

        if (done == pid)
            return true;
        if ((done < 0 && errno != EINTR) || aisp_now_ns() > until || wants_stop(request))
            break;
        nanosleep(&moment, NULL);
    }
    kill(-pid, SIGKILL);
    waitpid(pid, status, 0);
    return false;
}

static void take_printed(int fd, struct aisp_buf *printed)
{
    char part[4096];
    ssize_t n;

    lseek(fd, 0, SEEK_SET);
    while ((n = read(fd, part, sizeof part)) > 0)
        aisp_buf_add(printed, part, (size_t)n);
    aisp_buf_puts(printed, "");
}

/* Both outputs of a command into *printed. */
static enum aisp_status run_command(const struct aisp_request *request, const char *const *argv, struct aisp_sanitizer_cell *cell)
{
    struct aisp_buf printed = AISP_BUF_INIT;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    FILE *f = tmpfile();
    int status = 0, error;
    pid_t pid;

    if (!f)
        return aisp_fail_errno(request->err, AISP_E_IO, "cannot make a temporary file");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(f), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(f), STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    error = posix_spawn(&pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    *cell = (struct aisp_sanitizer_cell){ .state = AISP_SANITIZED_NOT_JUDGED };
    if (error) {
        snprintf(cell->why, sizeof cell->why, "%.150s: %s", argv[0], strerror(error));
    } else if (!wait_for(request, pid, &status)) {
        snprintf(cell->why, sizeof cell->why, "took more than %d s", LIMIT_S);
    } else {
        take_printed(fileno(f), &printed);
        aisp_sanitizer_read(printed.s, cell);
    }
    fclose(f);
    aisp_buf_release(&printed);
    return wants_stop(request) ? aisp_fail(request->err, AISP_E_INTERRUPTED, "stopped") : AISP_OK;
}

/* initcheck has to find memory as the allocator gave it: poison is an initialisation. */
static enum aisp_status run_tool(const struct aisp_request *request, const char *sanitizer, const char *tool, const char *folder,
                                 const char *variant, struct aisp_sanitizer_cell *cell)
{
    char *plain = aisp_place_beside("aisp-plain");
    const char *argv[] = { sanitizer, "--tool", tool, plain, folder, variant, "--here", "--json", NULL, NULL };
    enum aisp_status st = AISP_OK;

    if (!strcmp(tool, "initcheck"))
        argv[8] = "--no-poison";
    if (access(plain, X_OK)) {
        *cell = (struct aisp_sanitizer_cell){ .state = AISP_SANITIZED_NOT_JUDGED };
        snprintf(cell->why, sizeof cell->why, "aisp-plain is not beside this program");
    } else {
        st = run_command(request, argv, cell);
    }
    free(plain);
    return st;
}

static json_t *cell_json(const char *tool, const struct aisp_sanitizer_cell *cell)
{
    return json_pack("{s:s, s:s, s:I, s:I, s:s}", "tool", tool, "state", state_name(cell->state), "errors",
                     (json_int_t)cell->errors, "warnings", (json_int_t)cell->warnings, "why", cell->why);
}

static enum aisp_status run_variant(const struct aisp_request *request, const struct aisp_target *target,
                                    const struct aisp_variant_ref *variant, char stopped[256], json_t *rows)
{
    char *sanitizer = find_tool(), *folder = aisp_format("%.*s", (int)(strrchr(variant->path, '/') - variant->path), variant->path);
    json_t *cells = json_array();
    enum aisp_status st = AISP_OK;

    if (!sanitizer && !stopped[0])
        snprintf(stopped, 256, "compute-sanitizer is not installed");
    for (int i = 0; aisp_sanitizer_tools[i] && !st; i++) {
        struct aisp_sanitizer_cell cell = { .state = AISP_SANITIZED_NOT_JUDGED };

        if (stopped[0])
            snprintf(cell.why, sizeof cell.why, "%s", stopped);
        else if (variant->refused[0])
            snprintf(cell.why, sizeof cell.why, "refused: %.240s", variant->refused);
        else
            st = run_tool(request, sanitizer, aisp_sanitizer_tools[i], folder, variant->name, &cell);
        if (!stopped[0] && cell.state == AISP_SANITIZED_NOT_JUDGED && strstr(cell.why, "no NVIDIA driver here"))
            snprintf(stopped, 256, "%s", cell.why);
        json_array_append_new(cells, cell_json(aisp_sanitizer_tools[i], &cell));
    }
    json_array_append_new(rows, json_pack("{s:s, s:s, s:O}", "target", target->id, "variant", variant->name, "cells", cells));
    json_decref(cells);
    free(sanitizer);
    free(folder);
    return st;
}

enum aisp_status aisp_sanitizer_run(const struct aisp_request *request, const struct aisp_target *target, char stopped[256],
                                    json_t *rows)
{
    const struct aisp_console *console = request->console;
    enum aisp_status st = AISP_OK;

    for (size_t i = 0; i < target->n_variants && !st; i++) {
        const struct aisp_variant_ref *variant = &target->variant[i];
        char line[256];

        if (strcmp(variant->device, "cuda") != 0)
            continue;
        snprintf(line, sizeof line, "compute-sanitizer: %s/%s", target->id, variant->name);
        if (console && console->progress && !stopped[0])
            console->progress(console->context, line);
        st = run_variant(request, target, variant, stopped, rows);
    }
    return st;
}
