# Each record says which attempt at the same code it is, whatever the variant is called; what was only verified is none.
. "$CLI/lib.sh"
target my/double
variant right.c
object right.c targets/my/double/optimized_right.so
calibrated || exit 9

measured() {
    aisp bench run -t my --bench-root targets --quick --time-limit 300ms >/dev/null 2>&1
    for f in artifacts/runs/"$(ls -t artifacts/runs | head -1)"/evidence/*.json; do
        echo "$(basename "$f"): $(tr -d ' \n' <"$f" | grep -oE '"attempt":[0-9]+|"attempts_before":[0-9]+' | paste -sd ' ')"
    done
}

measured
measured
aisp bench verify -t my --bench-root targets --quick >/dev/null 2>&1
mv targets/my/double/optimized_right.so targets/my/double/optimized_renamed.so
measured
aisp bench show-run latest --result my.double.optimized_renamed --json | grep -o '"attempt": [0-9]*'
variant other.c 'y[i] = x[i] + x[i];'
object other.c targets/my/double/optimized_renamed.so -O0
measured
aisp bench run -t my --bench-root targets --quick --time-limit 300ms --set n=4000 >/dev/null 2>&1
aisp bench show-run latest --result my.double.optimized_renamed --json | grep -o '"attempt": [0-9]*'
aisp bench recheck latest --bench-root targets >/dev/null; echo "exit $?"
