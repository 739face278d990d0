/* scale.js - from figures to pixels: linear and logarithmic scales with ticks at round values. */

export function linear(lo, hi, from, to) {
    const span = hi - lo || 1;
    const scale = (value) => from + ((value - lo) / span) * (to - from);

    scale.ticks = (n) => linearTicks(lo, hi, n);
    scale.domain = [lo, hi];
    return scale;
}

export function log(lo, hi, from, to) {
    const a = Math.log(lo);
    const span = Math.log(hi) - a || 1;
    const scale = (value) => from + ((Math.log(value) - a) / span) * (to - from);

    scale.ticks = (n) => logTicks(lo, hi, n);
    scale.domain = [lo, hi];
    return scale;
}

function linearTicks(lo, hi, n = 5) {
    const rough = (hi - lo) / n || 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((one) => one >= rough * 0.999);
    const ticks = [];

    for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + step * 1e-9; i++)
        ticks.push(Number((i * step).toPrecision(12)));
    return ticks;
}

/* 1 2 5 while there is room, else powers of ten; within one decade what a linear scale has. */
function logTicks(lo, hi, n = 6) {
    if (hi / lo < 4)
        return linearTicks(lo, hi, n).filter((tick) => tick > 0);
    for (const steps of [[1, 2, 5], [1, 3], [1]]) {
        const ticks = [];
        for (let e = Math.floor(Math.log10(lo)); e <= Math.ceil(Math.log10(hi)); e++)
            ticks.push(...steps.map((k) => Number(`${k}e${e}`)));
        const inside = ticks.filter((tick) => tick >= lo * 0.9999 && tick <= hi * 1.0001);
        if (inside.length <= n + 1)
            return inside;
        if (steps.length === 1)
            return inside.filter((_, i) => i % Math.ceil(inside.length / n) === 0);
    }
    return [];
}

/* Bounds of what is there with a little air; `always` are values that must be seen. */
export function extent(values, always = []) {
    const all = values.concat(always).filter((value) => Number.isFinite(value));
    return all.length ? [Math.min(...all), Math.max(...all)] : [0, 1];
}
