# A recorded sweep has a law with its interval and residuals; one parameter can be named.
aisp store import "$SOURCE/tests/recorded/analysis/store.jsonl" >/dev/null
aisp bench scaling
echo == json
aisp bench scaling --over n --json | grep -E '"(parameter|exponent|residual_max_percent|n_runs|explain)"' |
    sed 's/\(\.[0-9][0-9]\)[0-9]*/\1/'
echo == no sweep
aisp bench scaling -t ch09
echo == few runs
aisp bench scaling --runs 3 | tail -2
