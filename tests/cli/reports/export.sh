# Results for other programs. The rows are those of a real run; its id and times are part of the record.
. "$CLI/lib.sh"
aisp bench export; echo $?
aisp store import "$SOURCE/tests/recorded/screen/store.jsonl" >/dev/null || exit 9
run=20261128T1400
aisp bench export $run --format markdown
aisp bench export $run | tr -d '\r' | cut -d, -f1,2,6-18
aisp bench export $run --format json | sed -n 1p
aisp bench export $run --format openmetrics >metrics
grep '^#' metrics
grep -A1 '^# HELP aisp_speedup_ratio' metrics | tail -1
aisp bench export $run --format openmetrics --no-timestamps | sed -n 3p | grep -c '} 1$'
# The same in a file, which is not there before it is whole; all runs have more rows than one.
aisp bench export --all --output all.csv
[ "$(wc -l <all.csv)" -gt "$(aisp bench export $run | wc -l)" ] || echo "--all is no more than one run"
ls
aisp bench export $run --json | grep -E '"(format|n_results|output)"'
aisp bench export $run --all; echo $?
aisp bench export --format cvs; echo $?
aisp bench export --output /no/such/place.csv; echo $?
aisp bench export 1999; echo $?
# In parts: the newest first, each part with what the next goes on behind; together they are the whole.
aisp store import "$SOURCE/tests/recorded/analysis/store.jsonl" >/dev/null
aisp bench export --all -f json >whole
next= rest= n=0
while [ $n = 0 ] || [ -n "$next" ]; do
    aisp bench export --all -f json --limit 4 ${next:+--after $next} >part 2>said
    [ "$(wc -l <part)" -le 4 ] && [ -s part ] || echo "a part of another length"
    cat part >>parts
    next=$(sed -n 's/^there is more: --after //p' said)
    n=$((n + 1))
done
cmp whole parts && [ $n -gt 3 ] && echo "the same in parts"
aisp bench export $run --limit 1 --json | grep -E '"next": "[0-9]+\.[0-9]+"' | numbers
aisp bench export $run --limit 1000 --json | grep '"next"'
for after in x 1 1. .1 1.0 1.1x 1.-1; do aisp bench export --all --after "$after" || echo $?; done
aisp bench export --all -f openmetrics --limit 4; echo $?
