# Results for other programs. The rows are those of a real run; its id and times are part of the record.
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
