# What is misspelt or contradicts itself is one line and exit code 2.
aisp store import "$SOURCE/tests/recorded/analysis/store.jsonl" >/dev/null
for words in "analyze -t ch07:transpoze" "analyze -c ch12" "analyze --hardware amd-epik" "analyze --device cuba" \
    "analyze --axes speed,size" "analyze --tolerance 1e-9" "analyze --mixed" "analyze --all-results" "whatif" "cost --gpu H10" "cost --price H100" \
    "cost --prices nowhere.txt" "stacking --combine optimized_simd" "stacking --combine a=optimized_simd+optimized_online" \
    "scaling --over rows" "power --goal fast"; do
    aisp bench $words
    echo "exit $?"
done
echo "nothing that fits is no mistake"
aisp bench analyze --show leaderboards --grade publishable
