# batch.sh - one candidate never ends the others' judging: whatever it does, the next one of the same call is answered. By root, and
# by nobody's hands where this is root: there a process may hide from its supervisor, and threads are counted with the supervisor's.
prepare || exit 9
failed=0
hostile="hides thread_bomb"

# answers NAME WORD - two answers: the hostile one's word ("*": any), and the honest one's, which was measured.
answers() {
    got=$(sed -n 's/.*"kind":"answer".*"rejected":"\([a-z-]*\)".*/\1/p' answer | tr '\n' ' ')
    n=$(grep -c '"kind":"answer"' answer)
    case "$n $got" in
    "2 "$2\ \ ) ;;
    *)
        echo "$1: $n answers \"$got\", expected \"$2\" and then \"\" (exit $code)"
        cat answer notes
        return 1 ;;
    esac
    echo "$1: $2, and the next one was measured"
}

both() {
    for name in $hostile; do
        source="$here/sources/$name.c"
        word=$(sed -n 's/.*@reason \([a-z-]*\).*/\1/p' "$source")
        cp "$source" in/hostile.c
        judge in/hostile.c in/honest.c
        answers "$1$name" "$word" || failed=1
        nothing_left "$1$name" || failed=1
    done
}

both ""

# Threads that start while it is loaded, and as many as there is room for: the reference's process is there by then, since both are
# started before either is loaded. They are declared, and sleep.
crowd() {
    there=$(ps -eLo uid= | grep -c '^ *65534$')
    sed -e 's/MANY = 1 << 20/MANY = 900/' "$here/sources/thread_bomb.c" >in/hostile.c
    runuser -u nobody -- prlimit --nproc=$((there + 150)) env PATH="$PATH" TMPDIR="$TMPDIR" "$bin/aisp" bench judge \
        --target my:double --bench-root targets --quick --time-limit 1s in/hostile.c in/honest.c >answer 2>notes </dev/null
    code=$?
    answers "a crowd that leaves no room" "" || failed=1
    nothing_left "a crowd that leaves no room" || failed=1
}

if [ "$(id -u)" = 0 ] && command -v runuser >/dev/null && runuser -u nobody -- test -r "$build/view/variant/aisp/problem.h"; then
    chmod 0777 "$folder" temporary in
    chown -R nobody "$folder"
    judge() {
        runuser -u nobody -- env PATH="$PATH" TMPDIR="$TMPDIR" "$bin/aisp" bench judge --target my:double --bench-root targets \
            --quick --time-limit 300ms "$@" >answer 2>notes </dev/null
        code=$?
    }
    both "by nobody, "
    crowd
else
    echo "by nobody: not tried"
fi
