/* cold.h - the cache of a card, for cuda.c: emptied, and looked into. */
#ifndef AISP_CUDA_COLD_H
#define AISP_CUDA_COLD_H

#include "backends/cpu/cpu.h"
#include "backends/cuda/judge.h"
#include "core/cold.h"

/* Queues it; returns how many bytes are read: three times the cache, or `percent` of that. */
int64_t cuda_cold_sweep(struct cuda_judge *judge, int64_t cache_bytes, int percent);

/* *limit: below it a line came out of the cache. What that says of lines of which it was known is counted. */
enum aisp_status cuda_cold_calibrate(struct cuda_judge *judge, int64_t cache_bytes, uint64_t seed, uint32_t *limit,
                                     struct aisp_cold_facts *facts, struct aisp_err *err);
/* After a look: lines that were swept out before it count as such. */
enum aisp_status cuda_cold_compare(struct cuda_judge *judge, int64_t cache_bytes, uint64_t seed, uint32_t limit,
                                   struct aisp_cold_facts *facts, struct aisp_err *err);
/* Counts are added to those of the evidence, and are zero then. */
void cuda_cold_tell(struct aisp_cold_facts *known_take, struct aisp_cold_facts *to);
/* Half way between the medians. Where lines just read were no quicker, nothing lies below it that was not quicker than they. */
uint32_t cuda_cold_limit(const uint32_t *swept_out, const uint32_t *just_read, int n);
int64_t cuda_cold_count(const uint32_t *took, int n, uint32_t limit);

/* Some lines of each input of a slot that lies on the card; of a small one few or none. */
int cuda_cold_n_lines(uint64_t bytes);
enum aisp_status cuda_cold_look(struct aisp_session *s, int slot, uint64_t seed, uint32_t limit, struct aisp_cold_look *look,
                                struct aisp_err *err);

#endif
