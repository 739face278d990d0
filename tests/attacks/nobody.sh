# nobody.sh - an ordinary user judges as root does. Needs root, to become somebody else.
[ "$(id -u)" = 0 ] && command -v runuser >/dev/null || exit 77
prepare || exit 9
failed=0
chmod 0777 "$folder" temporary in
runuser -u nobody -- test -x "$bin/aisp" -a -r "$build/view/variant/aisp/problem.h" || exit 77
chown -R nobody "$folder"
judge() {
    runuser -u nobody -- env PATH="$PATH" TMPDIR="$TMPDIR" "$bin/aisp" bench judge --target my:double --bench-root targets --quick \
        --time-limit 300ms "$@" >answer 2>notes </dev/null
    code=$?
}
for name in include_passwd endless_assembler read_passwd fork_bomb kill_parent write_outside; do
    source="$here/sources/$name.c"
    word=$(sed -n 's/.*@reason \([a-z-]*\).*/\1/p' "$source")
    sed -e "s|@TARGET@|$folder/my/double|g" -e "s|@HERE@|$folder|g" "$source" >"in/$name.c"
    judge "in/$name.c"
    expect "$name" "$word" || failed=1
    nothing_left "$name" || failed=1
done
judge --sandbox landlock in/include_passwd.c
expect "include_passwd without namespaces" compile-missing-file || failed=1
nothing_left "include_passwd without namespaces" || failed=1
judge in/honest.c
expect honest "" || failed=1
