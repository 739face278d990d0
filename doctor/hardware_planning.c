/* hardware_planning.c - architecture and hardware planning: questions. */
#include "doctor/item.h"

AISP_ITEM(memory_channels) = {
    .id = "hardware.memory-channels",
    .title = "Every memory channel holds a module",
    .why = "Bandwidth is per channel: half the modules at twice the size give the same capacity at half the rate.",
    .how = "Does dmidecode show a module in each channel?",
    .fix = "dmidecode -t memory | grep -e Locator -e Size -e Speed",
};

AISP_ITEM(model_fit) = {
    .id = "hardware.model-fit",
    .title = "Weights, state and activations were added up before buying",
    .why = "Training in mixed precision with Adam needs about 16 bytes a parameter before the first activation; serving "
           "needs the weights and the key-value cache of all users at once.",
    .how = "Is there a sheet with each term, and with the spare?",
    .fix = "aisp utils kv-cache --help",
};

AISP_ITEM(roof_side) = {
    .id = "hardware.roof-side",
    .title = "It is known whether the load is bound by compute or by memory",
    .why = "Decoding one token reads every weight once and is bound by memory; prefill and training are bound by "
           "compute. A card with more FLOP/s helps only the second.",
    .how = "Where does the main kernel lie on the measured roofline?",
    .fix = "aisp peak && aisp utils roofline --help",
};

AISP_ITEM(link_budget) = {
    .id = "hardware.link-budget",
    .title = "Bytes a step over each link fit into the time of the step",
    .why = "Tensor parallelism moves activations in every layer and wants NVLink; data parallelism moves gradients once "
           "a step and can live on a network.",
    .how = "Bytes over NVLink, PCIe and network for one step?",
    .fix = "aisp utils parallelism --help",
};

AISP_ITEM(storage_budget) = {
    .id = "hardware.storage-budget",
    .title = "Storage feeds all readers at once, and takes the checkpoints",
    .why = "The rate that counts is that of all nodes together on shuffled reads, plus a checkpoint that all ranks write "
           "in the same moment.",
    .how = "Measured read rate of all nodes against samples/s x bytes?",
    .fix = "fio --rw=randread --bs=128k --numjobs=16 --iodepth=32 ...",
};

AISP_ITEM(failure_domain) = {
    .id = "hardware.failure-domain",
    .title = "It is known what fails together",
    .why = "A thousand devices fail several times a week. Ranks that share a switch, a rack or a power feed fail in one "
           "moment, and spares in the same rack do not help.",
    .how = "Which jobs survive the loss of one switch or one feed?",
    .fix = "# place replicas and spares across failure domains",
};

AISP_ITEM(host_memory) = {
    .id = "hardware.host-memory",
    .title = "Host memory is at least twice the memory of all GPUs",
    .why = "Checkpoints are staged in it, offloaded state lives in it, and the page cache of the data set needs the rest.",
    .how = "Sum of GPU memory against MemTotal?",
    .fix = "nvidia-smi --query-gpu=memory.total --format=csv && free -g",
};

AISP_ITEM(link_topology) = {
    .id = "hardware.link-topology",
    .title = "The GPUs are wired as the parallel plan assumes",
    .why = "Pairs that are joined by NVLink bridges look like all-to-all to a program, and are slower by an order of "
           "magnitude for every other pair.",
    .how = "Does nvidia-smi topo -m show NV# between all pairs of a group?",
    .fix = "nvidia-smi topo -m && nvidia-smi nvlink --status",
};

AISP_ITEM(burn_in) = {
    .id = "hardware.burn-in",
    .title = "Every new node passed the same load as its neighbours",
    .why = "One card that is 5 % slower slows all ranks of a synchronous job by 5 %; it is found by comparing nodes, not "
           "by testing one.",
    .how = "Was the spread of peaks and links over all nodes recorded?",
    .fix = "aisp peak --json > peak-$(hostname).json",
};

AISP_ITEM(generation_mix) = {
    .id = "hardware.generation-mix",
    .title = "One job runs on one generation of devices",
    .why = "A synchronous step ends with the slowest device, and kernels that were tuned for one generation are wrong "
           "for another.",
    .how = "Does the scheduler keep generations apart?",
    .fix = "sbatch --constraint=h100 ...   # or a node selector",
};
