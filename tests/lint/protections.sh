#!/bin/sh
# Every check has a cheat that fires it and an honest twin that does not, or stands in tests/cheats/UNPROVEN with the reason.
set -eu
cd "$(dirname "$0")/../.."
bad=0
names=$(grep -rhoE --include='*.c' '\.name = "[a-z-]+"' checks | sed 's/.*"\(.*\)"/\1/')
[ "$(echo "$names" | wc -l)" -ge 20 ] || { echo "only $(echo "$names" | wc -l) checks found"; bad=1; }
[ -z "$(echo "$names" | sort | uniq -d)" ] || { echo "name used twice: $(echo "$names" | sort | uniq -d)"; bad=1; }
for name in $names; do
    file=$(echo "$name" | tr - _).c
    proven=1
    [ -f "tests/cheats/$file" ] && [ -f "tests/honest/$file" ] || proven=0
    listed=$(grep -c "^$name " tests/cheats/UNPROVEN || true)
    [ $proven = 1 ] || [ "$listed" = 1 ] || { echo "$name: no cheat and twin, and not in tests/cheats/UNPROVEN"; bad=1; }
    [ $proven = 0 ] || [ "$listed" = 0 ] || { echo "$name: proven, take it out of tests/cheats/UNPROVEN"; bad=1; }
done
exit $bad
