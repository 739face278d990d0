/* toolchain.c - of what a compiler consists, by its own word. What runs here is trusted: it is the compiler that built us, or
 * the one that the user named. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "sandbox/sandbox.h"

static const char PATH[] = "/usr/bin:/bin";

/* What is linked with every shared object; a name that a toolchain does not have is passed over. */
static const char *const linked[] = { "crti.o",    "crtn.o",           "libc.so",
                                      "libc.so.6", "libc_nonshared.a", "libm.so",
                                      "libm.so.6", "libmvec.so.1",     "libgcc_s.so.1" };
static const char *const programs[] = { "cc1", "as", "ld", "collect2" };

static bool add(char ***list, size_t *n, size_t *cap, const char *path)
{
    for (size_t i = 0; i < *n; i++)
        if (!strcmp((*list)[i], path))
            return false;
    *(char **)aisp_grow(list, n, cap, sizeof **list) = aisp_xstrdup(path);
    return true;
}

static bool is_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* The folder without links and "..", the name as it is: links are made again in the sandbox. */
static char *tidy(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder, *real, *whole;

    if (*path != '/' || !slash[1])
        return NULL;
    folder = slash == path ? aisp_xstrdup("/") : aisp_format("%.*s", (int)(slash - path), path);
    real = realpath(folder, NULL);
    whole = real ? aisp_format("%s/%s", strcmp(real, "/") ? real : "", slash + 1) : NULL;
    free(folder);
    free(real);
    return whole;
}

static void add_file(struct aisp_toolchain *t, const char *path)
{
    char *whole = tidy(path);

    if (whole && is_file(whole))
        add(&t->file, &t->n_files, &t->cap_files, whole);
    free(whole);
}

static void add_folder(struct aisp_toolchain *t, const char *path)
{
    char *real = realpath(path, NULL);
    struct stat info;

    if (real && stat(real, &info) == 0 && S_ISDIR(info.st_mode) && strcmp(real, "/"))
        add(&t->folder, &t->n_folders, &t->cap_folders, real);
    free(real);
}

/* What a program says on both of its outputs, in an environment of its own; caller frees. */
static char *ask(const char *const *argv, bool trace_libraries)
{
    static char path_is[64], trace[] = "LD_TRACE_LOADED_OBJECTS=1", plain[] = "LC_ALL=C";
    char *env[] = { path_is, plain, trace_libraries ? trace : NULL, NULL }, part[4096];
    struct aisp_buf said = AISP_BUF_INIT;
    posix_spawn_file_actions_t actions;
    int fd[2], failed;
    ssize_t n;
    pid_t pid;

    snprintf(path_is, sizeof path_is, "PATH=%s", PATH);
    if (pipe2(fd, O_CLOEXEC))
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fd[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fd[1], STDERR_FILENO);
    failed = posix_spawn(&pid, argv[0], &actions, NULL, (char *const *)argv, env);
    posix_spawn_file_actions_destroy(&actions);
    close(fd[1]);
    while (!failed && ((n = read(fd[0], part, sizeof part)) > 0 || (n < 0 && errno == EINTR)))
        if (n > 0)
            aisp_buf_add(&said, part, (size_t)n);
    close(fd[0]);
    if (failed)
        return NULL;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return aisp_buf_detach(&said);
}

/* "gcc -print-...": one line. */
static char *ask_compiler(const struct aisp_toolchain *t, const char *what, const char *name)
{
    char *word = aisp_format("-print-%s%s", what, name);
    char *answer = ask((const char *const[]){ t->compiler, word, NULL }, false);

    if (answer)
        answer[strcspn(answer, "\n")] = '\0';
    free(word);
    return answer;
}

static char *find_in_path(const char *name, const char *path)
{
    for (const char *at = path; *at; at += strcspn(at, ":"), at += *at == ':') {
        char *whole = aisp_format("%.*s/%s", (int)strcspn(at, ":"), at, name);

        if (is_file(whole) && !access(whole, X_OK))
            return whole;
        free(whole);
    }
    return NULL;
}

/* "\tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x...)" and "\t/lib64/ld-linux-x86-64.so.2 (0x...)" */
static void add_libraries(struct aisp_toolchain *t, const char *program)
{
    char *said = ask((const char *const[]){ program, "--version", NULL }, true), *rest = NULL;

    for (char *line = said ? strtok_r(said, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        char *path = strchr(line, '/'), *end = path ? strstr(path, " (") : NULL;

        if (!end || *line != '\t')
            continue;
        *end = '\0';
        /* As the loader names it, since programs name the loader so; and where the link leads. */
        if (is_file(path))
            add(&t->file, &t->n_files, &t->cap_files, path);
        add_file(t, path);
    }
    free(said);
}

static void add_program(struct aisp_toolchain *t, const char *name)
{
    char *path = ask_compiler(t, "prog-name=", name);

    if (path && *path != '/') {
        char *found = find_in_path(path, PATH);

        free(path);
        path = found;
    }
    if (path && is_file(path)) {
        add_file(t, path);
        add_libraries(t, path);
    }
    free(path);
}

/* The folders between "#include <...> search starts here:" and "End of search list." What an administrator put beside the
 * system's headers is no part of the toolchain. */
static void add_headers(struct aisp_toolchain *t)
{
    char *said = ask((const char *const[]){ t->compiler, "-E", "-v", "-x", "c", "-", NULL }, false),
         *rest = NULL;
    bool inside = false;

    for (char *line = said ? strtok_r(said, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        if (!strncmp(line, "#include <", 10))
            inside = true;
        else if (!strncmp(line, "End of search", 13))
            inside = false;
        else if (inside && line[0] == ' ' && strncmp(line + 1, "/usr/local/", 11))
            add_folder(t, line + 1);
    }
    free(said);
}

/* gcc's folder holds its programs, its headers and what is linked; clang's headers lie in one of their own. */
static void add_folders(struct aisp_toolchain *t)
{
    char *path = ask_compiler(t, "libgcc-file-name", ""), *slash = path ? strrchr(path, '/') : NULL;

    if (slash && slash > path) {
        *slash = '\0';
        add_folder(t, path);
    }
    free(path);
    path = ask_compiler(t, "resource-dir", "");
    if (path && *path == '/')
        add_folder(t, path);
    free(path);
}

/* Every folder that a library lies in, for the loader, which may know them by a cache that is not there. */
static void make_library_path(struct aisp_toolchain *t)
{
    struct aisp_buf path = AISP_BUF_INIT;
    char **seen = NULL;
    size_t n = 0, cap = 0;

    for (size_t i = 0; i < t->n_files; i++) {
        const char *slash = strrchr(t->file[i], '/');
        char *folder = aisp_format("%.*s", (int)(slash - t->file[i]), t->file[i]);

        if (strstr(slash, ".so") && add(&seen, &n, &cap, folder))
            aisp_buf_printf(&path, "%s%s", path.len ? ":" : "", folder);
        free(folder);
    }
    for (size_t i = 0; i < n; i++)
        free(seen[i]);
    free(seen);
    t->library_path = aisp_buf_detach(&path);
}

enum aisp_status aisp_toolchain_init(struct aisp_toolchain *t, const char *compiler,
                                     struct aisp_err *err)
{
    const char *path = getenv("PATH");
    char *found =
        strchr(compiler, '/') ? aisp_xstrdup(compiler) : find_in_path(compiler, path ? path : PATH);

    *t = (struct aisp_toolchain){ .compiler = found ? realpath(found, NULL) : NULL };
    free(found);
    if (!t->compiler || access(t->compiler, X_OK))
        return aisp_toolchain_release(t),
               aisp_fail(err, AISP_E_UNAVAILABLE,
                         "the compiler \"%s\" cannot be started; name another one by CC", compiler);
    add_file(t, t->compiler);
    add_libraries(t, t->compiler);
    add_folders(t);
    add_headers(t);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        add_program(t, programs[i]);
    for (size_t i = 0; i < sizeof linked / sizeof *linked; i++) {
        char *file = ask_compiler(t, "file-name=", linked[i]);

        if (file && *file == '/')
            add_file(t, file);
        free(file);
    }
    make_library_path(t);
    if (t->n_folders && t->n_files > 4)
        return AISP_OK;
    aisp_fail(err, AISP_E_UNAVAILABLE,
              "%s does not say where its parts are; name another compiler by CC", t->compiler);
    aisp_toolchain_release(t);
    return AISP_E_UNAVAILABLE;
}

void aisp_toolchain_release(struct aisp_toolchain *t)
{
    for (size_t i = 0; i < t->n_folders; i++)
        free(t->folder[i]);
    for (size_t i = 0; i < t->n_files; i++)
        free(t->file[i]);
    free(t->folder);
    free(t->file);
    free(t->compiler);
    free(t->library_path);
    *t = (struct aisp_toolchain){ 0 };
}
