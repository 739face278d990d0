# lib.sh - small targets made in a test's own folder: real sources, really compiled.
# Sourced by the scripts: . "$CLI/lib.sh"

# object SOURCE OBJECT [flags] - as the build makes variants
object() {
    source=$1 object=$2
    shift 2
    mkdir -p "$(dirname "$object")"
    cc -std=gnu11 -D_GNU_SOURCE -O1 -w -fPIC -shared -I "$SOURCE/include" "$@" -o "$object" "$source"
}

# problem FILE [bytes-expression] - y[i] = 2 x[i], exact
problem() {
    cat >"$1" <<EOF
#include <aisp/problem.h>
static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[0];
    double *y = to;
    (void)out;
    for (int64_t i = 0; i < n; i++)
        y[i] = 2.0 * x[first + i];
}
static const struct aisp_param params[] = { { "n", 20000, 3000, 0, 15000, 25000, 1 }, { 0 } };
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 1 } }, { "y", AISP_OUT, AISP_F32, "n" }, { 0 } };
AISP_PROBLEM = { .abi = AISP_ABI, .title = "Double", .teaches = "nothing", .goal = AISP_SPEED, .param = params,
                 .tensor = tensors, .bytes = "${2:-8*n}", .flops = "n",
                 .tolerance = { .ulps = 0, .why = "doubling is exact" }, .reference = reference };
EOF
}

# variant FILE [statement] - `statement` is run for each i; the default is right
variant() {
    cat >"$1" <<EOF
#include <aisp/variant.h>
#include <stdlib.h>
static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];
    for (int64_t i = 0; i < call->param[0]; i++) {
        ${2:-y[i] = 2 * x[i];}
    }
    return AISP_OK;
}
AISP_DECLARE("idea: of a test");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
EOF
}

# target FOLDER - a target with a right baseline below ./targets
target() {
    problem problem.c
    variant baseline.c
    object problem.c "targets/$1/problem.so"
    object baseline.c "targets/$1/baseline.so"
}

# A calibration of this machine in ./artifacts, as all tests share it.
calibrated() { "$CLI/calibration" "$BUILD" artifacts; }

# Numbers that differ from run to run read N.
numbers() { sed -e 's/[0-9][0-9.]*/N/g'; }
