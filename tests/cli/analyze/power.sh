# No sensor, no figure.
aisp store import "$SOURCE/tests/recorded/analysis/store.jsonl" >/dev/null
aisp bench power
aisp bench power --json | grep -E '"(n_measured|n_not_measured|explain)"'
