# Every target of the catalogue is verified through the full protocol: quick size, secret sizes, default size. Nothing is timed, so
# every core takes a share of the targets: alone on it, supervisor and workers take turns and none of them spins.
cores=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr ',' '\n' | sed 's/-/ /' |
    while read -r first last; do seq "$first" "${last:-$first}"; done)
n=$(echo "$cores" | wc -l)
aisp bench list-targets --names >names
i=0
for core in $cores; do
    awk -v n="$n" -v i="$i" 'NR % n == i { print "-t", $1 }' names >share.$core
    i=$((i + 1))
    [ -s share.$core ] || continue               # more cores than targets; without -t all would be verified
    (taskset -c "$core" aisp bench verify $(cat share.$core) --artifacts-dir kept.$core >text.$core; echo $? >code.$core) &
done
wait
cat text.* >text
grep -c '^violation' text
grep '^violation' text
grep -oE '[0-9]+ INVALID' text
[ "$(cat names | wc -l)" = "$(grep -cE '^[a-z0-9]+:[a-z0-9_]+ ' text)" ] || echo "not every target"
exit "$(sort -n code.* | tail -1)"
