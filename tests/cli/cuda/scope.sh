# What is timed is said by --scope; on the CPU there is but one answer.
# @shares
. "$CLI/lib.sh"
target my/double
variant sum.c 'y[i] = x[i] + x[i];'
object sum.c targets/my/double/optimized_sum.so
calibrated || exit 9
aisp bench run -t my:double --bench-root targets --scope kernel; echo "code $?"
aisp bench compare my:double/baseline my:double/sum --bench-root targets --scope kernel; echo "code $?"
aisp bench run -t my:double --bench-root targets --scope window; echo "code $?"
aisp bench run -t my:double --bench-root targets --quick --time-limit 1s --scope call --json >value 2>/dev/null; echo "code $?"
grep -o '"scope": *"[a-z]*"' value | head -1
aisp bench run --help | grep -A 1 -e --scope
