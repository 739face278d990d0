# A reference that is right is run in the first comparison of its target, and the others say in which; a wrong one in each.
. "$CLI/lib.sh"
target my/double
for name in one two three; do
    variant v.c
    object v.c targets/my/double/optimized_$name.so
done
once() {
    aisp bench verify --bench-root targets --json >json
    echo "code $?"
    grep -o '"in": *"[^"]*"' json | sort | uniq -c | tr -s ' '
}
once
grep -l '"reference_in"' artifacts/runs/*/evidence/* | sed 's|.*/||' | sort
variant baseline.c 'y[i] = i == 5 ? 0 : 2 * x[i];'
object baseline.c targets/my/double/baseline.so
once
