/* peak_cuda.h - inside aisp-peak-cuda, the program that measures a card: what its files share.
 *
 * Two tables of things to try: ceilings (struct peak_item) and features (struct peak_feature). The parent (main.c) never talks
 * to the card; it forks a child that does one after the other and says each result as a line through a pipe. A child that hangs
 * or dies costs the row that it was at: the parent writes that down and forks another for what is left. So does a child whose
 * context is lost, for no call after such an error is worth anything.
 * Not here: what becomes of the figures (the command that starts this program reads its one JSON object). */
#ifndef PEAK_CUDA_H
#define PEAK_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PEAK_FORMAT = 1, PEAK_WHY = 240, PEAK_MOST_MULTIPROCESSORS = 512 };

/* What is known of the card, once a child has opened it. */
struct peak_card {
    int device, n_devices, major, minor, multiprocessors, bus_bits, runtime, driver;
    int64_t memory_bytes, l2_bytes;
    double sm_mhz_most, memory_mhz_most;      /* as the runtime says; 0: it does not */
    char name[128], uuid[48], bus_id[24];
    bool quick;
    double sustain_s;                         /* how long one ceiling is held */
};

/* ---- ceilings ---- */

enum peak_theory_kind { PEAK_NO_THEORY, PEAK_PER_SM_CLOCK, PEAK_DRAM_CLOCK, PEAK_GIVEN };

struct peak_result {
    double value;          /* sustained; of latencies the median */
    double burst;          /* the best short piece; 0: makes no sense here */
    double sm_mhz, memory_mhz;                /* mean of what was sampled meanwhile; 0: unknown */
    const char *clock_source;                 /* "nvml", "attribute"; NULL: none */
    double theory;         /* in the item's unit, at that clock; 0: none is known */
    double seconds;        /* how long it was held */
    int64_t working_set_bytes;
    const char *note;      /* or NULL */
};

struct peak_item {
    const char *name, *unit, *what;
    const char *beside;    /* the row of ours that this library's rate stands beside; or NULL */
    bool (*run)(const struct peak_card *card, const struct peak_item *item, struct peak_result *result, char *why);
    int variant;           /* for `run`: which of its kind */
};

/* ---- features ---- */

enum peak_answer { PEAK_NO, PEAK_YES, PEAK_ERROR };    /* ERROR: it is here, but did not do what it is for, or failed */

struct peak_feature {
    const char *name, *what;
    enum peak_answer (*run)(const struct peak_card *card, char *why);
};

/* Each ends with a NULL name. */
extern const struct peak_item peak_memory_items[], peak_arithmetic_items[], peak_matrix_items[], peak_link_items[],
    peak_latency_items[];
extern const struct peak_feature peak_copy_features[], peak_cluster_features[], peak_matrix_features[], peak_launch_features[],
    peak_device_launch_features[], peak_memory_features[], peak_partition_features[];

/* ---- card.cu ---- */

bool peak_card_open(struct peak_card *card, int device, char *why);
/* True: nothing more will work in this process. */
bool peak_card_is_lost(void);

/* ---- matrix units by type: matrix.cu and what it picks from ---- */

enum peak_type { PEAK_TF32, PEAK_BF16, PEAK_FP16, PEAK_E4M3, PEAK_INT8, PEAK_N_TYPES };
const char *peak_type_name(enum peak_type type);

/* ---- nvml.c: the management library, opened at run time ---- */

bool peak_nvml_open(const char *bus_id, char *why);
/* Clocks now; 0: not known. */
void peak_nvml_clocks(double *sm_mhz, double *memory_mhz);
/* -1: not known. */
int peak_nvml_ecc(void);
int peak_nvml_mig(void);
/* GB/s of one direction by generation and width of the link as it runs; 0: not known. */
double peak_nvml_pcie_gbps(void);
double peak_nvml_nvlink_gbps(int *n_links);
/* C, W; 0: not known. */
void peak_nvml_state(double *celsius, double *watts);

/* ---- json.c: rows as text ---- */

struct peak_text { char *s; size_t n, cap; };
void peak_text_add(struct peak_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void peak_text_string(struct peak_text *text, const char *key, const char *value);    /* "key": "value", or null */
void peak_text_number(struct peak_text *text, const char *key, double value);         /* null where it is 0 */
void peak_text_card(struct peak_text *text, const struct peak_card *card);
void peak_text_item(struct peak_text *text, const struct peak_item *item, const struct peak_result *result, const char *why);
void peak_text_feature(struct peak_text *text, const struct peak_feature *feature, enum peak_answer answer, const char *why);

#ifdef __cplusplus
}
#endif
#endif
