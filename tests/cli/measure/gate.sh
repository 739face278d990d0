# At a gate slower and unsure are a failure: 4. Without one they are results: 0.
. "$CLI/lib.sh"
calibrated || exit 9
target my/double
variant slow.c 'for (volatile int k = 0; k < 20; k++); y[i] = 2 * x[i];'
object slow.c targets/my/double/optimized_slow.so
aisp bench run -t my:double --bench-root targets --time-limit 1s --gate >text
code=$?
grep -c -E ' (SLOWER|UNSURE) ' text
exit $code
