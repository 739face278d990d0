# JSON holds the same figures with their units in the names; what is not known is null.
field() { grep "\"$1\":" | sed -e 's/^ *//' -e 's/,$//'; }
aisp utils kv-cache --layers 80 --hidden 8192 --tokens 4096 --batch 8 --dtype fp8 --json >kv
for name in batch_bytes sequence_bytes token_bytes model weights_bytes largest_batch; do field $name <kv; done
aisp utils cost-per-token --avg-power 800 --throughput 1500 --electricity-cost 0.16 --json >cost
field per_million <cost
field not_given <cost
aisp utils kv-cache -m llama-3.1-70b -t 8192 --dtype bf16 --weight-dtype fp8 --tp 4 --vram 80 --json | field largest_batch
# No plan fits: nothing wins, nothing is explained.
aisp utils parallelism -m llama-3.1-70b --phase decode -t 8192 -b 8 --weight-dtype bf16 --kv-dtype bf16 --cards 1 --vram 80 \
    --card-tflops 600 --card-gbps 2900 --json >plan
for name in n_ways n_fit why margin_percent fits link_gbps; do field $name <plan; done
