# ch17:routing_policy: a worker that keeps more documents than its cache holds, or drops another than the oldest, is found by its answers;
# one that moves what it holds about is not.
. "$CLI/lib.sh"
folder=targets/ch17/routing_policy
mkdir -p $folder
cp "$BUILD/targets/ch17/routing_policy/problem.so" "$BUILD/targets/ch17/routing_policy/baseline.so" $folder
variant() { # NAME EDIT OF problem.h EDIT OF workers.h
    mkdir -p "$1/kit"
    cp "$SOURCE"/chapters/ch17/routing_policy/*.h "$1"
    sed -i "$2" "$1/problem.h"
    sed -i "$3" "$1/workers.h"
    object "$SOURCE/chapters/ch17/routing_policy/baseline.c" "$folder/optimized_$1.so" -iquote "$1" -include "$1/workers.h" -Wl,--no-as-needed -lm
}
variant keeps_all 's/PLACES = 5/PLACES = 24/' ''
variant keeps_six 's/PLACES = 5/PLACES = 6/' ''
variant drops_first '' 's/w->used\[p\] < w->used\[oldest\]/0/'
variant other_places '' 's/int oldest = 0;/int oldest = PLACES - 1;/; s/int p = 1; p < PLACES/int p = 0; p < PLACES/'
aisp bench verify --bench-root targets >text
code=$?
grep '^ optimized' text | tr -s ' ' ' '
grep '^violation.*rejected by the problem' text | grep -o 'routing_policy optimized_[a-z_]*' | sort -u
exit $code
