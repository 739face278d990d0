# An answer that hangs on where the code lies is withdrawn by --placement-audit. The variant here looks at its own address:
# quick at a line of 64, as it is built, and slower than the baseline anywhere else.
. "$CLI/lib.sh"
calibrated || exit 9
mkdir -p my/mine
problem my/mine/problem.c
variant my/mine/baseline.c 'for (volatile int k = 0; k < 20; k++); y[i] = 2 * x[i];'
variant my/mine/optimized_here.c \
    'for (volatile int k = 0; k < ((uintptr_t)run % 64 ? 60 : 5); k++); y[i] = 2 * x[i];'
for try in 1 2; do # a busy machine may not come to an answer at all, and then there is nothing to audit
    aisp bench run my/mine/optimized_here.c --quick --time-limit 40s --placement-audit >text
    grep -q 'placement:' text && break
done
grep -E 'optimized_here .*(UNSURE|FASTER)' text | grep -o -E 'UNSURE|FASTER'
grep -E 'placement:|^UNSURE' text | numbers
# What was seen stands in the evidence, each build of the one with the differently moved ones of the other.
grep -h -A 999 '"placements":' artifacts/runs/*/evidence/* | tr -d ' \n' |
    grep -o '"bytes":\[[0-9,]*\]' | tail -6

# Objects without sources, as they are installed, cannot be built again.
target my/double
variant slow.c 'for (volatile int k = 0; k < 20; k++); y[i] = 2 * x[i];'
object slow.c targets/my/double/optimized_slow.so
aisp bench run -t my:double --bench-root targets --placement-audit
echo $?
aisp bench compare my:double/baseline my:double/slow --bench-root targets --placement-audit
echo $?
# Targets of the build can: it notes where their sources are. An honest answer stands.
cat "$BUILD/targets/ch01/dot_ilp/SOURCE"
for try in 1 2; do
    aisp bench compare ch01:dot_ilp/baseline ch01:dot_ilp/simd --set rows=8 --time-limit 40s --placement-audit >text
    grep -q 'placement:' text && break
done
grep -o 'FASTER  ' text
grep 'placement:' text | numbers
