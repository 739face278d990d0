# What `bench judge` is asked wrongly, and what nobody could be asked.
# @shares
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
aisp bench show-run latest; echo $?
# The note beside the objects says where problem.h is; its headers are not asked for, and a folder that moved is told.
mkdir here
echo '#define FACTOR 2' >here/problem.h
printf '#include "problem.h"\n#error factor is FACTOR\n' >includes.c
judged() { aisp bench judge includes.c --target my:double --bench-root targets 2>&1 | sed -n '/^candidates have/p; s/.*\(problem.h: No such file\).*/\1/p; s/.*\(error factor is\).*/\1/p'; }
printf '%s\n%s\n' "$PWD/here" "$PWD/moved" >targets/my/double/SOURCE
judged
printf '%s\n%s\n' "$PWD/moved" "$PWD/here" >targets/my/double/SOURCE
judged
