# Recorded runs: listed newest first, shown whole, and with the samples behind one result.
aisp bench list-runs; echo $?
aisp store import "$SOURCE/tests/recorded/screen/store.jsonl" >/dev/null || exit 9
aisp bench list-runs
aisp bench list-runs --limit 1
aisp bench list-runs --json | grep -c '"run"'
aisp bench show-run 20261128T1400 | sed -n 1,5p
aisp bench show-run 20261128T1400 --result ch01.double.optimized_vector | grep -v '^development\|^note'
aisp bench show-run 20261128T1400 --result ch01.double.optimized_vector --json >value
grep -c '"counts"' value
grep -A3 '"roofline"' value | head -4
# Of what is invalid nothing is shown; what came without samples says so.
aisp bench show-run 20261128T1400 --result ch01.double.optimized_wrong --json | grep -E '"(lo_ns|roofline)":'
aisp bench show-run latest --result ch01.double.optimized_vector | tail -2
aisp bench show-run latest --result ch01.double.optimised_vector; echo $?
aisp bench show-run 2025; echo $?
