# names.sh - a file's name is a name, whatever is in it: no option, no response file, no script, and clean in the answer.
prepare || exit 9
failed=0
try() {
    cp in/honest.c "$1" || return 1
    judge "${2:-$1}"
    expect "$3" "" || return 1
    nothing_left "$3" || return 1
    rm -f "$1"
}
mkdir odd
try "./-o.c" "./-o.c" "an option" || failed=1
try "./@file.c" "./@file.c" "a response file" || failed=1
try "odd/x;touch left;.c" "" "a command" || failed=1
try "odd/\$(touch left).c" "" "a substitution" || failed=1
try "odd/-Wl,-T,script.ld.c" "" "a linker script" || failed=1
try "odd/--help.c" "" "another option" || failed=1
try "odd/.c" "" "no name at all" || failed=1
try "odd/$(printf 'line\nend\033[31m').c" "" "control characters" || failed=1
LC_ALL=C grep -q "$(printf '\033')" answer && { echo "a control character in the answer"; failed=1; }
try "odd/$(printf '\377\376').c" "" "no UTF-8" || failed=1
try "odd/$(printf '%0250d' 0).c" "" "a huge name" || failed=1
grep -q '"candidate":"0\{63\}"' answer || { echo "a huge name is not cut"; failed=1; }
[ ! -e left ] || { echo "a name was a command"; failed=1; }
# A zero byte can only come in a line of JSON.
printf '{"name": "a\\u0000b.c", "source": "int x;"}\n{"name": "b"}\nno json\n' >lines
aisp bench judge --target my:double --bench-root targets --quick --stdin --lines <lines >answer 2>notes
code=$?
[ $code = 3 ] && [ "$(grep -c '"rejected":"bad-request"' answer)" = 3 ] || { echo "bad lines: exit $code"; cat answer notes; failed=1; }
