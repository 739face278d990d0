# Without --time-limit slow pairs may go on to the first look, and what is said before says "about"; with it, and at quick sizes, the
# limit is one. Interrupted: what is asked is what was planned.
. "$CLI/lib.sh"
target my/double
variant right.c
object right.c targets/my/double/optimized_right.so
calibrated || exit 9
planned() {
    timeout -s INT 2 aisp bench run -t my --bench-root targets "$@" 2>&1 | grep -oE '(about|at most) [0-9]+ s of timed pairs'
    grep -hoE '"(time_limit|first_look)_ns": [0-9]+' "artifacts/runs/$(ls -t artifacts/runs | head -1)/manifest.json"
}
planned
planned --time-limit 10s
planned --quick
