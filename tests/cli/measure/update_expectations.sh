# A real run writes what is expected from now on; the gate then knows of it, but has no history yet: exit 4.
. "$CLI/lib.sh"
calibrated || exit 9
target my/double
variant slow.c 'for (volatile int k = 0; k < 20; k++); y[i] = 2 * x[i];'
object slow.c targets/my/double/optimized_slow.so
mkdir -p source/my
run() { aisp bench run -t my:double --bench-root targets --time-limit 2s --update-expectations --chapters-dir "$1" >text; }
run nowhere
echo "exit $?"
test ! -d artifacts/runs || echo "it ran before it looked for the place"
run source
echo "exit $?"
# A busy machine may not complete the six pairs that an interval takes: then it says that it skipped the row.
grep -c -E '^ (new|skipped) +my:double optimized_slow' text
if grep -q '^ new' text; then
    grep -c '"hash_of": "code"' source/my/expectations_*.json
else
    grep -q 'too few pairs\|unsure of it' text && echo 1
fi
aisp bench expectations --chapters-dir source >text
echo "exit $?"
grep -c '^UNSURE  my:double optimized_slow' text
aisp bench summary --format junit | grep -c '<testcase '
aisp bench triage | tail -1 | numbers | sed 's/run .*,/run RUN,/'
