# aisp-plain says of each variant whether it is right, which element is not, what it may not have written to, and how it ended; one
# that crashes or hangs costs itself alone.
. "$CLI/lib.sh"
target my/double
variant short.c 'if (i < call->param[0] - 1) y[i] = 2 * x[i];'
variant wrong.c 'y[i] = i == 7 ? 0 : 2 * x[i];'
variant writes.c 'y[i] = 2 * x[i]; if (i == 3) ((float *)call->tensor[0])[3] = 1;'
variant crash.c 'abort();'
variant hang.c 'for (volatile int k = 1; k;) ;'
variant fails.c 'return AISP_E_DEVICE;'
for v in short wrong writes crash hang fails; do
    object $v.c targets/my/double/optimized_$v.so
done
stable() { sed -e 's/ is [-+0-9a-z.]*, expected [-+0-9a-z.]*/ is N, expected N/'; }
aisp-plain targets/my/double all --device cpu --limit 1 >table
echo "exit $?"
stable <table
aisp-plain targets/my/double baseline 'optimized_w*' --device cpu --set n=11 --json | stable
aisp-plain targets/my/double baseline --device cpu --size default --time | numbers | tr -s ' '
aisp-plain targets/my/double baseline --device cpu --here
echo "exit $?"
aisp-plain targets/my/double optimized_wrong --device cpu --here | stable
aisp-plain targets/my/double nothing --device cpu
echo "exit $?"
aisp-plain targets/my/double baseline
aisp-plain targets/my/double baseline --size huge
aisp-plain targets/my/double all --device cpu --here
aisp-plain targets/my/double
aisp-plain targets/my/nowhere all
aisp-plain --help | head -1
