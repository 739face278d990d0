# Limits on what was measured; what was not measured does not fit.
aisp store import "$SOURCE/tests/recorded/analysis/store.jsonl" >/dev/null
aisp bench whatif --vram 0.02 --latency 1
echo == power was not measured
aisp bench whatif --power 300 -t ch01:dot_ilp
echo == cost has no price, then one
aisp bench whatif --cost 0.02 -t ch01:small_gemm -n 1
aisp bench whatif --cost 0.02 -t ch01:small_gemm --price cpu=0.40
echo == nothing fits
aisp bench whatif --throughput 1e12
