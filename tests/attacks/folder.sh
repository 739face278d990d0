# folder.sh - a folder that a stranger filled: links, pipes, folders and giants are no candidates; the honest one among them is.
prepare || exit 9
failed=0
mkdir given
cp in/honest.c given/honest.c
ln -s /etc/passwd given/link.c
ln -s "$folder/my/double/problem.c" given/problem.c
mkfifo given/pipe.c
mkdir given/folder.c
head -c 1500000 /dev/zero | tr '\0' ' ' >given/giant.c
judge given --jobs 3
of() { sed -n "s/.*\"candidate\":\"$1\".*\"rejected\":\"\([a-z-]*\)\".*/\1/p" answer; }
[ $code = 3 ] || { echo "exit $code, not 3"; failed=1; }
for name in link.c problem.c pipe.c folder.c; do
    [ "$(of $name)" = not-a-file ] || { echo "$name: \"$(of $name)\", not not-a-file"; failed=1; }
done
[ "$(of giant.c)" = source-too-large ] || { echo "giant.c: \"$(of giant.c)\""; failed=1; }
[ "$(grep -c '"candidate":"honest.c".*"rejected":""' answer)" = 1 ] || { echo "the honest one was not judged"; cat answer notes; failed=1; }
[ "$(grep -c '"kind":"answer"' answer)" = 6 ] || { echo "not one answer each"; failed=1; }
grep -q root: answer && { echo "a linked file shows in the answers"; failed=1; }
nothing_left folder || failed=1
