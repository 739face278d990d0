# All parts in short, of recorded runs of one machine; then each part in full by its option.
aisp store import "$SOURCE/tests/recorded/analysis/store.jsonl" >/dev/null
aisp bench analyze
echo == leaderboards
aisp bench analyze --show leaderboards -t ch01 -n 3 --size quick
echo == pareto
aisp bench analyze --show pareto -t ch01:mlp_microbatch --axes speed
aisp bench analyze --show pareto -t ch07 --size quick
echo == mixed
aisp bench analyze --show pareto --mixed -n 3
echo == recommendations
aisp bench analyze --show recommendations -n 2
