# What to look at first; each command line that it says is one that the parser takes.
. "$CLI/gate/records"
on_card() { sed -e 's/"device": "cpu"/"device": "cuda", "scope": "kernel"/'; }
{
    header
    history 12
    begin 20261113T120000Z-000013 1794571200
    row ch07:transpose optimized_tiled 1.8
    row ch07:gather optimized_simd 3.2
    row ch07:gather optimized_slow 0.8 0.001 SLOWER
    row ch07:reduce optimized_a 1.001 0.02 UNSURE "the interval holds 1 and reaches out of the band" development 12 48
    row ch07:reduce optimized_b 1.001 0.02 UNSURE "the interval holds 1 and reaches out of the band" development 90 400
    row ch07:reduce optimized_c 1.2 0.02 UNSURE "the baseline against itself came out clear of 1" development 90 0
    row ch07:reduce optimized_wrong 3 0.001 INVALID "output differs at element 3" invalid
    row ch08:scan optimized_card 0.7 0.001 SLOWER | on_card
    row ch08:scan optimized_peer 0.6 0.001 SLOWER | on_card | sed -e 's/"reference": "baseline"/"reference": "peer_x"/' -e 's/"default"/"quick"/'
    row ch08:scan optimized_wide 1.001 0.02 UNSURE "the interval holds 1 and reaches out of the band" development 12 48 | on_card
    row ch08:scan optimized_bad 3 0.001 INVALID "output differs at element 3" invalid | on_card
    row ch08:large - 1 0.001 UNSURE "needs 1490.1 GiB, 22.4 GiB are available" | sed 's/"ratio"/"not_measured": "no-memory", "ratio"/'
    row ch08:scan optimized_many 0.9 0.001 SLOWER | sed 's/"threads": 1/"threads": 4/'
    seal
} >run.jsonl
bring run.jsonl
aisp bench triage | tee text
echo "exit $?"
aisp bench triage --top 0 | tail -3
aisp bench triage 20261101 | tail -1
echo "commands that cannot be parsed:"
sed -n 's/^ *\$ //p' text | while read -r line; do $line --help >/dev/null || echo "$line"; done
aisp bench analyze --show recommendations --device cuda/kernel -n 9
