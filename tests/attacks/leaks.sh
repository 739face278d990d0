# leaks.sh - an answer holds no value that was expected, though the evidence of the same run, its owner's, does.
prepare || exit 9
failed=0
cp "$here/sources/wrong_answer.c" in/
judge in/wrong_answer.c
expect wrong_answer wrong-output || failed=1
grep -q '(withheld)' answer || { echo "nothing was withheld: is there a finding?"; cat answer; failed=1; }
expected=$(sed -n 's/.*"expected": *\([-0-9.e+]*\).*/\1/p' artifacts/runs/*/evidence/*candidate*.json | tr ',' '\n')
[ -n "$expected" ] || expected=$(tr ',{}' '\n\n\n' <artifacts/runs/*/evidence/*candidate*.json | sed -n 's/^ *"expected": *\([-0-9.e+]*\).*/\1/p')
n=0
for value in $expected; do
    short=$(printf '%.6g' "$value")
    case $short in 0 | 1 | -1) continue ;; esac
    n=$((n + 1))
    grep -qF -- "$short" answer && { echo "the answer holds an expected value: $short"; failed=1; }
done
[ $n -gt 0 ] || { echo "no expected value in the evidence: nothing was tested"; failed=1; }
# The secret that was drawn for the run stands in the record once it is over, and nowhere else.
secret=$(tr ',{}' '\n\n\n' <"$(ls -d artifacts/runs/*/results.json | tail -1)" | sed -n '/secrets/,$p' | grep -oE '[0-9a-f]{64}' | sed -n 2p)
[ -n "$secret" ] || { echo "no secret on record: nothing was tested"; failed=1; }
grep -q "$secret" answer && { echo "the answer holds the secret"; failed=1; }
