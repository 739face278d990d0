#!/bin/sh
# record.sh - write down what `aisp doctor` reads of this machine, as a text that unpack.h understands:
#   sh tests/doctor/record.sh > tests/doctor/roots/NAME/root.txt
# Host names, serial numbers, addresses and user names are left out or replaced: look through it before you give it away.
set -u

file() {                                                 # the text of a file, if it can be read
    [ -f "$1" ] && [ -r "$1" ] || return 0
    text=$(tr '\0' '\n' <"$1" 2>/dev/null | sed -e '/UUID/d' -e '/erial/d' -e "s/\\b$(uname -n)\\b/host/g" |
        head -c 16384) || return 0
    case $text in
    *"
"*) printf '%s <<\n%s\n.\n' "$1" "$text" ;;
    *) printf '%s = %s\n' "$1" "$text" ;;
    esac
}
files() { for f; do file "$f"; done; }
mark() { for f; do [ ! -e "$f" ] || [ -d "$f" ] || printf '%s =\n' "$f"; done; }           # that it is there, not what it holds
folder() { for f; do [ ! -d "$f" ] || printf '%s/\n' "$f"; done; }
link() { for f; do [ ! -L "$f" ] || printf '%s -> %s\n' "$f" "$(readlink "$f")"; done; }

cpu=/sys/devices/system/cpu
awk '!NF { exit } 1' /proc/cpuinfo | sed -e '1i /proc/cpuinfo <<' -e '$a .'                # the first processor is enough
files $cpu/present $cpu/online $cpu/isolated $cpu/smt/active $cpu/cpufreq/boost $cpu/intel_pstate/no_turbo \
    $cpu/vulnerabilities/*
files $cpu/cpu[0-9]*/cpufreq/scaling_governor $cpu/cpu[0-9]*/cpufreq/energy_performance_preference $cpu/cpu0/cpufreq/scaling_* \
    $cpu/cpu0/cpufreq/cpuinfo_max_freq $cpu/cpu0/cpuidle/state*/name $cpu/cpu0/cpuidle/state*/latency \
    $cpu/cpu0/cpuidle/state*/disable $cpu/cpu[0-9]*/topology/physical_package_id $cpu/cpu[0-9]*/cache/index3/shared_cpu_list \
    $cpu/cpu[0-9]*/microcode/version $cpu/cpu[0-9]*/thermal_throttle/*_throttle_count
files /sys/devices/system/clocksource/clocksource0/current_clocksource /sys/devices/cpu_*/cpus
folder /sys/bus/event_source/devices/*
files /proc/irq/[0-9]*/effective_affinity_list
head -1 /proc/stat | sed 's|^|/proc/stat = |'
files /proc/loadavg /proc/cmdline /proc/version /proc/modules /proc/meminfo /proc/buddyinfo /proc/pressure/*
grep oom_kill /proc/vmstat | sed 's|^|/proc/vmstat = |'
files /proc/sys/vm/swappiness /proc/sys/vm/overcommit_memory /proc/sys/vm/zone_reclaim_mode /proc/sys/vm/dirty_ratio \
    /proc/sys/vm/dirty_bytes /proc/sys/vm/max_map_count /proc/sys/vm/min_free_kbytes
files /sys/kernel/mm/transparent_hugepage/enabled /sys/kernel/mm/transparent_hugepage/defrag /sys/kernel/mm/ksm/run \
    /sys/module/zswap/parameters/enabled /sys/module/pcie_aspm/parameters/policy
files /sys/devices/system/node/online /sys/devices/system/node/node*/hugepages/hugepages-2048kB/nr_hugepages
for node in /sys/devices/system/node/node[0-9]*; do
    grep MemTotal "$node/meminfo" 2>/dev/null | sed "s|^|$node/meminfo = |"
done
files /sys/devices/system/edac/mc/mc*/[cu]e_count

files /proc/self/status /proc/self/stat /proc/self/limits /proc/self/cgroup
awk '{ print $1, $2, $3, $4, 0, 0 }' /proc/self/mounts | sed -e '1i /proc/self/mounts <<' -e '$a .'
env | grep -E '^(PATH|PWD|LANG|LC_[A-Z]*|OMP_[A-Z_]*|CUDA_[A-Z_]*|NCCL_[A-Z_]*|TORCH_[A-Z_]*|LD_PRELOAD)=' |
    sed -e '1i /proc/self/environ <<' -e '$a .'
files /sys/fs/cgroup/cgroup.controllers
for name in cpu.max cpu.weight cpu.stat memory.max memory.current memory.events pids.max; do
    files "/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup | sed 's|^/$||')/$name"
done
files /sys/fs/cgroup/cpu/cpu.* /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory/memory.usage_in_bytes \
    /sys/fs/cgroup/memory/memory.oom_control

for name in hostname osrelease tainted nmi_watchdog numa_balancing randomize_va_space io_uring_disabled core_pattern \
    perf_event_paranoid perf_event_max_sample_rate kptr_restrict yama/ptrace_scope random/entropy_avail; do
    file /proc/sys/kernel/$name
done
files /proc/sys/fs/aio-nr /proc/sys/fs/aio-max-nr /proc/sys/fs/file-nr /sys/kernel/security/lockdown
mark /sys/kernel/btf/vmlinux /sys/kernel/tracing/available_tracers /proc/lockdep_stats /usr/bin/perf /dev/cpu/0/msr
for name in $(cat /proc/[0-9]*/comm 2>/dev/null |
    grep -E '^(systemd|init|chronyd|ntpd|systemd-timesyn|ptp4l|nv|nvidia|dcgm|tlp|thermald|power-profiles)' | sort -u); do
    n=$((${n:-900} + 1))
    printf '/proc/%s/comm = %s\n' "$n" "$name"
done
files /etc/apt/apt.conf.d/20auto-upgrades /etc/nccl.conf /etc/tuned/active_profile
file /proc/1/comm
own=$(awk -v host="$(uname -n)" '{ for (i = 2; i <= NF; i++) if ($i == host) {
    print $1 ~ /^127|^::1/ ? "127.0.1.1" : "192.0.2.1"; exit } }' /etc/hosts)                # an address of documentation
printf '/etc/hosts = %s\n' "${own:-127.0.0.1 localhost}${own:+ host}"
folder /etc /dev /usr /run /sys/class /sys/firmware /sys/module /proc/sys/net /sys/class/thermal

for disk in /sys/block/*; do
    [ -e "$disk/device" ] || continue
    printf '%s/device/\n' "$disk"
    files "$disk/queue/scheduler" "$disk/queue/read_ahead_kb" "$disk/queue/rotational"
done
for device in /sys/bus/pci/devices/*; do
    case $(cat "$device/class" 2>/dev/null) in
    0x01* | 0x02* | 0x03*) ;;
    *) continue ;;
    esac
    for name in class vendor numa_node current_link_width max_link_width current_link_speed max_link_speed power/control \
        aer_dev_correctable aer_dev_nonfatal aer_dev_fatal resource; do
        file "$device/$name"
    done
    link "$device/driver" "$device/iommu_group"
done
file /sys/kernel/iommu_groups/0/type
folder /sys/kernel/iommu_groups/*/devices/* /sys/class/iommu/*
files /sys/class/drm/card*/status /sys/class/drm/card*/device/vendor
files /proc/driver/nvidia/version /proc/driver/nvidia/params /proc/driver/nvidia/gpus/*/information \
    /proc/driver/nvidia-fs/version
folder /proc/driver/nvidia/capabilities/gpu*/mig /proc/driver/nvidia/capabilities/gpu*/mig/gi*
mark /dev/nvidia* /dev/gdrdrv /dev/infiniband/uverbs* /usr/lib/x86_64-linux-gnu/libcuda.so.* /usr/local/cuda/bin/nvcc
files /usr/local/cuda/version.json
files /sys/class/infiniband/*/fw_ver /sys/class/infiniband/*/board_id /sys/class/infiniband/*/ports/*/state \
    /sys/class/infiniband/*/ports/*/rate /sys/class/infiniband/*/ports/*/counters/symbol_error
for net in /sys/class/net/*; do
    [ ! -e "$net/device" ] || printf '%s/device/\n' "$net"
    files "$net/operstate" "$net/speed" "$net/mtu" "$net/statistics/rx_crc_errors" "$net/statistics/rx_errors"
done
for name in core/rmem_max core/wmem_max core/netdev_max_backlog core/somaxconn ipv4/tcp_rmem ipv4/tcp_wmem \
    ipv4/tcp_congestion_control ipv4/tcp_slow_start_after_idle ipv4/tcp_keepalive_time ipv4/ip_local_port_range \
    ipv4/conf/all/rp_filter netfilter/nf_conntrack_max netfilter/nf_conntrack_count; do
    file /proc/sys/net/$name
done
files /proc/net/netstat /proc/net/snmp /sys/firmware/acpi/platform_profile /sys/class/power_supply/*/type \
    /sys/class/power_supply/*/status /sys/class/powercap/intel-rapl:*/energy_uj \
    /sys/class/powercap/intel-rapl:0/constraint_0_*_uw \
    /sys/class/thermal/thermal_zone*/temp /sys/class/thermal/thermal_zone*/type /sys/class/thermal/thermal_zone*/trip_point_* \
    /sys/class/thermal/cooling_device*/type /sys/class/thermal/cooling_device*/cur_state /sys/class/hwmon/hwmon*/*_alarm
