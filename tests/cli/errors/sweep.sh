# A sweep that cannot be measured is refused with its reason before anything runs.
. "$CLI/lib.sh"
target my/double
variant v.c
object v.c targets/my/double/optimized_idea.so
sweep() { aisp bench run -t my:double --bench-root targets "$@"; echo $?; }
sweep --sweep ''
sweep --sweep n
sweep --sweep n=
sweep --sweep =64:128:x2
sweep --sweep n=64
sweep --sweep n=64:4096
sweep --sweep n=4096:64:x2
sweep --sweep n=64:4096:x1
sweep --sweep n=64:4096:+0
sweep --sweep n=1,two
sweep --sweep n=0:64:+1
sweep --sweep n=1:99999999999999999999:x2
sweep --sweep n=1:4000:+1
sweep --sweep n=1:20:+1 --sweep m=1:20:+1
sweep --sweep n=1,2 --sweep n=3,4
sweep --sweep m=1,2
sweep --sweep n=1,2 --set n=7
sweep --sweep n=1000,1000000000000 2>&1 | sed "s/[0-9.]* GiB are/N GiB are/"
sweep --sweep declared
sweep --sweep n=1,2 --update-expectations
aisp bench run --sweep n=1,2; echo $?
# A value that a problem's steps do not have.
aisp bench run -t ch18:kv_layout --sweep dim=64,100; echo $?
[ -e artifacts ] && ls artifacts
aisp bench list-targets --sweeps | awk '/refused/'
[ "$(aisp bench list-targets --sweeps --names | wc -l)" -ge 10 ] || echo "fewer than ten targets declare a sweep"
aisp bench show ch20:fast_matmul | grep -A1 '^sweep'
