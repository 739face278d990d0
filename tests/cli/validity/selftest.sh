# The proofs ship: the program, the worker and selftest/ in another place are enough, and what was seen is kept for the audit.
mkdir -p there/selftest/cheats there/selftest/honest there/selftest/problems
cp "$BUILD/aisp-selftest" "$BUILD/aisp-worker" there
cp -r "$BUILD/selftest/problems/rsqrt" there/selftest/problems
cp "$BUILD"/selftest/cheats/priority_elevation.so "$BUILD"/selftest/cheats/priority_elevation.txt there/selftest/cheats
cp "$BUILD"/selftest/honest/priority_elevation.so "$BUILD"/selftest/honest/priority_elevation.txt there/selftest/honest
there/aisp-selftest --list | grep -v '^scripted/'
there/aisp-selftest cheats/priority_elevation honest/priority_elevation >text || cat text
tail -1 text
grep -c '"good": true' artifacts/proofs/*.json
aisp bench audit --all | grep '^70 priority' | grep -oE '(proven|in part) +20[0-9-]*' | sed -e 's/20[0-9-]*/DATE/' -e 's/in part/proven/' | tr -s ' '
there/aisp-selftest --artifacts-dir '' --json honest/priority_elevation 2>/dev/null | grep -E '"good"|"caught"' | head -2
echo "a twin that its check accuses fails the proof:"
cp there/selftest/cheats/priority_elevation.so there/selftest/honest/priority_elevation.so
there/aisp-selftest --artifacts-dir other honest/priority_elevation | tail -1
grep -c '"good": false' other/proofs/*.json
there/aisp-selftest --no-such 2>&1
echo "a name alone is a cheat and its twin, of this device:" >&2
cp "$BUILD"/selftest/honest/priority_elevation.so there/selftest/honest
there/aisp-selftest priority_elevation 2>/dev/null | tail -1
there/aisp-selftest cheats_cuda/nan 2>&1 | head -1
there/aisp-selftest priority_elevation --json >/dev/null 2>&1; echo $?
