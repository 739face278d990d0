# Ours against each library out of records: both of two ratios against the baseline, wider than either of them.
aisp store import "$SOURCE/tests/recorded/analysis/store.jsonl" >/dev/null
aisp bench peers
echo == json
aisp bench peers -t ch01:mlp_microbatch --json
echo == none
aisp bench peers -t ch08 --size quick
aisp bench peers -t ch99
echo "exit $?"
