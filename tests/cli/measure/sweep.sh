# A sweep measures each point as a run of its own would be, keeps all of them in one record, and draws where the winner changes.
# How it comes out depends on the machine; that it comes out, and is the same everywhere, does not.
# @shares
. "$CLI/lib.sh"
calibrated || exit 9
target my/double
variant v.c 'if (call->param[0] < 3000) for (volatile int k = 0; k < 40; k++); y[i] = 2 * x[i];'
object v.c targets/my/double/optimized_late.so
aisp bench run -t my:double --bench-root targets --sweep n=1000:4000:x2 --time-limit 300ms >text 2>notes; code=$?
[ $code = 0 ] || { echo "ended with $code"; cat text; }
cat notes
grep -E '^(my:double| optimized_late| +n )' text
grep -cE '^ +[0-9]+ .* (FASTER|SLOWER|SAME|UNSURE) ' text
grep -cE '^  (crossover between n=[0-9]+ and n=[0-9]+|no crossover:)' text
grep -c '^ winner: ' text
echo == the record
aisp bench show-run latest >again
for word in crossover winner: 'n=1000 to 4000'; do
    [ "$(grep -F "$word" text)" = "$(grep -F "$word" again)" ] || echo "show-run says something else of $word"
done
aisp bench show-run latest --json >value
grep -E '"point": "|"key": "' value | sort | uniq -c | tr -s ' '
aisp bench show-run latest --result my.double.optimized_late.n-2000 | grep -q optimized_late && echo 'one result is shown'
grep -A8 '"sweeps": \[' value | head -8
ls artifacts/runs/*/evidence
aisp bench recheck latest >checked; echo "recheck ends with $?"
aisp bench report latest --format html -o page.html >/dev/null
grep -c '<svg class="strip tall"' page.html
aisp bench report latest | grep -c report.md
grep -c '^| optimized_late | n=' artifacts/runs/*/report.md
echo == a list, and each point beside its own of the run before
first=$(ls artifacts/runs)
aisp bench run -t my:double --bench-root targets --sweep n=1000,2000 --time-limit 300ms --json >value 2>/dev/null
grep -c '"is_geometric": false' value
aisp bench compare-runs "$first" latest --json | grep '"point": "n=' | tr -s ' '
aisp bench compare-runs "$first" latest --json | grep -c 'parameter n is'
echo == a file of my own, over two parameters
mkdir mine
sed -e '/aisp_param/s/, { 0 } };/, { "m", 2, 1, 0, 1, 3, 1 }, { 0 } };/' problem.c >mine/problem.c
cp baseline.c mine/
cp v.c mine/optimized_late.c
echo 'AISP_SWEEP("n=1000:3000:+1000 m=1,3");' >>mine/problem.c
aisp bench run mine/optimized_late.c --sweep n=1000,2000 --sweep m=1,2 --time-limit 300ms 2>&1 | grep -cE '^ +[0-9]+ +[0-9]+ '
echo == what the problem declares
aisp bench run mine/optimized_late.c --sweep declared --quick --time-limit 200ms 2>&1 | grep '^sweep' | sed 's/of [^ ]*:mine/of ID:mine/'
echo == what cannot be compared at its point is a row of its own
aisp bench run -t my:double --bench-root targets --sweep n=1000,2000 --band 0.0001 --time-limit 300ms >text 2>/dev/null; echo $?
grep -E '^ +[0-9]+ ' text
grep -c 'not above this machine' text
