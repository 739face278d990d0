# Fixtures that run on a card: the machinery alone, on the fake driver, with variants in plain C. What the fixtures themselves are
# worth only a card can show.
chmod 755 .
mkdir -p there/selftest/cheats_cuda there/selftest/honest_cuda there/selftest/problems none
cp "$BUILD/aisp-selftest" "$BUILD/aisp-worker" "$BUILD/aisp-judge-cuda" there
cp -r "$BUILD/selftest/problems/rsqrt" there/selftest/problems
cp there/selftest/problems/rsqrt/baseline.so there/selftest/problems/rsqrt/baseline.cuda.so
cp "$BUILD/selftest/cheats/shape_mismatch_beside.so" "$BUILD/selftest/honest/stale_cache.so" there/selftest/cheats_cuda
sed 's/^ \* @defence/ * @problem rsqrt\n&/' "$BUILD/selftest/cheats/shape_mismatch_beside.txt" \
    >there/selftest/cheats_cuda/shape_mismatch_beside.txt
printf ' * @problem rsqrt\n * @defence DEVICE_RECORDER\n' >there/selftest/cheats_cuda/stale_cache.txt
cp "$BUILD/fake_cuda/libcuda.so.1" there/selftest/cheats_cuda      # where caged workers may read
cp "$BUILD/fake_cuda/libcuda.so.1" there/selftest/problems/rsqrt
cp "$BUILD/fake_cuda/libcuda.so.1" none
echo "devices 0" >none/libcuda.so.1.script

there/aisp-selftest --device cuda --list
echo "without a card:"
LD_LIBRARY_PATH=$PWD/none there/aisp-selftest --device cuda
echo "exit $?"
there/aisp-selftest --device tape
echo "exit $?"
export LD_LIBRARY_PATH=$PWD/there/selftest/problems/rsqrt:$PWD/there/selftest/cheats_cuda
echo "with one:"
there/aisp-selftest --device cuda shape_mismatch_beside stale_cache | sed 's/ *[0-9.]* s  / /'
grep -E '"(good|on)"|_cuda' artifacts/proofs/*.json | tr -s ' '
there/aisp-selftest --device cuda --seconds 0 --artifacts-dir '' shape_mismatch_beside
there/aisp-selftest --device cuda --artifacts-dir '' no_such
