# Right answers are verified, wrong ones and crashes are invalid rows with their finding; the rest goes on; exit 3.
. "$CLI/lib.sh"
target my/double
variant right.c
variant wrong.c 'y[i] = i % 1000 == 999 ? 0 : 2 * x[i];'
variant crash.c 'abort();'
for name in right wrong crash; do object $name.c targets/my/double/optimized_$name.so; done
echo text >targets/my/double/optimized_text.so
aisp bench verify --bench-root targets >text
code=$?
grep '^ optimized' text | tr -s ' ' ' '
grep -o '^violation (my:double optimized_[a-z]*)' text | sort -u
grep '^4 comparisons' text | sed -e 's/ in [0-9]* s//' -e 's/recorded in .*/recorded/'
aisp bench verify -t my --bench-root targets --json | grep -E '"(ratio|verdict)"' | sort | uniq -c | tr -s ' ' ' '
exit $code
