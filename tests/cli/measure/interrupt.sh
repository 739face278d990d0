# An interrupt leaves an incomplete run, exit 130; --resume finishes it and does nothing twice.
. "$CLI/lib.sh"
calibrated || exit 9
target my/double
variant v.c
for name in a b c; do object v.c targets/my/double/optimized_$name.so; done
aisp bench run -t my:double --bench-root targets --time-limit 3s >/dev/null 2>text &
pid=$!
while ! ls artifacts/runs/*/evidence/*_a.json >/dev/null 2>&1; do sleep 0.1; kill -0 $pid || break; done
kill -TERM $pid
wait $pid; echo $?
sed -e 's/run [0-9TZ]*-[0-9a-f]*/run ID/' -e 's/after [0-9]* of/after N of/' text
aisp bench run --resume --bench-root targets --json >value 2>text; code=$?
[ $code = 0 ] || [ $code = 3 ] || echo "ended with $code"
sed -e 's/run [0-9TZ]*-[0-9a-f]*/run ID/' -e 's/: [0-9]* comp/: N comp/' text
grep '"variant"' value | tr -s ' ' ' '
ls artifacts/runs/*/results.json | wc -l
aisp bench run --resume --bench-root targets
