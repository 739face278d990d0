# A machine in a folder: what is found, explained and gated. Nothing is changed there.
mkdir -p root/proc/sys/vm root/proc/sys/kernel root/proc/self
printf 'MemTotal: 1000 kB\nSwapTotal: 10 kB\n' >root/proc/meminfo
echo 60 >root/proc/sys/vm/swappiness
echo 4 >root/proc/sys/kernel/perf_event_paranoid
printf 'NCCL_DEBUG=WARN\0' >root/proc/self/environ
find root -type f | sort | xargs cksum >before
aisp doctor system.swappiness system.ksm distributed.nccl-debug --root root
aisp doctor --explain system.swappiness --root root
aisp doctor --gate system.swappiness --root root >/dev/null; echo "gate $?"
aisp doctor --gate profiling.perf-paranoid --root root >/dev/null; echo "gate $?"
aisp doctor profiling --root root >/dev/null; echo "no gate $?"
find root -type f | sort | xargs cksum | cmp - before && echo "nothing changed"
aisp doctor sytem
aisp doctor --explain system.swapiness
aisp doctor --root nowhere
aisp doctor --json --root root system.swappiness | grep -e '"found"' -e '"verdict"'
