# lib.sh - a place for attacks: a small target, a folder for temporary files of its own, and what must hold after each.
# Sourced, with $here and $build set. The programs are copies in $bin, so that what runs of another test is none of ours.
CLI="${here%/attacks}/cli"
SOURCE="${here%/tests/attacks}"
BUILD="$build"
export LC_ALL=C
unset CC AISP_STORE
. "$CLI/lib.sh"

prepare() {
    folder=$(mktemp -d "${TMPDIR:-/tmp}/aisp-attack-XXXXXX") || return 1
    cd "$folder" || return 1
    bin="$(pwd -P)/bin"
    mkdir bin
    cp "$build/aisp" "$build/aisp-worker" "$build/aisp-jail" bin
    ln -s "$build/targets" "$build/view" bin
    PATH="$bin:$PATH"
    TMPDIR="$folder/temporary"
    export PATH TMPDIR
    mkdir -p temporary in my/double
    problem my/double/problem.c
    variant my/double/baseline.c
    object my/double/problem.c targets/my/double/problem.so
    object my/double/baseline.c targets/my/double/baseline.so
    printf '%s\n%s\n' "$folder/my/double" "$SOURCE/include" >targets/my/double/SOURCE
    variant in/honest.c
    calibrated
}

done_with() {
    cd / && rm -rf "$folder"
}

# judge ARGUMENTS... - the answers go into $folder/answer, the exit code into $code. The time limit leaves room for few pairs:
# what is asked here is not how fast.
judge() {
    aisp bench judge --target my:double --bench-root targets --quick --time-limit 300ms "$@" >answer 2>notes </dev/null
    code=$?
}

# expect NAME WORD - the only answer has that reason word, and the exit code fits.
expect() {
    want=3
    [ -n "$2" ] || want=0
    got=$(sed -n 's/.*"kind":"answer".*"rejected":"\([a-z-]*\)".*/\1/p' answer)
    if [ "$(grep -c '"kind":"answer"' answer)" != 1 ] || [ "$got" != "$2" ] || [ $code != $want ]; then
        echo "$1: exit $code, rejected \"$got\", expected exit $want, \"$2\""
        cat answer notes
        return 1
    fi
    echo "$1: ${2:-measured}"
}

# Programs of this test, and compilers in a mount namespace that is not ours, for no other test builds in one at the same time
# (RESOURCE_LOCK jail), or in our folder, where there are no namespaces. What goes while we look is not left.
processes() {
    own=$(readlink /proc/self/ns/mnt)
    find /proc -maxdepth 2 -path '/proc/[0-9]*/exe' -printf '%h %l\n' 2>/dev/null | while read -r p exe; do
        case $exe in
        "$bin"/aisp-worker* | "$bin"/aisp-jail*) echo "$p $exe" ;;
        */cc1 | */as | */*-as | */collect2 | */ld.bfd | */*-ld.bfd)
            space=$(readlink "$p/ns/mnt" 2>/dev/null) || continue
            where=$(readlink "$p/cwd" 2>/dev/null) || continue
            case $space,$where/ in
            "$own,$(pwd -P)"/*) echo "$p $exe" ;;
            "$own,"*) ;;
            *) echo "$p $exe" ;;
            esac ;;
        esac
    done
}

nothing_left() {
    # A namespace that was ended takes its last process with it in its own time.
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -n "$(processes)" ] || break
        sleep 0.2
    done
    if [ -n "$(processes)" ]; then
        echo "$1: processes are left:"
        processes
        return 1
    fi
    if [ -n "$(ls -A "$folder/temporary")" ] || [ -e "$folder/left" ]; then
        echo "$1: files are left:"
        ls -AR "$folder/temporary" "$folder/left"
        return 1
    fi
}

still_judges() {
    judge in/honest.c
    expect honest ""
}
