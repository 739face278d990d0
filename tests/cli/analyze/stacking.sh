# A combination by its name, one with a part that was never measured alone, one that is said.
aisp store import "$SOURCE/tests/recorded/analysis/store.jsonl" >/dev/null
aisp bench stacking
echo == quick
aisp bench stacking --size quick -t ch08
echo == said
aisp bench stacking -t ch01:small_gemm --combine peer_onednn=optimized_row_updates+optimized_register_tiles
echo == none
aisp bench stacking -t ch01:small_gemm
