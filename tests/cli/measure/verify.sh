# Right answers are verified, wrong ones and crashes are invalid rows with their finding; the rest goes on; exit 3.
. "$CLI/lib.sh"
target my/double
variant right.c
variant wrong.c 'y[i] = i % 1000 == 999 ? 0 : 2 * x[i];'
variant crash.c 'abort();'
variant round.c 'y[i] = call->param[0] == 20000 && i == 7 ? 0 : 2 * x[i];' # at the default size alone
cat >overrun.c <<'END'
#include <aisp/variant.h>
static size_t scratch(const int64_t *param) { (void)param; return 100 * sizeof(float); }
static enum aisp_status run(const struct aisp_call *call)
{
    ((volatile float *)call->workspace)[120] = 1; /* within its page, and not within what was asked for */
    for (int64_t i = 0; i < call->param[0]; i++) ((float *)call->tensor[1])[i] = 2 * ((const float *)call->tensor[0])[i];
    return AISP_OK;
}
AISP_DECLARE("idea: of a test");
AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = scratch, .run = run };
END
for name in right wrong crash round overrun; do object $name.c targets/my/double/optimized_$name.so; done
echo text >targets/my/double/optimized_text.so
aisp bench verify --bench-root targets >text
code=$?
grep '^ optimized' text | tr -s ' ' ' '
sed -n 's/^violation (my:double \(optimized_[a-z]*\)): .*\[\([a-z-]*\).*/\1: \2/p' text | sort -u
grep '^6 comparisons' text | sed -e 's/ in [0-9]* s//' -e 's/recorded in .*/recorded/'
aisp bench verify -t my --bench-root targets --json | grep -E '"(ratio|verdict)"' | sort | uniq -c | tr -s ' ' ' '
exit $code
