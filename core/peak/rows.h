/* rows.h - inside core/peak only: the two halves of the table. */
#ifndef AISP_CORE_PEAK_ROWS_H
#define AISP_CORE_PEAK_ROWS_H

#include "core/peak/peak.h"

enum { AISP_N_COMPUTE_PEAKS = 10, AISP_N_MEMORY_PEAKS = 15 };

extern const struct aisp_peak aisp_compute_peaks[AISP_N_COMPUTE_PEAKS];
extern const struct aisp_peak aisp_memory_peaks[AISP_N_MEMORY_PEAKS];

/* Of the registers that the memory loops use here. */
size_t aisp_peak_vector_bytes(void);

#endif
