# A worker is told which kernels its core deserves, or what the user says, and that idle threads of OpenBLAS sleep.
# @shares
. "$CLI/lib.sh"
calibrated || exit 9
has() { for flag; do grep -qw "$flag" /proc/cpuinfo || return 1; done; }
if has avx512f avx512dq avx512bw avx512vl; then core=SKYLAKEX
elif has avx2 fma && has AuthenticAMD; then core=ZEN
elif has avx2 fma; then core=HASWELL
else core=none; fi
target my/double
says() { echo "const char *core = getenv(\"OPENBLAS_CORETYPE\"), *sleep = getenv(\"OPENBLAS_THREAD_TIMEOUT\");
    y[i] = sleep && !strcmp(sleep, \"4\") && !strcmp(core ? core : \"none\", \"$1\") ? 2 * x[i] : 0;"; }
for core in "$core" Barcelona; do
    [ $core = Barcelona ] && name=own || name=ours
    variant $name.c "$(says $core)"
    object $name.c targets/my/double/optimized_$name.so -include string.h
done
verify() { aisp bench verify --bench-root targets | grep "^ optimized" | tr -s ' ' | cut -d' ' -f2,5; }
unset OPENBLAS_CORETYPE
verify
export OPENBLAS_CORETYPE=Barcelona
verify
# Of a run with such a peer it is said that the kernels are the user's choice.
cp targets/my/double/optimized_own.so targets/my/double/peer_openblas.so
aisp bench run -t my:double --variant peer_openblas --bench-root targets --quick --time-limit 100ms 2>&1 >/dev/null | grep OPENBLAS
aisp bench run -t my:double --variant optimized_own --bench-root targets --quick --time-limit 100ms 2>&1 >/dev/null | grep -c OPENBLAS || :
