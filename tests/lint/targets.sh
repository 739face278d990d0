#!/bin/sh
# Every target folder has its problem, its baseline and at least one idea; every variant says its idea in AISP_DECLARE.
set -eu
cd "$(dirname "$0")/../.."
bad=0
for problem in $(find chapters -name problem.c); do
    folder=$(dirname "$problem")
    [ -f "$folder/baseline.c" ] || [ -f "$folder/baseline.cu" ] || { echo "$folder: no baseline"; bad=1; }
    [ -n "$(find "$folder" -name 'optimized*.c*')" ] || { echo "$folder: no optimized_<idea>"; bad=1; }
    for variant in "$folder"/baseline.c* "$folder"/optimized*.c* "$folder"/peer_*.c*; do
        [ ! -f "$variant" ] || grep -q '"idea: ' "$variant" || { echo "$variant: no idea declared"; bad=1; }
    done
    grep -q '\.why = "' "$problem" || { echo "$problem: the tolerance has no reason"; bad=1; }
done
exit $bad
