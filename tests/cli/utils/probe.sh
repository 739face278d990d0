# Every section is there, nothing is wider than a terminal, and what every x86-64 has was executed.
# @shares
aisp utils probe-hw >text || echo "exit $?"
grep -cE '^(instructions|caches|latency|pages|memory nodes|clocks|kernel|GPUs)' text
awk 'length > 80 { print "too wide: " $0 }' text
grep -A2 '^instructions' text | grep -o '^  right' 
aisp utils probe-hw --json >value || echo "exit $?"
for name in isa caches latency latency_steps pages numa clocks tsc kernel gpu disagreements; do
    grep -q "^  \"$name\":" value || echo "no $name"
done
aisp utils probe-hw --only clocks | grep -cE '^(instructions|caches|pages|clocks|kernel|GPUs)'
aisp bench theoretical-peak >peak || echo "exit $?"
grep -c 'FLOP/s' peak | sed 's/^[1-9][0-9]*$/some/'
awk 'length > 80 { print "too wide: " $0 }' peak
