# The blocks of m and of n that no size of verification is large enough for, each with more than one of k.
packed() {
    aisp-plain "$BUILD/targets/ch09/gemm_ladder" optimized_packed --device cpu "$@" | grep '^optimized_packed' | tr -s ' ' | cut -d ' ' -f 1-3
}
packed --set m=1500 --set n=40 --set k=720
packed --set m=20 --set n=2060 --set k=720
