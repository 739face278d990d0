# One run summed up in four forms; names that XML and Markdown must not take for markup.
. "$CLI/gate/records"
{
    header
    begin 20261101T120000Z-000001 1793534400
    row ch07:transpose optimized_tiled 2
    row ch07:transpose optimized_slow 0.5 0.001 SLOWER
    row ch07:gather optimized_simd 8
    row ch09:softmax optimized_online 1.001 0.02 UNSURE "the interval holds 1 and reaches out of the band" development 90 400
    row ch09:softmax optimized_wrong 3 0.001 INVALID 'element 3: a < b && \"c\" | `d` \u001b[31m' invalid
    seal
} >run.jsonl
bring run.jsonl
aisp bench summary
echo "exit $?"
aisp bench summary latest --format markdown
aisp bench summary --format junit
aisp bench summary --format json | grep -A3 geomean
sed -e 's/20261101T120000Z-000001/20261102T120000Z-000002/' -e 's/"aisp": "0.1.0"/"aisp": "<b>0|1"/' \
    -e 's/"started": "2026[^"]*"/"started": "<i>|now"/' -e 's/"verdict": "FASTER"/"verdict": "<img|>"/' \
    -e 's/"grade": "development"/"grade": "a|b"/' -e 's/"commit": "0123/"commit": "`<|/' -e 's/"goal": "speed"/"goal": "<u>|"/' run.jsonl >odd.jsonl
aisp store import odd.jsonl
aisp bench summary 20261102 --format markdown >text
grep -E '<(b|i|u|img)' text
sed -n -e 3p -e '/^| &lt;u/p' -e '/transpose | optimized_tiled/p' text
aisp bench summary 2025
echo "exit $?"
