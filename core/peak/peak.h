/* peak.h - what one core of this machine can do: ceilings that are measured, not looked up.
 * Multiply-adds a second for each number format and instruction set, bytes a second for each cache
 * level and way of moving. Every loop is assembly, so that no compiler can spill, merge or drop
 * what is counted.
 * Not here: printing, storing and expiry (commands/), GPUs, several cores.
 *
 * One ceiling is the best of many slices of a fifth of a millisecond or more, after a warm-up of a
 * fifth of the time allowed. The clock is sampled before and after each slice by a chain of
 * dependent additions, one cycle each, so that a share of theory can be given at the clock that
 * really ran. Pin the thread before; a migration only lowers the result.
 *
 *   const struct aisp_peak *peak;
 *
 *   aisp_caches_read(&caches);
 *   for (size_t i = 0; (peak = aisp_peak_at(i)); i++)
 *       if (aisp_peak_measure(peak, &caches, &place, &result, &err) == AISP_OK) ... */
#ifndef AISP_CORE_PEAK_H
#define AISP_CORE_PEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

/* Data cache sizes seen by one core; 0: there is no such level, or the machine does not say. */
struct aisp_caches { size_t l1_bytes, l2_bytes, l3_bytes; };
void aisp_caches_read(struct aisp_caches *caches);

enum aisp_peak_level { AISP_PEAK_CORE, AISP_PEAK_L1, AISP_PEAK_L2, AISP_PEAK_L3, AISP_PEAK_DRAM };

/* One ceiling. `loop` runs `passes` times over its work and touches nothing but its arguments:
 *   CORE    from: two operands of 64 bytes each; to: AISP_PEAK_SINK_BYTES, gets all accumulators,
 *   so that a test can count
 *   others  from: `bytes` bytes to read (or nothing); to: `bytes` bytes to write (or nothing);
 *   bytes a multiple of 512 */
enum { AISP_PEAK_SINK_BYTES = 2048 };
typedef void aisp_peak_loop(void *to, const void *from, size_t bytes, int64_t passes);

struct aisp_peak {
    const char *name;          /* "f32_fma_avx2", "copy_nt_dram" */
    const char *unit;          /* "GFLOP/s", "GOP/s", "GB/s" */
    const char *what;          /* one line, for tables and reports */
    enum aisp_peak_level level;
    bool (*is_available)(void);
    aisp_peak_loop *loop;
    const void *operands;      /* CORE: two vectors of 64 bytes; else NULL */
    int64_t work;              /* CORE: operations a pass; else bytes counted a byte (copy: 2) */
    int64_t work_per_issue;    /* CORE: of one instruction or group; else in vector registers */
    int max_issue;             /* most issues a cycle of any known core; 0: no theory */
    double min_issue;          /* fewest of any, where it is below one a cycle; 0: one */
};

const struct aisp_peak *aisp_peak_at(size_t i);             /* NULL behind the last row */
const struct aisp_peak *aisp_peak_find(const char *name);   /* NULL if there is none */

/* Scratch of the caller's and the time for one ceiling. 64-byte aligned; huge pages are the
 * caller's choice. */
struct aisp_peak_place { void *buffer; size_t bytes; int64_t duration_ns; };

struct aisp_peak_result {
    double value;              /* best slice, in the row's unit */
    double median;             /* of all slices: what is sustained beside what else runs */
    double clock_ghz;          /* around the best slice */
    double theory;             /* at that clock, in the row's unit; 0: no theory */
    double share;              /* value / theory; 0: no theory */
    double issues;             /* a cycle, in theory: the fewest that explain value */
    size_t working_set_bytes;  /* read and written together; 0 for CORE */
    int slices;
};

/* Bytes of buffer that measuring this row takes: half of the level (L3: of at most 16 MiB), DRAM
 * four times the last level. */
size_t aisp_peak_bytes(const struct aisp_peak *peak, const struct aisp_caches *caches);

/* Errors: AISP_E_UNAVAILABLE (an instruction set or cache level that is not here), AISP_E_USAGE
 * (buffer too small, no time). */
enum aisp_status aisp_peak_measure(const struct aisp_peak *peak, const struct aisp_caches *caches,
                                   const struct aisp_peak_place *place,
                                   struct aisp_peak_result *result, struct aisp_err *err);

/* GHz, now, by a chain of dependent additions: the best of three of some 10 us. */
double aisp_peak_clock_ghz(void);

#endif
