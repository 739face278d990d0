# A variant that is found wrong: detect prints, quarantine records, gate says it by the exit code; a passing run lets it out. What is
# too large for this machine, and a target that is refused as a whole, put nobody in.
. "$CLI/lib.sh"
target my/double
variant wrong.c 'y[i] = i % 1000 == 999 ? 0 : 2 * x[i];'
object wrong.c targets/my/double/optimized_wrong.so
phase() {
    aisp bench verify --bench-root targets --verify-phase "$1" >text 2>&1
    echo "$1: exit $?, $(grep -c '^violation' text) violation"
}
phase detect
aisp bench quarantine-report
phase quarantine
aisp bench quarantine-report | sed -e 's/since .*, found/since WHEN, found/' -e 's/run [0-9].*/run RUN/' -e 's/drift:.*/drift: WHAT/'
aisp bench list-targets --bench-root targets | sed 's/ in .*//'
phase gate
aisp bench quarantine-report --format markdown | sed -n '1,4p'
aisp bench quarantine-report --format json | grep -c '"reason"'
aisp bench report >/dev/null
grep -o 'in quarantine since run' artifacts/runs/*/report.md | sort -u | sed 's/.*://'
echo "put right:"
variant wrong.c
object wrong.c targets/my/double/optimized_wrong.so
aisp bench verify --bench-root targets >text 2>notes
grep 'out of quarantine' notes
aisp bench quarantine-report
phase gate
echo "what nobody is to blame for:"
problem large.c
sed -i 's/20000, 3000,/20000, 200000000000,/' large.c
for name in problem baseline; do object $name.c targets/my/broken/$name.so; done
cp -r targets/my/double targets/my/large
object large.c targets/my/large/problem.so
echo "no object" >targets/my/broken/problem.so
phase quarantine
grep -E '^(violation|development) .*(no-memory|refused)' text | sed -e 's/: needs .*\[/: needs WHAT [/' -e 's/): [^[]*\/targets/): targets/'
aisp bench quarantine-report
phase gate
aisp bench verify-report --bench-root targets >/dev/null
sed -n 3p artifacts/verify-report.md
