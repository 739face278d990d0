# An expression that cannot be read is shown with the place of the mistake.
. "$CLI/lib.sh"
target my/double
problem problem.c '8*m'
object problem.c targets/my/double/problem.so
variant v.c
object v.c targets/my/double/optimized.so
aisp bench run -t my:double --bench-root targets; echo $?
aisp bench show my:double --bench-root targets; echo $?
mkdir -p my/own
problem my/own/problem.c '8*(n'
variant my/own/baseline.c
variant my/own/optimized.c
aisp bench run my/own/optimized.c
