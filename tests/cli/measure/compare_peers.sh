# Ours against a library in the same pairs: every rung, no other peer, and the record shows it again as direct.
# @shares
. "$CLI/lib.sh"
target my/double
slow='for (volatile int k = 0; k < 60; k++) ; y[i] = 2 * x[i];'
variant peer_slow.c "$slow"
variant optimized_one.c
variant optimized_wrong.c 'y[i] = 3 * x[i];'
for v in peer_slow optimized_one optimized_wrong; do
    object $v.c targets/my/double/$v.so
done
calibrated || exit 9
facts() { grep -E '"(peer|variant|reference|verdict|basis|through|size)":' | sed -e 's/^ *//' -e 's/FASTER\|UNSURE/NOT SLOWER/'; }
aisp bench compare-peers -t my:double --bench-root targets --time-limit 2s --json >run
echo "exit $?"
facts <run
echo == recorded
aisp bench peers --json | facts
echo == no peer
rm targets/my/double/peer_slow.so
aisp bench compare-peers --bench-root targets
echo "exit $?"
