# attempts.sh - attempts are counted, an answer can be had again without judging, the best of several is called that.
prepare || exit 9
failed=0
field() { sed -n "s/.*\"kind\":\"answer\".*\"$1\":\([^,}]*\).*/\1/p" answer; }
cp in/honest.c in/try_1.c
sed 's/2 \* x/x[i] + x/' in/honest.c >in/try_2.c
judge in/try_1.c
[ "$(field attempt)" = 1 ] || { echo "attempt $(field attempt), not 1"; cat answer notes; failed=1; }
judge in/try_1.c --resume
[ "$(field attempt),$(field stored)" = 1,true ] || { echo "not answered from the store"; cat answer; failed=1; }
judge in/try_1.c --resume --again
[ "$(field attempt),$(field stored)" = 2,false ] || { echo "not judged again"; cat answer; failed=1; }
judge in/try_2.c --family try --confirm
[ "$(field attempt)" = 3 ] || { echo "attempt $(field attempt), not 3"; failed=1; }
grep -q '"kind":"best".*"best_of":3' answer || { echo "not called the best of 3"; cat answer notes; failed=1; }
grep -q '"confirmed":{\|"confirm_why":"its source' answer || { echo "not confirmed, and no reason"; cat answer; failed=1; }
cp in/try_1.c in/try_2.c "$folder/"
judge try_1.c try_2.c --resume --confirm
grep -q '"confirmed":{' answer || { echo "not confirmed"; cat answer notes; failed=1; }
aisp bench judge --target my:double --bench-root targets --quick --time-limit 300ms --stdin --family piped <in/honest.c >answer 2>notes
code=$?
expect stdin "" || failed=1
[ "$(field attempt)" = 1 ] || { echo "another family is counted apart"; failed=1; }
nothing_left attempts || failed=1
