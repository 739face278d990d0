# A reference that is right is run in the first comparison of its target, and the others say in which; a wrong one in each.
. "$CLI/lib.sh"
target my/double
for name in one two three; do
    variant v.c
    object v.c targets/my/double/optimized_$name.so
done
once() {
    aisp bench verify --bench-root targets --json >json
    echo "code $?"
    grep -o '"in": *"[^"]*"' json | sort | uniq -c | tr -s ' '
}
once
grep -l '"reference_in"' artifacts/runs/*/evidence/* | sed 's|.*/||' | sort
variant baseline.c 'y[i] = i == 5 ? 0 : 2 * x[i];'
object baseline.c targets/my/double/baseline.so
once
# So is one that is right and does what it does not declare.
cat >baseline.c <<'END'
#include <aisp/variant.h>
#include <dlfcn.h>
static enum aisp_status setup(const struct aisp_setup *s) { (void)s; return dlopen("libopenblas.so.0", RTLD_NOW) ? AISP_OK : AISP_E_UNAVAILABLE; }
static enum aisp_status run(const struct aisp_call *call)
{
    for (int64_t i = 0; i < call->param[0]; i++) ((float *)call->tensor[1])[i] = 2 * ((const float *)call->tensor[0])[i];
    return AISP_OK;
}
AISP_DECLARE("idea: of a test");
AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
END
object baseline.c targets/my/double/baseline.so
once
grep -c '"check": *"library-fallback"' json
