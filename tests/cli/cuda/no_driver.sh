# A machine without a card, or whose driver shows none: one line says so and the code is 5; the CPU's forms go on as ever.
. "$CLI/lib.sh"
export CUDA_VISIBLE_DEVICES=

try() { # what it says is the driver's own
    "$@" --bench-root targets 2>err >out; echo "code $?"
    sed 's/^\(aisp: cuda: \)..*/\1(why)/' err
    cat out
}

target my/double
variant sum.c 'y[i] = x[i] + x[i];'
object sum.c targets/my/double/optimized_sum.so
try aisp bench run --device cuda -t my:double
try aisp bench verify --device cuda -t my:double
try aisp bench compare my:double/baseline my:double/sum --device cuda
aisp bench verify -t my:double --bench-root targets >/dev/null 2>&1; echo "the CPU: code $?"
aisp bench run --device tpu -t my:double
