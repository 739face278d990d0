#!/bin/sh
# A file over 600 lines or a function over 80 wants a simpler idea. Exceptions are named here, with the reason.
#   (none)
set -eu
cd "$(dirname "$0")/../.."
bad=0
all=$(git ls-files -co --exclude-standard '*.c' '*.h' '*.cu' '*.cuh' '*.S')
n=$(echo "$all" | wc -l)
[ "$n" -ge 500 ] || { echo "git lists $n sources, and there are more than 500: nothing was looked at"; exit 1; }
for f in $all; do
    lines=$(wc -l <"$f")
    [ "$lines" -le 600 ] || { echo "$f: $lines lines, over 600"; bad=1; }
done
# A function's body is from a "{" in the first column to the next "}" there.
echo "$all" | grep '\.c$' | xargs awk '
    FNR == 1   { from = 0 }
    /^\{/      { from = FNR }
    /^\}/      { if (from && FNR - from > 80) { printf "%s:%d: function of %d lines, over 80\n", FILENAME, from, FNR - from; bad = 1 }
                 from = 0 }
    END        { exit bad }' || bad=1
exit $bad
