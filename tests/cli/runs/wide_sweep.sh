# A map in three directions fits 80 columns: narrow columns where the values allow it, else each point on a line of its own.
. "$CLI/gate/records"
# swept SECONDS RUN N... - eight points over n, m and k, whose values are given in pairs
swept() {
    begin "$2" "$1" >begun
    sed "s/\"options\": {/&\"sweeps\": [{\"target\": \"ch07:gather\", \"over\": [\"n=$3,$4\", \"m=$5,$6\", \"k=$7,$8\"]}], /" begun
    for n in $3 $4; do for m in $5 $6; do for k in $7 $8; do
        row ch07:gather optimized_simd 123.4 0.03 | sed -e "s/\"key\": \"[^\"]*/&.$n.$m.$k/" \
            -e "s/\"params\": {[^}]*}/\"params\": {\"n\": $n, \"m\": $m, \"k\": $k}, \"point\": \"n=$n m=$m k=$k\"/"
    done; done; done
    seal
}
{
    header
    swept 1793534400 20261101T120000Z-000001 1024 4096 16 64 1 2
    swept 1793620800 20261102T120000Z-000002 67108864 134217728 16 64 1048576 2097152
} >runs.jsonl
bring runs.jsonl
for run in 20261101 20261102; do
    aisp bench show-run $run >text
    sed -n '/^ optimized_simd/,/^  no/p' text
    sed -n '/^ optimized_simd/,/^  no/p' text | sed 's/µ/u/g' | awk 'length > 80 { print "too wide: " $0 }'
done
