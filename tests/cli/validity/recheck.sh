# A run is judged again as it was, from the store and as a folder brought elsewhere; changed evidence is damage.
# @shares
. "$CLI/lib.sh"
target my/double
variant right.c
object right.c targets/my/double/optimized_right.so
calibrated || exit 9
aisp bench run -t my --bench-root targets --quick --time-limit 300ms >/dev/null 2>&1
aisp bench recheck latest --bench-root targets | sed -e 's/: [A-Z]*, [a-z]*;/: JUDGED;/' -e 's/run [0-9].*: /run RUN: /' | numbers
aisp bench recheck latest --bench-root targets >/dev/null; echo "exit $?"
aisp bench recheck latest --bench-root targets --json | tr -d ' \n' | grep -oE '"judged":[0-9]+,"right":[0-9]+,"of":[0-9]+' |
    awk -F '[:,]' '{ print ($2 > 0 && $2 == $4 && $4 == $6) ? "all that was kept is right" : $0 }'
cp -r artifacts/runs/* elsewhere
aisp bench recheck ./elsewhere --bench-root nowhere | sed -e 's/: [A-Z]*, [a-z]*;/: JUDGED;/' -e 's/run [0-9].*: /run RUN: /' | numbers
aisp bench recheck ./elsewhere --bench-root targets >/dev/null; echo "exit $?"
copy() { rm -rf copied; cp -r artifacts/runs/* copied; }
again() { aisp bench recheck ./copied --bench-root targets >text; echo "$1: $?"; grep -oE '(damage:|DAMAGED) (the|man).*|^results.json says.*' text; }
copy; sed -i 's/"kernel": "[^"]*"/"kernel": "Linux 1.0"/' copied/evidence/*.json; again "another kernel"
copy; for f in copied/evidence/*.json; do echo '{}' >"$f"; done; again "emptied"
copy; sed -i 's/"bench run"/"bench  run"/' copied/manifest.json; again "another command"
copy; sed -i -e '/"manifest_sha256"/d' -e '/"evidence_sha256": {/,/}/d' copied/results.json; again "of an older aisp"
sed -i 's/"commitment"/"commitment"/; s/"chain": "./"chain": "x/' elsewhere/evidence/*.json
aisp bench recheck ./elsewhere --bench-root targets >text; echo "changed: $?"
grep -o 'damage: .*' text
for f in artifacts/runs/*/evidence/*.json; do printf ' ' >>"$f"; done
aisp bench recheck latest --bench-root targets >text; echo "another file: $?"
grep -o 'damage: .*' text
aisp bench recheck no-such-run 2>&1
