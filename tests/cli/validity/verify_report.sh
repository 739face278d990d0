# What was verified of each target, in three formats; HTML needs nothing else; a GPU that nobody has is said.
. "$CLI/lib.sh"
target my/double
target my/never
variant right.c
variant wrong.c 'y[i] = i % 1000 == 999 ? 0 : 2 * x[i];'
for name in right wrong; do object $name.c targets/my/double/optimized_$name.so; done
object right.c targets/my/never/optimized_right.so
aisp bench verify -t my:double --bench-root targets --verify-phase quarantine >/dev/null
for format in markdown html json; do aisp bench verify-report --bench-root targets --format $format; done
sed -n '3p' artifacts/verify-report.md
grep '^| optimized' artifacts/verify-report.md | sed -e 's/wrong, .*/WHAT |/' -e 's/| [a-z-]*: .*/| WHAT |/' | numbers
tail -1 artifacts/verify-report.md
grep -c '<tr><th scope="row">' artifacts/verify-report.html
grep -oE '(src|href)=|<script|https?:' artifacts/verify-report.html
grep -o '"without": *\[' artifacts/verify-report.json
aisp bench verify-report --bench-root targets --gpu H100 2>&1
