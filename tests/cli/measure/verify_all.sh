# Every target of the catalogue is verified through the full protocol: quick size, secret sizes, default size. SHARE is "I N": every
# Nth target from the Ith on; together the tests cli_measure_verify_all_I have them all.
set -- ${SHARE:-0 1}
aisp bench list-targets --names | awk -v i="$1" -v n="$2" 'NR % n == i' >names
[ -s names ] || exit 9                           # without -t all would be verified
aisp bench verify $(sed 's/^/-t /' names) >text
code=$?
grep -c '^violation' text
grep '^violation' text
grep -oE '[0-9]+ INVALID' text
[ "$(cat names | wc -l)" = "$(grep -cE '^[a-z0-9]+:[a-z0-9_]+( |$)' text)" ] || echo "not every target"
exit $code
