# Two runs through the baseline that both measured: four verdicts, rows that only one of them has, what may not be compared.
. "$CLI/gate/records"
{
    header
    history 12
    begin 20261113T120000Z-000013 1794571200
    row ch07:transpose optimized_tiled 1.96
    row ch07:gather optimized_simd 3.2
    row ch07:reduce optimized_simd 5
    seal
    begin 20261114T120000Z-000014 1794657600
    row ch07:transpose optimized_tiled 1.961
    row ch07:gather optimized_simd 3.21 0.02 UNSURE "the first half of the pairs disagrees with the second"
    seal
} >history.jsonl
bring history.jsonl
aisp bench compare-runs 20261112 20261113
echo "exit $?"
aisp bench compare-runs 20261112 20261113 --gate >/dev/null
echo "at a gate: exit $?"
rows() { aisp bench compare-runs "$@" >text; code=$?; sed -n '/^ch07/,/^[0-9]* rows/p' text; echo "exit $code"; }
echo "one is gone, one is not to be used:"
rows 20261113 latest --gate
echo "the same code:"
rows 20261111 20261112 --gate
rows 20261111 20261112 --gate --band 0.5
aisp bench compare-runs 20261112 20261113 --format markdown
aisp bench compare-runs 20261112 20261113 --json | grep -c '"is_learned": true'
aisp bench compare-runs latest 20261114
echo "exit $?"
aisp bench compare-runs 2026 latest
echo "exit $?"
aisp bench compare-runs nowhere latest
echo "exit $?"
{
    header
    begin 20261115T120000Z-000015 1794744000
    row ch07:transpose optimized_tiled 4.9
    row ch07:gather optimized_simd 999.96
    row ch07:reduce optimized_simd 12345.6
    row ch07:far optimized_simd 1
    seal
    begin 20261116T120000Z-000016 1794830400
    row ch07:far optimized_simd 99999
    seal
} >far.jsonl
bring far.jsonl
echo "far apart, and within 80 columns:"
for runs in "20261113 20261115" "20261115 20261116"; do
    rows $runs
    awk 'length > 80 { print "too wide: " $0 }' text
done
