/* calibration.c - a calibration as JSON and back. How it is taken: core/run/calibrate.c. */
#include "core/calibration.h"

#include "core/fields.h"

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
#undef INT
#undef REAL
#undef REALS
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

json_t *aisp_calibration_to_json(const struct aisp_calibration *cal)
{
    return aisp_fields_to_object(fields, N_FIELDS, cal);
}

enum aisp_status aisp_calibration_from_json(const json_t *json, struct aisp_calibration *cal,
                                            struct aisp_err *err)
{
    struct aisp_calibration read = { 0 };
    const enum aisp_status st =
        aisp_fields_from_object(fields, N_FIELDS, json, "calibration", &read, err);

    if (st == AISP_OK)
        *cal = read;
    return st;
}
