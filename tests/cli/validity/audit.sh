# The matrix: what was never run says so; what was run has a sign for each of the 95; nothing that no fixture proves is OK.
. "$CLI/lib.sh"
target my/double
target my/other
variant right.c
object right.c targets/my/double/optimized_right.so
object right.c targets/my/other/optimized_right.so
aisp bench audit --bench-root targets | grep 'no run yet'
aisp bench verify -t my:double --bench-root targets >/dev/null
aisp bench audit --bench-root targets >text
grep '^my:' text | tr -s ' ' | sed -e 's/\(my:double\) [^ ]\{7\} [^ ]\{10\} [^ ]\{11\} [^ ]\{7\} [^ ]\{7\} [^ ]\{10\}$/\1 52 signs/'
awk 'length > 80 && !/^ / && !/^violated/ { print "too wide: " $0 }' text
aisp bench audit --all --bench-root targets --json >value
[ "$(grep -c '"issue": ' value)" -ge 190 ] || echo "not every protection is there twice"
aisp bench audit --all --bench-root targets | sed -n '2,96p' >rows
[ "$(wc -l <rows)" = 95 ] || echo "rows: $(wc -l <rows)"
awk 'length > 80 { print "too wide: " $0 }' rows
grep -E ' proven +0 \+| proven +[0-9]+ \+ 0 ' rows
# No sign of a protection that is not proven is a +.
python='' ; unproven=$(awk '/"issue"/ { n = $2 + 0 } /"proof": "(unproven|logic only)"/ && !seen[n]++ && !in_check { print n } /"checks"/ { in_check = 1 } /^    \}/ { in_check = 0 }' value)
[ -n "$unproven" ] || echo "nothing that is not proven was looked at"
grep -q '"state": "held"' value || echo "nothing is held"
for n in $unproven; do
    awk -v n="$n" '/"targets"/ { on = 1 } on && $1 == "\"issue\":" && $2 + 0 == n { mine = 1 } mine && /"state": "held"/ { print n " is held, and not proven" } /"why"/ { mine = 0 }' value
done
aisp bench audit -t nothing --bench-root targets 2>&1 | sed 's/ in [^ ]*targets//'
