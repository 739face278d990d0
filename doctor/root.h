/* root.h - read the small files that describe a machine, below a root that stands for "/".
 * Every reader returns false, NULL or -1 for what cannot be read and leaves its output empty; none waits, none writes.
 * Not here: what is good or bad (the files of the families). */
#ifndef AISP_DOCTOR_ROOT_H
#define AISP_DOCTOR_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct aisp_root {
    const char *path;                 /* "/" or a folder that stands for it */
    char **environment;               /* NAME=value, ends with NULL; NULL: not known */
    char *environment_text;           /* owned by the root, where it was read from a file */
    char *processes;                  /* owned: a line for each process seen, its name; NULL: none is seen */
};

/* "/" has the environment of this process, another folder that of its proc/self/environ (lines or zero bytes between). The
 * names of processes are read once, since a large host has thousands. */
void aisp_root_init(struct aisp_root *root, const char *path);
void aisp_root_release(struct aisp_root *root);

/* ---- one file ---- */

/* The whole text, at most 1 MiB; caller frees. NULL: cannot be read. */
char *aisp_root_text(const struct aisp_root *root, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The first line without spaces around it. */
bool aisp_root_line(const struct aisp_root *root, char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A number at the beginning of the file: decimal, or hexadecimal behind 0x. */
bool aisp_root_integer(const struct aisp_root *root, int64_t *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool aisp_root_chosen(const struct aisp_root *root, char *to, size_t size, const char *file);
bool aisp_root_exists(const struct aisp_root *root, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What a symbolic link names last: "nvidia" of ".../drivers/nvidia". */
bool aisp_root_link(const struct aisp_root *root, char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- lines "key: value", "key = value" or "key value" of a text; the key is the whole of what stands before ---- */

bool aisp_text_field(const char *text, const char *key, char *to, size_t size);
bool aisp_text_integer(const char *text, const char *key, int64_t *value);
/* A word of a text that is separated by spaces or commas. */
bool aisp_text_has_word(const char *text, const char *word);

/* ---- folders ---- */

struct aisp_root_names { char **name; size_t n, cap; };
#define AISP_NAMES_INIT { 0 }
/* The entries that begin with `prefix` ("" = all, "cpu#" = cpu and a digit), sorted. False: the folder cannot be read; release
 * also then. */
bool aisp_root_list(const struct aisp_root *root, struct aisp_root_names *names, const char *prefix, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void aisp_names_release(struct aisp_root_names *names);

/* ---- lists of CPUs or nodes: "0-3,8,10-11" ---- */

bool aisp_list_has(const char *list, int cpu);
int aisp_list_count(const char *list);          /* -1: not a list */
int aisp_list_common(const char *a, const char *b);   /* how many are in both */

/* ---- the machine ---- */

/* NULL: not set, or the environment is not known. */
const char *aisp_root_variable(const struct aisp_root *root, const char *name);
/* "isolcpus" -> "2-7"; a bare word gives "". False: not in the kernel's command line, or that is not readable (*known). */
bool aisp_root_boot_option(const struct aisp_root *root, const char *name, char *to, size_t size, bool *known);
int aisp_root_count_cpus(const struct aisp_root *root);      /* online; -1 unknown */
int aisp_root_count_nodes(const struct aisp_root *root);     /* with memory or CPUs, online; -1 unknown */
int64_t aisp_root_memory_bytes(const struct aisp_root *root);
/* Is a process of this name seen? -1: no process is seen at all. The kernel cuts names at 15 characters. */
int aisp_root_has_process(const struct aisp_root *root, const char *name);
/* -1: neither lists of modules can be read. */
int aisp_root_has_module(const struct aisp_root *root, const char *name);
bool aisp_root_has_program(const struct aisp_root *root, const char *name, bool *known);   /* in a folder of PATH */

/* A controller's file of the own group: v2 below the unified tree, v1 below the controller's; either name may be NULL. A file
 * need not be in every group, and a container sees its group as the top: this takes the nearest above that has it. Caller
 * frees. */
char *aisp_root_cgroup(const struct aisp_root *root, const char *controller, const char *v1, const char *v2);
/* The same of the group `up` levels above alone, since a limit of each of them holds: *text is NULL where it has no such file.
 * False: there is no such group. */
bool aisp_root_cgroup_above(const struct aisp_root *root, const char *controller, const char *v1, const char *v2, int up,
                            char **text);

struct aisp_mount { char device[128], at[256], type[32], options[512]; };
/* The mount that holds an absolute path. */
bool aisp_root_mount(const struct aisp_root *root, const char *path, struct aisp_mount *mount);

struct aisp_device { char address[16]; int class_code, vendor, node; };   /* class_code: 0x0302 */
struct aisp_devices { struct aisp_device *device; size_t n, cap; bool known; };
#define AISP_DEVICES_INIT { 0 }
/* The adapter of a management controller or of a hypervisor: it shows a console and computes nothing. */
bool aisp_pci_is_console(int vendor);
/* PCI devices of a class (0x03: all displays and accelerators of 0x03xx, without consoles). */
void aisp_root_pci(const struct aisp_root *root, int class_high, struct aisp_devices *devices);
void aisp_devices_release(struct aisp_devices *devices);
enum { AISP_PCI_STORAGE = 0x01, AISP_PCI_NETWORK = 0x02, AISP_PCI_DISPLAY = 0x03, AISP_PCI_NVIDIA = 0x10de };

int aisp_root_has_nvidia(const struct aisp_root *root);      /* an NVIDIA GPU: 1, 0, -1 unknown */

#endif
