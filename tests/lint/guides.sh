#!/bin/sh
# Every target is described in its chapter's README with all of its rungs, every rung named there exists, and every link leads somewhere.
set -eu
cd "$(dirname "$0")/../.."
bad=0
say() { echo "$*"; bad=1; }

# rows README TARGET - the names in the first column of a target's table
rows() {
    awk -v head="**[$2]($2/)**" '
        index($0, head) == 1 { inside = 1; next }
        /^\*\*\[/ || /^## / || /^Not measured/ { inside = 0 }
        inside && /^\| `/ { split($0, cell, "|"); print cell[2] }' "$1" | grep -o '`[a-z0-9_]*`' | tr -d '`'
}

for problem in $(find chapters -name problem.c); do
    folder=$(dirname "$problem")
    readme=$(dirname "$folder")/README.md
    target=$(basename "$folder")
    named=$(rows "$readme" "$target")
    for file in $(find "$folder" -name 'optimized_*.c*' -o -name 'peer_*.c*'); do
        rung=$(basename "${file%.*}")
        echo "$named" | grep -qx "${rung#optimized_}" || say "$readme: $target has a rung ${rung#optimized_}"
    done
    for rung in $named; do
        [ -n "$(find "$folder" -name "$rung.c*" -o -name "optimized_$rung.c*")" ] || say "$readme: $target has no rung $rung"
    done
done
for page in chapters/*/README.md docs/guide/*.md deploy/README.md; do
    for link in $(grep -o '](\([^)# ]*\))' "$page" | sed 's/](\(.*\))/\1/' | grep -v '://'); do
        [ -e "$(dirname "$page")/$link" ] || say "$page: no $link"
    done
done
exit $bad
