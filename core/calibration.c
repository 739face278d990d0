/* calibration.c - a calibration as JSON and back, and which of its ceilings is whose. How it is taken: core/run/calibrate.c. */
#include "core/calibration.h"

#include "core/fields.h"
#include "core/instance.h"

static const struct aisp_field fields[] = {
#define INT(member)   AISP_FIELD_AT(struct aisp_calibration, AISP_FIELD_INT, member, 1, 0)
#define REAL(member)  AISP_FIELD_AT(struct aisp_calibration, AISP_FIELD_REAL, member, 1, 0)
#define REALS(member) AISP_FIELD_ARRAY(struct aisp_calibration, AISP_FIELD_REAL, member)
    AISP_FIELD_AT(struct aisp_calibration, AISP_FIELD_TEXT, host, 1, 0),
    INT(taken_at),
    INT(expires_at),
    REAL(clock_step_ns),
    REAL(clock_cost_ns),
    REALS(empty_window_ns),
    REALS(slack_ns),
    REAL(slack_median_high_ns),
    REALS(gap_ns),
    REALS(wake_ns),
    REAL(call_cost_ns),
    REALS(aa_floor),
    REALS(aa_spread),
    INT(n_aa_runs),
    INT(n_aa_false),
    REAL(fill_gbps),
    REAL(compare_gbps),
    REAL(peak_f32_gflops),
    REALS(peak_copy_gbps),
    REALS(peak_read_gbps),
    REAL(clock_ghz),
    AISP_FIELD_AT(struct aisp_calibration, AISP_FIELD_BOOL, spinning, 1, 0),
};
/* Absent in calibrations from before they were measured. */
static const struct aisp_field later[] = {
    REAL(peak_f64_gflops),
    REAL(peak_bf16_gflops),
    REAL(peak_i8_gops),
#undef INT
#undef REAL
#undef REALS
};
enum { N_FIELDS = sizeof fields / sizeof *fields, N_LATER = sizeof later / sizeof *later };

/* Bytes an element, as far as products of it have a ceiling; 0: whole numbers of other widths. */
static size_t width_of(enum aisp_dtype dtype)
{
    return aisp_dtype_is_float(dtype) || dtype == AISP_I8 ? aisp_dtype_bytes(dtype) : 0;
}

enum aisp_dtype aisp_arithmetic_of(const struct aisp_tensor *tensor, int n)
{
    int count[AISP_U8 + 1] = { 0 };
    enum aisp_dtype pair = 0, widest = 0;

    for (int i = 0; i < n; i++) {
        /* Bytes of either sign are one type: they multiply each other. */
        const enum aisp_dtype type = tensor[i].dtype == AISP_U8 ? AISP_I8 : tensor[i].dtype;

        if (tensor[i].role == AISP_OUT || tensor[i].role == AISP_EMISSIONS)
            continue;
        count[type]++;
        if (!widest || width_of(type) > width_of(widest))
            widest = type;
        if (count[type] >= 2 && width_of(type) && (!pair || width_of(type) < width_of(pair)))
            pair = type;
    }
    return pair ? pair : widest;
}

double aisp_calibration_peak(const struct aisp_calibration *cal, enum aisp_dtype arithmetic)
{
    switch ((int)arithmetic) {
    case 0:
    case AISP_F32:
        return cal->peak_f32_gflops;
    case AISP_F64:
        return cal->peak_f64_gflops;
    case AISP_BF16:
        return cal->peak_bf16_gflops;
    case AISP_I8:
        return cal->peak_i8_gops;
    }
    return 0;
}

json_t *aisp_calibration_to_json(const struct aisp_calibration *cal)
{
    json_t *json = aisp_fields_to_object(fields, N_FIELDS, cal);

    json_object_update_new(json, aisp_fields_to_object(later, N_LATER, cal));
    return json;
}

enum aisp_status aisp_calibration_from_json(const json_t *json, struct aisp_calibration *cal,
                                            struct aisp_err *err)
{
    struct aisp_calibration read = { 0 };
    enum aisp_status st = aisp_fields_from_object(fields, N_FIELDS, json, "calibration", &read, err);

    for (int i = 0; i < N_LATER && st == AISP_OK; i++)
        if (json_object_get(json, later[i].name))
            st = aisp_fields_from_object(&later[i], 1, json, "calibration", &read, err);
    if (st == AISP_OK)
        *cal = read;
    return st;
}
