# A bug of ours ends with 70: an abort never looks like a result.
. "$CLI/lib.sh"
target my/double
variant v.c 'for (;;) __asm__ volatile("");'
object v.c targets/my/double/optimized.so
aisp bench verify -t my:double --bench-root targets >/dev/null 2>&1 &
sleep 1
kill -ABRT $!
wait $!
