#!/bin/sh
# postgresql.sh BUILD - the shared store on a real server, started here and gone afterwards: the store's unit tests through it,
# then two "machines" (folders) that measure, read each other's runs, write at once, and lose the server in the middle.
# Ends with 77 where PostgreSQL's server programs are not installed.
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) || exit 2
. "$here/server.sh"
CLI="${here%/store}/cli" SOURCE="${here%/tests/store}" BUILD="$build" LC_ALL=C PATH="$build:$PATH"
export CLI SOURCE BUILD LC_ALL PATH
unset CC AISP_STORE AISP_ALLOW_VIRTUALIZATION
. "$CLI/lib.sh"

server_programs || {
    echo "skipped: PostgreSQL's server programs (initdb, postgres) are not installed; tools/install-deps test installs them"
    exit 77
}
# 65,000 files that nobody keeps, 2.2 GB: in memory, where there is room for twice that.
place=${TMPDIR:-/tmp}
[ "$(df -Pm /dev/shm 2>/dev/null | awk '$1 == "tmpfs" { print $4 }')" -gt 4500 ] 2>/dev/null &&
    [ "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)" -gt 9000000 ] && place=/dev/shm
temporary=$(mktemp -d "$place/aisp-pg-XXXXXX") || exit 2
readonly temporary
chmod 711 "$temporary"
trap 'server_stop; cd / && rm -rf "$temporary"' EXIT
trap 'exit 130' INT TERM
cd "$temporary" || exit 2
failed=0
say() { echo "FAILED: $*"; failed=1; }

# expect CODE COMMAND... - what it prints goes to ./text; it must end with CODE
expect() {
    want=$1
    shift
    "$@" >text 2>&1
    code=$?
    [ $code -eq "$want" ] || { say "exit $code, not $want: $*"; cat text; }
}

# one_line WORDS - ./text is one line with these words, behind how long a run may take, and no password
one_line() {
    [ "$(grep -vc ' comparisons*: at most ' text)" -eq 1 ] && grep -q "$1" text || { say "not one line about \"$1\":"; cat text; }
    ! grep -q secret text || say "a password is shown"
}

echo "== a server of the tests' own"
server_start "$temporary/server" || exit 1

echo "== unit tests of the store"
export AISP_TEST_POSTGRESQL="$SERVER"
for source in $(grep -lE 'store_(place|scene)\.h' "$SOURCE"/tests/unit/*_test.c); do
    name=$(basename "$source" .c)
    if "$build/$name" >unit.log 2>&1; then echo "$name: $(grep -c '       OK' unit.log) passed"
    else say "$name"; grep -v 'RUN\|       OK' unit.log; fi
done

echo "== two machines, one store"
sql postgres 'CREATE DATABASE shared' || exit 1
export AISP_STORE="$SERVER/shared"
target my/double
for name in one two; do
    variant v.c
    object v.c targets/my/double/optimized_$name.so
done
measure() { aisp bench run -t my:double --bench-root targets --quick --time-limit 300ms --artifacts-dir "$@"; }
ran() { [ "$1" = 0 ] || [ "$1" = 3 ]; }     # 3: a crowded machine may make a result invalid; the record is what matters here
expect 0 aisp calibrate --quick --artifacts-dir a
measure a --variant optimized_one >text 2>&1; ran $? || { say "bench run"; cat text; }
[ ! -e a/aisp.sqlite ] || say "the index is in the folder too"
# reads_alike STORE FOLDER - the commands that read say there what they say of the shared store in a
reads_alike() {
    for command in list-runs "show-run latest" "report latest --format json" "recheck latest --bench-root targets" \
        "show my:double --bench-root targets" "summary latest" "triage latest" "history my:double" analyze quarantine-report; do
        aisp bench $command --artifacts-dir a --json >here 2>&1; code=$?
        AISP_STORE=$1 aisp bench $command --artifacts-dir "$2" --json >there 2>&1
        [ $? -eq $code ] || say "bench $command ends otherwise in $2"
        sed -i -e 's|"[a-z]/|"|g' -e 's|--artifacts-dir [a-z]||g' here there
        diff here there >/dev/null || { say "bench $command reads otherwise in $2"; diff here there | head -5; }
    done
}
reads_alike "$AISP_STORE" b
expect 2 aisp bench run --resume --artifacts-dir b --bench-root targets
one_line "nothing to resume"

echo "== two writers at once"
measure a --variant optimized_one >one.log 2>&1 & first=$!
sleep 1.1                                  # runs of one second have no order that an import would keep
measure b --variant optimized_one >two.log 2>&1 & second=$!
wait $first; ran $? || { say "the first"; cat one.log; }
wait $second; ran $? || { say "the second"; cat two.log; }
[ "$(sql shared 'SELECT count(*) FROM aisp.seal')" = 3 ] || say "not three sealed runs"
[ "$(sql shared 'SELECT count(*) - count(DISTINCT evidence_sha256) FROM aisp.result')" = 0 ] || say "evidence is not by result"
[ "$(sql shared 'SELECT count(*) FROM aisp.result WHERE evidence_sha256 NOT IN (SELECT sha256 FROM aisp.evidence)')" = 0 ] ||
    say "results without evidence"

echo "== out of it into an embedded store, and in again"
expect 0 aisp store export all.jsonl --artifacts-dir a
AISP_STORE='' expect 0 aisp store import all.jsonl --artifacts-dir c
reads_alike '' c
AISP_STORE='' expect 0 aisp store export again.jsonl --artifacts-dir c
cmp all.jsonl again.jsonl || say "the embedded store exports something else"
expect 0 aisp store import again.jsonl --artifacts-dir b
grep -q 'nothing new' text || { say "importing what is there changed something"; cat text; }
for machine in a b; do expect 0 aisp store check --artifacts-dir $machine; done

echo "== the server goes away in the middle"
aisp bench run -t my:double --bench-root targets --time-limit 2s --artifacts-dir a >text 2>notes & pid=$!
results() { sql shared 'SELECT count(*) FROM aisp.result WHERE run IN (SELECT run FROM aisp.open_run)'; }
while [ "$(results)" = 0 ] && kill -0 $pid 2>/dev/null; do sleep 0.05; done
server_stop fast
wait $pid; code=$?
cat notes >>text
[ $code -eq 1 ] || { say "exit $code, not 1"; cat text; }
grep 'connection was lost' text >lost || { say "lost, but how"; cat text; }
mv lost text
one_line "the connection was lost"
expect 1 aisp bench report latest --artifacts-dir a
one_line "No such file or directory"
(cd "$server" && exec_server) || exit 1
[ "$(results)" = 1 ] || say "not the one result that was stored"
aisp bench run --resume --bench-root targets --artifacts-dir a >text 2>&1; ran $? || { say "resume"; cat text; }
[ "$(sql shared 'SELECT count(*) FROM aisp.open_run')" = 0 ] || say "the run is still open"
[ "$(sql shared 'SELECT count(*) FROM aisp.seal')" = 4 ] || say "not four sealed runs"

echo "== refusals"
sql postgres "CREATE ROLE auditor LOGIN; CREATE ROLE closed LOGIN PASSWORD 'right'" || exit 1
sql shared "GRANT USAGE ON SCHEMA aisp TO auditor; GRANT SELECT ON ALL TABLES IN SCHEMA aisp TO auditor" || exit 1
socket=${SERVER#*@}
AISP_STORE="postgresql://auditor@$socket/shared" expect 0 aisp bench report latest --artifacts-dir a
AISP_STORE="postgresql://auditor@$socket/shared" expect 1 measure a
one_line "may only be read with this role"
AISP_STORE="postgresql://closed:secret@$socket/shared" expect 1 aisp bench report latest --artifacts-dir a
one_line "authentication failed"
AISP_STORE="postgresql://aisp@$socket/nowhere" expect 1 aisp bench report latest --artifacts-dir a
one_line '"nowhere" does not exist'
AISP_STORE="postgresql://aisp:secret@word@$socket/shared" expect 2 aisp bench report latest --artifacts-dir a
one_line "percent-encoded"
[ $failed -eq 0 ] && echo "all as expected"
exit $failed
