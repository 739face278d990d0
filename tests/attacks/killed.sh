# killed.sh - aisp is killed in the middle: of a build, and of a run. Nothing outlives it.
prepare || exit 9
failed=0
# begin ARGUMENTS... - in the background; $judge is its process.
begin() {
    aisp bench judge --target my:double --bench-root targets --quick "$@" >answer 2>notes </dev/null &
    judge=$!
}
# until_runs PATTERN - a process of ours that matches is there.
until_runs() {
    for _ in $(seq 200); do
        processes | grep -qE "$1" && return 0
        sleep 0.05
    done
    echo "no $1 was started"
    return 1
}
sources="$here/sources"
cp "$sources/endless_assembler.c" "$sources/call_hangs.c" in/
begin in/endless_assembler.c
until_runs 'aisp-jail' || failed=1
kill -9 $judge
wait $judge 2>/dev/null
nothing_left "killed in a build" || failed=1
begin in/call_hangs.c
until_runs 'aisp-worker' || failed=1
kill -9 $judge
wait $judge 2>/dev/null
nothing_left "killed in a run" || failed=1
# Without namespaces the build has a folder, which the next judge removes.
begin --sandbox landlock in/endless_assembler.c
until_runs 'aisp-jail' || failed=1
sleep 0.3
kill -9 $judge
wait $judge 2>/dev/null
judge in/honest.c
expect "honest, after it was killed" "" || failed=1
nothing_left "killed without namespaces" || failed=1
