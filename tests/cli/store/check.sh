# What is wrong with a store is found and, where the rest of it says what was there, repaired; no run is ever removed.
. "$CLI/lib.sh"
target my/double
variant v.c
object v.c targets/my/double/optimized.so
ids() { sed -e 's/20[0-9TZ]*-[0-9a-f]*/RUN/g'; }
aisp bench verify --bench-root targets >text 2>&1; echo "verify: exit $?"
aisp store check
rm artifacts/runs/*/results.json
aisp store check | ids; aisp store check >/dev/null; echo "exit $?"
aisp store check --repair | ids; aisp store check
echo "-- the index is gone"
rm artifacts/aisp.sqlite*
aisp store check --repair | ids
aisp store check
echo "-- evidence was changed"
for file in artifacts/runs/*/evidence/*; do echo >>"$file"; done
aisp store check --repair >found; echo "exit $?"
ids <found
