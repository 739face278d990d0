/* calibrated.c - take a calibration: how well this machine measures (core/run/calibrate.h) and
 * what it can do at most (core/peak/peak.h), as one record with an expiry. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "commands/place.h"
#include "commands/session.h"
#include "core/peak/peak.h"
#include "core/run/calibrate.h"

/* Quick: the clocks and a roof, no A/A floor; kept for a day. */
const struct aisp_calibrate_options aisp_calibrate_quick = { 1, INT64_C(1000000000), 30000000,
                                                             24 * 3600 };
const struct aisp_calibrate_options aisp_calibrate_full = { 10, INT64_C(5000000000), 300000000,
                                                            30 * 24 * 3600 };

static double peak_value(const char *name, const struct aisp_caches *caches,
                         const struct aisp_peak_place *place)
{
    const struct aisp_peak *peak = aisp_peak_find(name);
    struct aisp_peak_result result;

    if (!peak || aisp_peak_measure(peak, caches, place, &result, NULL))
        return 0;
    return result.value;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The best of `names`, which ends with NULL. */
static double best_value(const char *const *names, const struct aisp_caches *caches, const struct aisp_peak_place *place)
{
    double best = 0;

    for (; *names; names++)
        best = larger(best, peak_value(*names, caches, place));
    return best;
}

/* What has no instructions of its own is widened: its peak is never below that of f32. */
static void take_arithmetic(struct aisp_calibration *cal, const struct aisp_caches *caches, const struct aisp_peak_place *place)
{
    static const char *const f32[] = { "f32_sse", "f32_fma_avx2", "f32_fma_avx512", NULL },
                      *const f64[] = { "f64_sse", "f64_fma_avx2", "f64_fma_avx512", NULL },
                      *const bf16[] = { "bf16_dot_avx512", NULL },
                      *const i8[] = { "i8_dot_avx2", "i8_dot_avx_vnni", "i8_dot_avx512_vnni", NULL };

    cal->peak_f32_gflops = best_value(f32, caches, place);
    cal->peak_f64_gflops = best_value(f64, caches, place);
    cal->peak_bf16_gflops = larger(cal->peak_f32_gflops, best_value(bf16, caches, place));
    cal->peak_i8_gops = larger(cal->peak_f32_gflops, best_value(i8, caches, place));
}

/* Ceilings of one core. Copies count both directions, as declared bytes do. */
static void take_peaks(struct aisp_calibration *cal, int64_t duration_ns)
{
    static const char *const levels[] = { "l1", "l2", "l3", "dram" };
    struct aisp_peak_place place = { .duration_ns = duration_ns };
    struct aisp_caches caches;
    const struct aisp_peak *peak;

    cal->clock_ghz = aisp_peak_clock_ghz();
    aisp_caches_read(&caches);
    for (size_t i = 0; (peak = aisp_peak_at(i)); i++)
        if (aisp_peak_bytes(peak, &caches) > place.bytes)
            place.bytes = aisp_peak_bytes(peak, &caches);
    place.bytes = (place.bytes + 4095) / 4096 * 4096;
    place.buffer = aligned_alloc(4096, place.bytes);
    if (!place.buffer)
        return; /* the roof stays unknown, which tables show as such */
    memset(place.buffer, 0, place.bytes);
    take_arithmetic(cal, &caches, &place);
    for (int i = 0; i < 4; i++) {
        char *read = aisp_format("read_%s", levels[i]), *copy = aisp_format("copy_%s", levels[i]);

        cal->peak_read_gbps[i] = peak_value(read, &caches, &place);
        cal->peak_copy_gbps[i] = peak_value(copy, &caches, &place);
        free(read);
        free(copy);
    }
    cal->peak_copy_gbps[3] =
        larger(cal->peak_copy_gbps[3], peak_value("copy_nt_dram", &caches, &place));
    cal->peak_read_gbps[3] =
        larger(cal->peak_read_gbps[3], peak_value("read_4_dram", &caches, &place));
    free(place.buffer);
}

static void show_progress(void *context, const char *what, int done, int of)
{
    const struct aisp_request *request = context;
    char *line;

    if (!request->console || !request->console->progress)
        return;
    line = aisp_format("calibrating: %s, %d of %d", what, done, of);
    request->console->progress(request->console->context, line);
    free(line);
}

static bool has_yardsticks(const struct aisp_catalogue *cat)
{
    for (size_t i = 0; i < cat->n; i++)
        if (!strcmp(cat->target[i].group, "harness"))
            return true;
    return false;
}

enum aisp_status aisp_calibration_take(const struct aisp_request *request,
                                       const struct aisp_catalogue *catalogue,
                                       const struct aisp_calibrate_options *options,
                                       struct aisp_calibration *cal)
{
    struct aisp_calibrate_spec spec = {
        .backend = aisp_backend_find("cpu"),
        .catalogue = catalogue,
        .n_aa_runs = options->n_aa_runs,
        .aa_time_ns = options->aa_time_ns,
        .stop = request->console ? request->console->stop : NULL,
        .progress = show_progress,
        .progress_context = (void *)request,
    };
    struct aisp_catalogue beside = { 0 };
    char *root = aisp_place_beside("targets");
    enum aisp_status st;

    if (!spec.backend) {
        st = aisp_fail(request->err, AISP_E_UNAVAILABLE,
                       "this aisp was built without the cpu device");
        goto out;
    }
    /* Somebody's own folder of targets has no yardsticks; ours lie beside the program. */
    if (!has_yardsticks(catalogue)) {
        AISP_TRY(aisp_catalogue_init(&beside, root, request->err));
        spec.catalogue = &beside;
    }
    aisp_key_random(&spec.secret);
    *cal = (struct aisp_calibration){ 0 };
    AISP_TRY(aisp_calibrate(&spec, cal, request->err));
    show_progress((void *)request, "peaks", 1, 1);
    take_peaks(cal, options->peak_time_ns);
    cal->taken_at = time(NULL);
    cal->expires_at = cal->taken_at + options->valid_s;
out:
    aisp_catalogue_release(&beside);
    free(root);
    return st;
}

static enum aisp_status load(struct aisp_bench *bench)
{
    struct aisp_environment env;
    json_t *stored = NULL;
    char host[65];
    enum aisp_status st;

    aisp_environment_probe(&env, "/");
    aisp_environment_fingerprint(&env, host);
    st = aisp_store_calibration_load(bench->store, host, &stored, bench->request->err);
    if (!st && stored)
        bench->has_calibration =
            aisp_calibration_from_json(stored, &bench->calibration, NULL) == AISP_OK;
    json_decref(stored);
    return st;
}

enum aisp_status aisp_bench_calibrate(struct aisp_bench *bench)
{
    const struct aisp_request *request = bench->request;
    json_t *taken;
    enum aisp_status st = bench->store ? load(bench) : AISP_OK;

    if (st || bench->has_calibration)
        return st;
    aisp_note(request,
              "this machine is not calibrated: taking a quick calibration first, kept for a day "
              "(\"aisp calibrate\" takes a full one)");
    st = aisp_calibration_take(request, bench->catalogue, &aisp_calibrate_quick,
                               &bench->calibration);
    if (st == AISP_E_NOT_FOUND || st == AISP_E_UNAVAILABLE || st == AISP_E_WORKER) {
        aisp_note(request, "no calibration: %s; going on without floors and roof",
                  request->err->text);
        return AISP_OK;
    }
    if (st)
        return st;
    bench->has_calibration = true;
    if (!bench->store)
        return AISP_OK;
    taken = aisp_calibration_to_json(&bench->calibration);
    st = aisp_store_calibration_add(bench->store, taken, request->err);
    json_decref(taken);
    return st;
}
