# Room is made of old evidence alone: results stay, and so does what is the newest or referred to.
. "$CLI/lib.sh"
target my/double
variant v.c
object v.c targets/my/double/optimized.so
figures() { sed -e 's/20[0-9TZ]*-[0-9a-f]*/RUN/g' -e 's/[0-9.]* KiB/N KiB/g'; }
# The newest is known by the second in its name.
for i in 1 2 3; do aisp bench verify --bench-root targets >text 2>&1; sleep 1; done
files() { ls artifacts/runs/*/evidence/* | wc -l; }
aisp store prune
aisp store prune --yes --older-than soon
aisp store prune --dry-run
echo "-- of all ages"
sleep 1
aisp store prune --dry-run --older-than 0d | figures
files
echo "-- nobody knows what expectations refer to"
aisp store prune --yes --older-than 0d; echo "exit $?"
aisp store prune --yes --older-than 0d --chapters-dir elsewhere; echo "exit $?"
aisp store prune --dry-run --chapters-dir targets/my/double/problem.so; echo "exit $?"
files
echo "-- now they do"
mkdir -p chapters/ch01
first=$(ls artifacts/runs | head -1)
echo "{\"rows\": [{\"provenance\": {\"run\": \"$first\"}}]}" >chapters/ch01/expectations_some-machine.json
aisp store prune --yes --older-than 0d | figures
ln -s chapters linked
aisp store prune --dry-run --older-than 0d --keep-latest 1 --chapters-dir linked | grep -o '([0-9]* files read)'
files
[ -e artifacts/runs/$first/evidence/my.double.optimized.json ] && echo "what expectations refer to is there"
aisp store prune --yes --older-than 0d | figures
aisp store check
echo "-- expectations that cannot be read"
echo "{" >chapters/ch01/expectations_some-machine.json
aisp store prune --yes --older-than 0d; echo "exit $?"
