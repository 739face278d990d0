# A history of 60 runs whose noise a real machine made (recorded A/A runs), imported: from the 36th on the ratio is 4 % lower.
{
    echo '{"kind": "aisp-export", "version": 2}'
    awk -F'\t' 'NR > 1 && $6 != "-" && n < 60 {
        level = n < 35 ? 3 : 2.88
        day = 1790000000 + 86400 * n
        run = sprintf("20260921T000000Z-%06d", n)
        printf "{\"kind\": \"run\", \"started\": %d, \"manifest\": {\"run\": \"%s\", \"host\": \"h\", ", day, run
        printf "\"environment\": {\"cpu_model\": \"AMD EPYC 9654\", \"isa\": \"avx2\", \"n_cpus\": 2, \"l3_bytes\": 33554432, "
        printf "\"virtual_machine\": false}, \"git\": {\"commit\": \"%s\", \"dirty\": false}}}\n", \
            n < 35 ? "c0ffee0000000000000000000000000000000000" : "decade0000000000000000000000000000000000"
        printf "{\"kind\": \"result\", \"run\": \"%s\", \"evidence_sha256\": \"\", \"result\": {\"key\": \"my.x.optimized_y\", ", run
        printf "\"target\": \"my:x\", \"variant\": \"optimized_y\", \"reference\": \"baseline\", \"device\": \"cpu\", "
        printf "\"size\": \"default\", \"goal\": \"speed\", \"grade\": \"development\", \"verdict\": \"FASTER\", "
        printf "\"ratio\": %.9g, \"lo95\": %.9g, \"hi95\": %.9g}}\n", level * $5, level * $6, level * $7
        printf "{\"kind\": \"seal\", \"run\": \"%s\", \"finished\": %d, \"summary\": {}}\n", run, day + 9
        n++
    }' "$SOURCE/tests/recorded/aa_runs/l2.tsv"
} >records.jsonl
aisp store import records.jsonl >/dev/null || exit 9
aisp bench history my:x/y
aisp bench history 'my:*' --limit 12 | grep -E 'runs,|change|noise'
aisp bench history my:x --since 2026-11-01 --json >since.json
grep -c '"verdict": "FASTER"' since.json
grep '"changes"' since.json

# What is asked wrongly, or was never run.
for words in 'my:x --since soon' 'my:x --limit 0' 'my:x --hardware another-4c' 'my:y' 'my:x/z' ''; do
    aisp bench history $words
    echo "exit $?"
done
aisp bench history my:x --artifacts-dir nowhere
