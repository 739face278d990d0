# Bad input is exit code 2 and one line: what, where, what to do. What was not given is asked for, never assumed.
try() { aisp "$@" >out; code=$?; [ $code = 2 ] && [ ! -s out ] || echo "exit $code, $(wc -l <out) lines of output"; }
try utils kv-cache --model lama-3.1-70b --tokens 1 --dtype bf16
try utils kv-cache --model gpt --tokens 1 --dtype bf16
try utils kv-cache --hidden 8192 --tokens 1 --dtype bf16
try utils kv-cache --layers 80 --tokens 1 --dtype bf16
try utils kv-cache --layers 80 --hidden 8192 --dtype bf16
try utils kv-cache --layers 80 --hidden 8192 --tokens 1
try utils kv-cache --layers 80 --hidden 8192 --tokens 1 --dtype fp7
try utils kv-cache --layers 80 --hidden 8192 --heads 60 --tokens 1 --dtype fp8
try utils kv-cache --layers 80 --hidden 8192 --tokens 1 --dtype fp8 --tp 2
try utils kv-cache --layers 80 --hidden 8192 --tokens 1 --dtype fp8 --pp 81
try utils kv-cache --layers 80 --hidden 8192 --tokens 1 --dtype fp8 --scale-bytes 4
try utils kv-cache --layers 80 --hidden 8192 --tokens 1 --dtype fp8 --window-layers 4
try utils kv-cache --layers 80 --hidden 8192 --tokens 1 --dtype fp8 --window 8 --window-layers 81
try utils kv-cache --layers 80 --hidden 8192 --tokens 1 --dtype fp8 --expert-dtype fp8
try utils kv-cache --layers 80 --hidden 8192 --heads 64 --kv-heads 7 --tokens 1 --dtype fp8
try utils kv-cache --layers 80 --kv-latent 512 --tokens 1 --dtype fp8
try utils cost-per-token --avg-power 800
try utils cost-per-token --throughput 1500
try utils cost-per-token --throughput 1500 --avg-power 800 --pue 0.5
try utils cluster-size
try utils cluster-size --rate 1 --units-per-request 1 --concurrency 1
try utils cluster-size --rate 1 --units-per-request 1 --concurrency 1 --throughput-per-card 1 --target ch01
try utils cluster-size --rate 1 --units-per-request 1 --throughput-per-card 1
try utils cluster-size --rate 1 --units-per-request 1 --throughput-per-card 1 --concurrency 1 --percentile 100
try utils cluster-size --rate 1 --units-per-request 1 --throughput-per-card 1 --concurrency 1 --peak-to-average 0.5
try utils cluster-size --rate 1e9 --units-per-request 1e9 --throughput-per-card 1 --concurrency 1
job="utils parallelism -m llama-3.1-8b --phase decode -t 100 -b 8 --weight-dtype bf16 --kv-dtype bf16 --vram 80"
try utils parallelism
try utils parallelism -m llama-3.1-8b --phase decode -t 100 -b 8 --cards 8
try $job
try $job --cards 8
try $job --cards 8 --card-tflops 600 --card-gbps 2900
try $job --cards 8 --card-tflops 600 --card-gbps 2900 --link-us 8 --link-gbps 300 --node-cards 4
try $job --cards 37 --card-tflops 600 --card-gbps 2900 --link-us 8 --link-gbps 300
echo '{"card_tflop": 600}' >measured.json
try $job --cards 1 --measured measured.json
echo '{"card_tflops": -1}' >measured.json
try $job --cards 1 --measured measured.json
try $job --cards 1 --measured none.json
try bench theoretical-peak --gpu H100
try utils kvcache
