/* mindset.c - mindset and cost: questions that come before any tool. */
#include "doctor/item.h"

AISP_ITEM(goal) = {
    .id = "mindset.goal",
    .title = "The goal is one figure with a target, written before tuning",
    .why = "Work without a target has no end, and a goal chosen afterwards is the one that was met.",
    .how = "Which figure must reach which value, at which quality?",
    .fix = "# write it into the problem: goal and unit of the target",
};

AISP_ITEM(share_known) = {
    .id = "mindset.share-known",
    .title = "It is known what share of the time the change can touch",
    .why = "A part that takes 5 % of the time gives at most 1.05x, however fast it becomes (Amdahl).",
    .how = "What share of the whole does the profile give to this part?",
    .fix = "nsys profile ./program   # or perf record -g ./program",
};

AISP_ITEM(measure_first) = {
    .id = "mindset.measure-first",
    .title = "The bottleneck was measured, not guessed",
    .why = "Experts guess wrong often enough that a profile of an hour saves weeks.",
    .how = "Which profile of this load shows it?",
    .fix = "aisp bench run --profile minimal ...",
};

AISP_ITEM(ceiling) = {
    .id = "mindset.ceiling",
    .title = "The distance to what the hardware can do is known",
    .why = "At 90 % of the roof only a better algorithm helps; at 10 % ordinary care does.",
    .how = "What share of the measured roof does it reach?",
    .fix = "aisp peak && aisp bench run ...   # shows % of roof",
};

AISP_ITEM(goodput) = {
    .id = "mindset.goodput",
    .title = "What is counted is useful work, not activity",
    .why = "Utilisation counts waiting kernels, padding, recomputation and steps that a restart threw away.",
    .how = "Useful tokens or samples for each hour that was paid?",
    .fix = "# goodput = useful steps x time a step / elapsed time",
};

AISP_ITEM(unit_cost) = {
    .id = "mindset.unit-cost",
    .title = "The cost of one unit of work is known",
    .why = "Price divided by rate compares cards, precisions and clouds in one figure; hourly prices alone do not.",
    .how = "Dollars for a million tokens, a step, a query?",
    .fix = "aisp utils cost-per-token --help",
};

AISP_ITEM(fair_baseline) = {
    .id = "mindset.fair-baseline",
    .title = "The baseline is what a competent person would use today",
    .why = "Against a strawman everything is an improvement; a library call may be the real opponent.",
    .how = "Was the usual library measured beside it?",
    .fix = "# add a peer_<library> variant to the target",
};

AISP_ITEM(idle_cost) = {
    .id = "mindset.idle-cost",
    .title = "Idle devices are given back or filled",
    .why = "An accelerator costs the same while it waits for data, for a review or for the next morning.",
    .how = "Share of paid hours with no job on the device last month?",
    .fix = "# backfill queue, or release on idle",
};

AISP_ITEM(right_size) = {
    .id = "mindset.right-size",
    .title = "A smaller or cheaper device was measured too",
    .why = "A load that is bound by memory bandwidth or fits into less memory is often cheaper on an older card.",
    .how = "Which cards meet the goal, and which of them is cheapest?",
    .fix = "aisp bench whatif --help && aisp bench cost --help",
};

AISP_ITEM(contract) = {
    .id = "mindset.contract",
    .title = "Interruptible capacity is used where restarts are cheap",
    .why = "Spot prices are a fraction of the list price; with checkpoints every few minutes an interruption costs "
           "minutes.",
    .how = "How much work is lost by an interruption, and at what price?",
    .fix = "# checkpoint interval = sqrt(2 x cost x time between failures)",
};

AISP_ITEM(stop_rule) = {
    .id = "mindset.stop-rule",
    .title = "It is written down when tuning ends",
    .why = "The last percents cost most and are the first to be lost with the next driver.",
    .how = "At which gain for a week's work will it stop?",
    .fix = "# put the threshold beside the goal",
};

AISP_ITEM(regression_gate) = {
    .id = "mindset.regression-gate",
    .title = "A gate keeps what was gained",
    .why = "Speed is lost a percent at a time, in changes that nobody suspects.",
    .how = "Does the build fail when a measured figure gets worse?",
    .fix = "aisp bench run --gate ...",
};

AISP_ITEM(failures_kept) = {
    .id = "mindset.failures-kept",
    .title = "Ideas that did not help are on record",
    .why = "Otherwise each newcomer tries them again, and only lucky results are ever seen.",
    .how = "Are SAME and SLOWER results kept like FASTER ones?",
    .fix = "aisp bench report   # of all runs, not of the winners",
};

AISP_ITEM(complexity) = {
    .id = "mindset.complexity",
    .title = "The gain pays for the code that has to be kept",
    .why = "A hand-written kernel has to be read, tested and tuned again for every generation of devices.",
    .how = "Who maintains it, and what does it save a year?",
    .fix = "# prefer a flag, then a library, then a compiler, then a kernel",
};

AISP_ITEM(quality_bound) = {
    .id = "mindset.quality-bound",
    .title = "The quality that may not fall is stated with the speed",
    .why = "Quantisation, caching and pruning trade quality for speed; without a bound every trade looks good.",
    .how = "Which evaluation, and which loss, is still accepted?",
    .fix = "# keep the evaluation in the same gate as the speed",
};

AISP_ITEM(whole_path) = {
    .id = "mindset.whole-path",
    .title = "Time is counted from the user's request to the answer",
    .why = "Tokenising, queueing, copying and decoding lie outside the kernel that was tuned, and are often the larger "
           "part.",
    .how = "Is there one figure from end to end beside the kernel's?",
    .fix = "# measure setup, kernel and end-to-end scopes apart",
};
