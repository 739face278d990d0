# aisp-breaks: what verification finds, what changes nothing, and a break that is missed: with `rare` the output is wrong at the
# highest size of a range of a million, which no secret point is likely to be. Then it exits with 1.
. "$CLI/lib.sh"
folder=chapters/ch99/double
mkdir -p $folder
problem $folder/problem.c
sed -i 's/20000, 3000, 0, 15000, 25000, 1/20000, 3000, 0, 15000, 1015000, 1/' $folder/problem.c
variant $folder/baseline.c
cat >$folder/optimized_rare.c <<'END'
#include <aisp/variant.h>
static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t n = call->param[0], rare = n == 1015000;
    for (int64_t i = rare * 0; i < n; i++) ((float *)call->tensor[1])[i] = 2.0f * ((const float *)call->tensor[0])[i];
    return AISP_OK;
}
AISP_DECLARE("idea: of a test");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
END
for v in problem baseline optimized_rare; do
    object $folder/$v.c targets/ch99/double/$v.so
done
# This seed has all three among few tries, and no more than one that hangs: each of those is waited for again and again.
aisp-breaks --bench-root targets --source . --tries 4 --per-variant 4 --seed 3 --all >all 2>/dev/null
echo "exit $?"
grep '^MISSED' all
grep -q '^output: ch99:double/baseline' all && echo "others are found"
grep -q '^equal: ' all && echo "others change nothing"
aisp-breaks --per-variant 0
aisp-breaks nowhere
# A target whose process is lost is not passed over: here it may write no file.
(ulimit -f 0; aisp-breaks --bench-root targets --source . 2>/dev/null | tail -1; exit 0)
