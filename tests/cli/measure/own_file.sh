# A file of the user's own is measured against the baseline beside it; the record says what was done.
. "$CLI/lib.sh"
calibrated || exit 9
aisp new target ch07:mine
aisp new target ch07:mine; echo $?
aisp new target Mine; echo $?
aisp bench run chapters/ch07/mine/optimized_lanes.c --time-limit 1s --json >value
code=$?
grep -E '"(target|variant)":' value | tr -s ' ' ' '
# The verdict is the machine's business; that outputs were compared and windows taken is ours.
awk -F '[:,]' '/"full":/ { full = $2 } /"full_right":/ { print (full > 0 && $2 == full) ? "all right" : "wrong" }' value
awk -F '[:,]' '/"n_windows":/ { inside = 1 } inside && /"[ab]":/ { print $1, ($2 > 0 ? "was timed" : "was not timed"); if (/"b"/) exit }' value | tr -s ' ' ' '
grep -E '"(command|seed_commitment|size|file)":' artifacts/runs/*/manifest.json | tr -s ' ' ' ' | sed -e 's/"[0-9a-f]\{64\}"/HASH/' | sort
aisp new variant ch07:mine/optimized_same
aisp new variant ch07:mine/optimized_same; echo $?
head -1 chapters/ch07/mine/optimized_same.c
aisp clean --dry-run | grep -c 'would remove'
[ $code = 0 ] || [ $code = 3 ]
