#!/bin/sh
# Every check is proven (a cheat that fires it and an honest twin that does not), or logic only (both, but with a played device:
# tests/scripted), or stands in tests/cheats/UNPROVEN with the reason; in one of these only. What the last line counts is what
# the product prints.
set -eu
cd "$(dirname "$0")/../.."
bad=0
n_proven=0 n_logic=0 n_unproven=0
names=$(grep -rhoE --include='*.c' '\.name = "[a-z-]+"' checks | sed 's/.*"\(.*\)"/\1/')
[ "$(echo "$names" | wc -l)" -ge 60 ] || { echo "only $(echo "$names" | wc -l) checks found"; bad=1; }
[ -z "$(echo "$names" | sort | uniq -d)" ] || { echo "name used twice: $(echo "$names" | sort | uniq -d)"; bad=1; }

# played NAME CHECK: is there a script of that kind, in a file of tests/scripted, on a line of its own?
played() {
    grep -qE "^SCRIPTED_$1\([a-z0-9_]+, \"$2\"," tests/scripted/*.c
}

for name in $names; do
    file=$(echo "$name" | tr - _).c
    listed=$(grep -c "^$name " tests/cheats/UNPROVEN || true)
    if [ -f "tests/cheats/$file" ] && [ -f "tests/honest/$file" ]; then
        n_proven=$((n_proven + 1))
        [ "$listed" = 0 ] || { echo "$name: proven, take it out of tests/cheats/UNPROVEN"; bad=1; }
    elif played CHEAT "$name" && played TWIN "$name"; then
        n_logic=$((n_logic + 1))
        [ "$listed" = 0 ] || { echo "$name: logic only, take it out of tests/cheats/UNPROVEN"; bad=1; }
    elif [ "$listed" = 1 ]; then
        n_unproven=$((n_unproven + 1))
    else
        echo "$name: no cheat and twin, no scripts of both, and not in tests/cheats/UNPROVEN"
        bad=1
    fi
done

# A script has both halves, of one name and one check.
for file in tests/scripted/*.c; do
    base=$(basename "$file" .c)
    for kind in CHEAT TWIN; do
        grep -qE "^SCRIPTED_$kind\($base, \"[a-z-]+\"," "$file" || { echo "$file: no SCRIPTED_$kind($base, ...)"; bad=1; }
    done
    [ "$(grep -hoE '^SCRIPTED_(CHEAT|TWIN)\([a-z0-9_]+, "[a-z-]+"' "$file" | sed 's/.*(//' | sort -u | wc -l)" = 1 ] ||
        { echo "$file: its cheat and its twin name different checks"; bad=1; }
    check=$(grep -hoE '^SCRIPTED_CHEAT\([a-z0-9_]+, "[a-z-]+"' "$file" | sed 's/.*"\(.*\)"/\1/')
    echo "$names" | grep -qx -- "$check" || { echo "$file: there is no check $check"; bad=1; }
done
echo "$n_proven proven, $n_logic logic only, $n_unproven unproven"
exit $bad
