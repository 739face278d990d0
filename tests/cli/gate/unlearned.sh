# Before the noise between runs is learned a gate is unsure, unless the drop is beyond any noise or less is asked of it.
. "$CLI/gate/records"
mkdir -p chapters/ch07
{ header; history 2; begin 20261103T120000Z-000003 1793707200; row ch07:transpose optimized_tiled 2; row ch07:gather optimized_simd 2; seal; } >history.jsonl
bring history.jsonl
aisp bench expectations 20261102 --update | tail -1
aisp bench expectations
echo "exit $?"
aisp bench expectations --mde 20 | grep -E '^[A-Z]+ +ch07'
aisp bench compare-runs 20261102 20261103 --gate
echo "exit $?"
