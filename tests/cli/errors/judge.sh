# What `bench judge` is asked wrongly, and what nobody could be asked.
. "$CLI/lib.sh"
target my/double
variant v.c
object v.c targets/my/double/optimized.so
calibrated || exit 9
aisp bench judge --bench-root targets; echo $?
aisp bench judge v.c --bench-root targets; echo $?
aisp bench judge v.c --target my:duoble --bench-root targets; echo $?
aisp bench judge none.c --target my:double --bench-root targets; echo $?
aisp bench judge v.c --lines --target my:double --bench-root targets; echo $?
aisp bench judge v.c --placement-audit --target my:double --bench-root targets; echo $?
CC=no-such-compiler aisp bench judge v.c --target my:double --bench-root targets; echo $?
mkdir empty
aisp bench judge empty --target my:double --bench-root targets; echo $?
