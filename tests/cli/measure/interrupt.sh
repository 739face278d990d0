# An interrupt leaves an incomplete run, exit 130; --resume finishes it and does nothing twice. It takes no run that another process
# is still at, and what cannot be resumed is not in its way.
# @shares
. "$CLI/lib.sh"
calibrated || exit 9
target my/double
variant v.c
for name in a b c; do object v.c targets/my/double/optimized_$name.so; done
target slow/double
variant s.c 'for (volatile int k = 0; k < 20000; k++); y[i] = 2 * x[i];'
object s.c targets/slow/double/optimized_slow.so
resume() { aisp bench run --resume --bench-root targets "$@"; }
names() { sed -e 's/run [0-9TZ]*-[0-9a-f]*/run ID/' -e 's/after [0-9]* of/after N of/' -e 's/: [0-9]* comp/: N comp/' \
    -e 's/^[0-9]* comparisons*: at most 1 s of timed pairs.*, about [0-9]* s\( in all\)*/N to go: about N s/'; }
aisp bench run -t my:double --bench-root targets --time-limit 1s >/dev/null 2>text &
pid=$!
while ! ls artifacts/runs/*/evidence/*_a.json >/dev/null 2>&1; do sleep 0.1; kill -0 $pid || break; done
resume; echo "while it runs: $?"
kill -TERM $pid
wait $pid; echo $?
names <text
# A run of another command, begun later and interrupted as well.
sleep 1
first=$(ls artifacts/runs)
aisp bench verify -t slow:double --bench-root targets >/dev/null 2>&1 &
pid=$!
until [ "$(ls artifacts/runs)" != "$first" ] || ! kill -0 $pid; do sleep 0.02; done
kill -TERM $pid
wait $pid; echo $?
resume --json >value 2>text; code=$?
[ $code = 0 ] || [ $code = 3 ] || echo "ended with $code"
names <text
grep '"variant"' value | tr -s ' ' ' '
ls artifacts/runs/*/results.json | wc -l
resume; echo $?
resume --set n=64
