#!/bin/sh
# A tag of ours is defined once: struct, union and enum share one namespace in C, so that no file could include two that share one.
set -eu
cd "$(dirname "$0")/../.."
all=$(git ls-files -co --exclude-standard '*.h' '*.cuh')
n=$(echo "$all" | wc -l)
[ "$n" -ge 200 ] || { echo "git lists $n headers, and there are more than 200: nothing was looked at"; exit 1; }
awk '
    /^(struct|union|enum) aisp_[a-z0-9_]+ *\{/ {
        tag = $2
        if (tag in at) { printf "%s:%d: %s is defined at %s as well\n", FILENAME, FNR, tag, at[tag]; bad = 1 }
        at[tag] = FILENAME ":" FNR
    }
    END { exit bad }' $all
