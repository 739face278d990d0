/* roofline_command.c - `aisp utils roofline`: measured variants under the measured ceilings of this machine.
 * Not here: measuring ceilings (`aisp calibrate`, `aisp peak`) or variants (`aisp bench run`). */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "commands/utils/calc.h"
#include "commands/utils/roof.h"
#include "commands/utils/roofline.h"
#include "core/environment.h"
#include "core/instance.h"

static enum aisp_status load_ceilings(const struct aisp_request *request, struct aisp_store *store,
                                      struct aisp_calibration *cal)
{
    struct aisp_environment env;
    json_t *stored = NULL;
    char host[65];
    enum aisp_status st;

    aisp_environment_probe(&env, "/");
    aisp_environment_fingerprint(&env, host);
    AISP_TRY(aisp_store_calibration_load(store, host, &stored, request->err));
    if (stored)
        AISP_TRY(aisp_calibration_from_json(stored, cal, request->err));
    if (!stored || cal->peak_f32_gflops <= 0)
        st = aisp_fail(request->err, AISP_E_UNAVAILABLE,
                       "no measured ceilings of this machine in %s, or they have expired: run \"aisp calibrate\" first",
                       request->artifacts_dir);
out:
    json_decref(stored);
    return st;
}

static json_t *levels_of(const struct aisp_calibration *cal)
{
    static const char *const names[] = { "L1", "L2", "L3", "DRAM" };
    json_t *levels = json_array();

    for (int i = 0; i < 4; i++) {
        const double gbps = fmax(cal->peak_read_gbps[i], cal->peak_copy_gbps[i]);
        const struct aisp_roof roof = { cal->peak_f32_gflops, gbps > 0 ? gbps : NAN };

        json_array_append_new(levels, json_pack("{s:s, s:o, s:o}", "level", names[i], "gbps", aisp_calc_real(roof.gbps),
                                                "ridge", aisp_calc_real(aisp_roof_ridge(&roof))));
    }
    return levels;
}

/* Of the types that have a ceiling of their own. */
static json_t *peaks_of(const struct aisp_calibration *cal)
{
    static const enum aisp_dtype types[] = { AISP_F64, AISP_BF16, AISP_I8 };
    json_t *peaks = json_object();

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const double peak = aisp_calibration_peak(cal, types[i]);

        json_object_set_new(peaks, aisp_dtype_name(types[i]), aisp_calc_real(peak > 0 ? peak : NAN));
    }
    return peaks;
}

static enum aisp_status write_svg(const char *path, const json_t *value, struct aisp_err *err)
{
    struct aisp_buf svg = AISP_BUF_INIT;
    FILE *f = fopen(path, "w");
    enum aisp_status st = AISP_OK;
    bool good;

    if (!f)
        return aisp_fail_errno(err, AISP_E_IO, "%s: cannot write it", path);
    aisp_roofline_svg(&svg, value);
    good = fwrite(svg.s, 1, svg.len, f) == svg.len;
    if (fclose(f) || !good)
        st = aisp_fail_errno(err, AISP_E_IO, "%s: writing it", path);
    aisp_buf_release(&svg);
    return st;
}

static enum aisp_status open_store(const struct aisp_request *request, struct aisp_store **store)
{
    const enum aisp_status st = aisp_store_open(store, request->artifacts_dir, false, request->err);

    /* No store yet: then nothing was measured. */
    return st != AISP_E_NOT_FOUND
               ? st
               : aisp_fail(request->err, AISP_E_UNAVAILABLE,
                           "no measured ceilings of this machine: there is no store in %s; run \"aisp calibrate\" "
                           "first",
                           request->artifacts_dir);
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const char *svg = aisp_args_text(request->args, "svg");
    json_t *made = NULL, *notes = json_array();
    struct aisp_store *store = NULL;
    struct aisp_calibration cal;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(open_store(request, &store));
    AISP_TRY(load_ceilings(request, store, &cal));
    made = json_pack("{s:s, s:I, s:f, s:s, s:o, s:o, s:[], s:[], s:s?, s:O}", "host", cal.host, "taken_at", (json_int_t)cal.taken_at,
                     "compute_gflops", cal.peak_f32_gflops, "precision", "f32", "peaks", peaks_of(&cal), "levels",
                     levels_of(&cal), "points", "skipped", "svg", svg, "notes", notes);
    AISP_TRY(aisp_roofline_points(request, store, &cal, made));
    if (!json_array_size(json_object_get(made, "points")))
        aisp_calc_note(notes, "no measured variant of this machine in %s: \"aisp bench run\" measures some",
                       request->artifacts_dir);
    aisp_calc_note(notes,
                   "ceilings and rates are of one core; a point stands under the roof of the cache level that holds its bytes; "
                   "the compute ceiling that is drawn is that of f32, and a point of another type is held against its own, where "
                   "one was measured");
    if (svg)
        AISP_TRY(write_svg(svg, made, request->err));
    *value = json_incref(made);
out:
    json_decref(made);
    json_decref(notes);
    aisp_store_close(store);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    json_t *peaks = json_object_get(value, "peaks"), *peak;
    const json_t *row;
    const char *type;
    size_t i;

    (void)style;
    aisp_roofline_plot(out, value);
    aisp_buf_printf(out, "compute %.1f GFLOP/s", aisp_calc_of(value, "compute_gflops"));
    json_object_foreach(peaks, type, peak) if (json_is_number(peak))
        aisp_buf_printf(out, ", %s %.1f", type, json_number_value(peak));
    json_array_foreach(json_object_get(value, "levels"), i, row) if (isfinite(aisp_calc_of(row, "gbps")))
        aisp_buf_printf(out, ", %s %.1f", aisp_calc_text(row, "level"), aisp_calc_of(row, "gbps"));
    aisp_buf_puts(out, " GB/s\n");
    if (json_array_size(json_object_get(value, "points")))
        aisp_roofline_table(out, value);
    json_array_foreach(json_object_get(value, "skipped"), i, row)
        aisp_buf_printf(out, "not shown: %s: %s\n", aisp_calc_text(row, "what"), aisp_calc_text(row, "why"));
    if (*aisp_calc_text(value, "svg"))
        aisp_buf_printf(out, "written: %s\n", aisp_calc_text(value, "svg"));
    aisp_calc_put_notes(out, value);
}

static const struct aisp_option options[] = {
    { "target", 't', AISP_OPT_TEXT, .meta = "TARGET", .help = "Only this one: ch07:transpose, or a pattern" },
    { "limit", 0, AISP_OPT_INTEGER, .meta = "N", .low = 1, .high = 1000, .help = "Newest results at most", .preset = "50" },
    { "svg", 0, AISP_OPT_PATH, .meta = "FILE", .help = "Also write it as an SVG file" },
    { 0 },
};

AISP_COMMAND(utils_roofline) = {
    .path = "utils roofline",
    .sentence = "Show measured variants under the measured ceilings of this machine",
    .example = "aisp utils roofline\naisp utils roofline -t ch09:gemm_ladder --svg roofline.svg",
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
