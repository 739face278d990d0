# A team's gate from nothing: no expectation, written, met, a regression, a row gone, a problem changed, a file that was damaged.
. "$CLI/gate/records"
mkdir -p chapters/ch07
gate() { aisp bench expectations "$@" >text 2>&1; code=$?; grep -E '^(PASS|FAIL|UNSURE|INVALID|[0-9]+ rows?:|[0-9]+ expected|aisp:)' text; echo "exit $code"; }
{ header; history 12; } >history.jsonl
bring history.jsonl
echo "nothing is expected yet:"
gate
aisp bench expectations --update
echo "the same run:"
gate
cat text
echo "a run that is 2 % slower in one row:"
{ header; begin 20261113T120000Z-000013 1794571200; row ch07:transpose optimized_tiled 1.96; row ch07:gather optimized_simd 3.001; seal; } >next.jsonl
bring next.jsonl
gate
sed -n '/^FAIL/,/^[A-Z]* *ch07:gather/p' text | sed '$d'
aisp bench expectations --format junit
aisp bench expectations --format markdown
echo "more is asked of the ratio itself:"
gate 20261112 --min-speedup 2.5
echo "a row is gone, one is new, one is wrong:"
{ header; begin 20261114T120000Z-000014 1794657600; row ch07:gather optimized_simd 3 0.001 INVALID "output differs" invalid; row ch07:reduce optimized_simd 5; seal; } >next.jsonl
bring next.jsonl
gate
echo "of another problem:"
{ header; begin 20261115T120000Z-000015 1794744000; problem=$A; row ch07:transpose optimized_tiled 2; row ch07:gather optimized_simd 3; seal; } >next.jsonl
bring next.jsonl
gate
grep -c 'the problem is another one (hash aaaaaaaa, was cccccccc)' text
echo "the run before, by name:"
gate 20261112
echo "a conflict left by a merge:"
sed 's/^ "chapter"/<<<<<<< HEAD\n "chapter"/' chapters/ch07/expectations_$key.json >damaged
cp chapters/ch07/expectations_$key.json whole
cp damaged chapters/ch07/expectations_$key.json
gate 20261112
sed 's/"ratio"/"ratoi"/' whole >chapters/ch07/expectations_$key.json
gate 20261112
gate 20261112 --update
cmp whole chapters/ch07/expectations_$key.json >/dev/null || echo "nothing was overwritten"
cp whole chapters/ch07/expectations_$key.json
echo "other machines and folders:"
gate --hardware intel-4c
gate 20261112 --hardware intel-4c
gate --chapters-dir nowhere
gate --update --min-speedup 2
gate --mde 100
