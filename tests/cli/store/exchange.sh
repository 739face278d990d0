# Runs out of one store and into another: all of them, one by name, a folder; twice changes nothing, and a bad line leaves nothing.
. "$CLI/lib.sh"
target my/double
variant v.c
object v.c targets/my/double/optimized.so
ids() { sed -e 's/20[0-9TZ]*-[0-9a-f]*/RUN/g' -e 's/byte [0-9]*/byte N/'; }
aisp bench verify --bench-root targets >text 2>&1; echo "verify: exit $?"
aisp store export all.jsonl
aisp store import all.jsonl --artifacts-dir other
aisp store import all.jsonl --artifacts-dir other
aisp store import artifacts/runs/20* --artifacts-dir other
aisp store export --run latest one.jsonl --no-evidence
aisp store import one.jsonl --artifacts-dir third
aisp store check --artifacts-dir third
aisp store export none.jsonl --run 1999; echo "no such run: exit $?"
[ -e none.jsonl ] && echo "a file was left"
echo "-- a bad line"
sed '3s/"result":{/"result":{,/' all.jsonl >bad.jsonl
aisp store import bad.jsonl --artifacts-dir fourth >text 2>&1; echo "exit $?"
ids <text
ls fourth/runs 2>/dev/null
aisp store check --artifacts-dir fourth
echo "-- the same run with another content"
sed 's/"verdict":"VERIFIED"/"verdict":"FASTER"/' all.jsonl >forged.jsonl
aisp store import forged.jsonl 2>&1 | ids
aisp store import nothing.jsonl
