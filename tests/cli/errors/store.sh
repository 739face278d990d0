# A store that cannot be used ends with 1, and what was there is untouched.
. "$CLI/lib.sh"
target my/double
variant v.c
object v.c targets/my/double/optimized.so
echo precious >artifacts
aisp bench verify -t my:double --bench-root targets; echo $?
cat artifacts
rm artifacts
mkdir artifacts
echo "this is no database, and long enough to be looked at twice" >artifacts/aisp.sqlite
aisp bench verify -t my:double --bench-root targets; echo $?
cat artifacts/aisp.sqlite
aisp bench run --resume --artifacts-dir elsewhere
