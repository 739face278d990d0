# A sweep that is interrupted keeps its points; --resume measures the others, and none twice. A target that had no sweep is left out
# again, wherever it stands.
# @shares
. "$CLI/lib.sh"
calibrated || exit 9
target my/double
echo 'AISP_SWEEP("n=1000:4000:x2");' >>problem.c
object problem.c targets/my/double/problem.so
target my/almost
variant v.c
for name in double almost; do object v.c targets/my/$name/optimized_a.so; done
aisp bench run -t my --bench-root targets --sweep declared --time-limit 1s >/dev/null 2>text &
pid=$!
while ! ls artifacts/runs/*/evidence/*.n-1000.json >/dev/null 2>&1; do sleep 0.1; kill -0 $pid || break; done
kill -TERM $pid
wait $pid; echo $?
sed -e 's/run [0-9TZ]*-[0-9a-f]*/run ID/' -e 's/after [0-9]* of/after N of/' text
aisp bench show-run "$(ls artifacts/runs)" >shown
grep incomplete shown | sed -e 's/^[0-9TZ]*-[0-9a-f]*/ID/' -e 's/started [^,]*/started/'
grep -qE '^ +4000 +not measured$' shown || echo "it does not say what is missing"
aisp bench run --resume --bench-root targets --json >value 2>text; code=$?
[ $code = 0 ] || [ $code = 3 ] || echo "ended with $code"
sed -e 's/run [0-9TZ]*-[0-9a-f]*/run ID/' -e 's/: [0-9]* comp/: N comp/' text
grep '"key"' value | sort | uniq -c | tr -s ' ' ' '
ls artifacts/runs/*/results.json | wc -l
aisp bench show-run latest | grep -cE 'incomplete|not measured'
aisp bench run --resume --bench-root targets
