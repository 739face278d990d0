/* samples.js - the samples behind one comparison: how the times of both sides are distributed, how they wandered, and the ratio
 * of each pair. All as `bench show-run --result` gives them. */
import { html } from '../dom.js';
import { Chart, XAxis, YAxis } from './chart.js';
import { extent, linear } from './scale.js';
import * as format from '../format.js';

const LEFT = 62, RIGHT = 12, TOP = 18, BOTTOM = 36;
const SIDES = [['a', 'reference'], ['b', 'variant']];

const Legend = ({ names }) => SIDES.map(([side, kind]) => html`<span class=${`key side-${side}`}>${names?.[side]
    ?? kind}</span>`);

/* Counts over bins that both sides share: the reference upward, the variant downward. */
export function Distribution({ of, names }) {
    const height = 210, n = of.a.counts.length;
    const step = (of.hi_ns - of.lo_ns) / n;
    const most = Math.max(1, ...of.a.counts, ...of.b.counts);
    const middle = (TOP + height - BOTTOM) / 2, half = middle - TOP;
    const rows = of.a.counts.map((count, i) => ({ from: of.lo_ns + i * step, to: of.lo_ns + (i + 1) * step, a: count,
        b: of.b.counts[i] }));
    const draw = (width) => {
        const x = linear(of.lo_ns, of.hi_ns, LEFT, width - RIGHT);
        const w = Math.max(1, (width - RIGHT - LEFT) / n - 1);
        return html`<${XAxis} scale=${x} y=${height - BOTTOM} top=${TOP} width=${width} format=${format.tickNs}
            label="time of a call"/>
            ${rows.map((row) => html`
                ${row.a > 0 && html`<rect class="side-a" x=${x(row.from)} width=${w} y=${middle - half * row.a / most}
                    height=${half * row.a / most}/>`}
                ${row.b > 0 && html`<rect class="side-b" x=${x(row.from)} width=${w} y=${middle}
                    height=${half * row.b / most}/>`}`)}
            ${SIDES.map(([side]) => html`<line class=${`median side-${side}`} x1=${x(of[side].p50_ns)} x2=${x(of[side].p50_ns)}
                y1=${side === 'a' ? TOP : middle} y2=${side === 'a' ? middle : height - BOTTOM}/>`)}
            <line class="zero" x1=${LEFT} x2=${width - RIGHT} y1=${middle} y2=${middle}/>
            <text class="label" x="0" y="11">windows</text>
            <text x=${LEFT - 6} y=${TOP + 8} text-anchor="end">${most}</text>
            <text x=${LEFT - 6} y=${middle + 4} text-anchor="end">0</text>`;
    };
    const outside = of.a.below + of.a.above + of.b.below + of.b.above;

    return html`<${Chart} title="Time of a call: distribution" height=${height} draw=${draw} legend=${html`<${Legend}
        names=${names}/>`}
        description=${SIDES.map(([side,
            kind]) => `${kind}: median ${format.ns(of[side].p50_ns)}, from ${format.ns(of[side].p5_ns)} at 5 % to ${
            format.ns(of[side].p95_ns)} at 95 %, ${of[side].n} windows`).join('; ')}
        note=${outside > 0 && `${outside} windows lie outside of the bins.`}
        table=${{ name: 'distribution', rows, columns: [
            { id: 'from_ns', label: 'from', isNumber: true, get: (r) => r.from, show: (r) => format.ns(r.from) },
            { id: 'to_ns', label: 'to', isNumber: true, get: (r) => r.to, show: (r) => format.ns(r.to) },
            { id: 'reference', label: names?.a ?? 'reference', isNumber: true, get: (r) => r.a },
            { id: 'variant', label: names?.b ?? 'variant', isNumber: true, get: (r) => r.b }] }}/>`;
}

/* Medians of groups of windows in the order they were taken: a machine that warms up or is disturbed shows here. */
export function Drift({ of, names }) {
    const height = 200;
    const n = Math.max(of.a.drift_ns.length, of.b.drift_ns.length);
    const [lo, hi] = extent(of.a.drift_ns.concat(of.b.drift_ns));
    const air = (hi - lo || hi || 1) * 0.06;
    const rows = Array.from({ length: n }, (_, i) => ({ i: i + 1, a: of.a.drift_ns[i], b: of.b.drift_ns[i] }));
    const draw = (width) => {
        const x = linear(1, Math.max(2, n), LEFT, width - RIGHT), y = linear(Math.max(0, lo - air), hi + air, height - BOTTOM,
            TOP);
        const line = (values) => values.map((value, i) => `${i ? 'L'
            : 'M'}${x(i + 1).toFixed(1)} ${y(value).toFixed(1)}`).join('');
        return html`<${YAxis} scale=${y} x=${LEFT} right=${width - RIGHT} format=${format.tickNs} label="median time of a call"/>
            <${XAxis} scale=${x} y=${height - BOTTOM} top=${TOP} width=${width} format=${(t) => (Number.isInteger(t) ? t
                : '')} label="group of windows, in time"/>
            ${SIDES.map(([side]) => html`<path class=${`line side-${side}`} d=${line(of[side].drift_ns)}/>
                ${of[side].drift_ns.map((value, i) => html`<circle class=${`side-${side}`} cx=${x(i + 1)} cy=${y(value)}
                    r="2"/>`)}`)}`;
    };

    return html`<${Chart} title="Time of a call against sample index" height=${height} draw=${draw} legend=${html`<${Legend}
        names=${names}/>`}
        description=${`${n} groups of windows in time; both sides between ${format.ns(lo)} and ${format.ns(hi)}`}
        table=${{ name: 'drift', rows, columns: [
            { id: 'group', label: 'group', isNumber: true, get: (r) => r.i },
            { id: 'reference_ns', label: names?.a ?? 'reference', isNumber: true, get: (r) => r.a, show: (r) => format.ns(r.a) },
            { id: 'variant_ns', label: names?.b ?? 'variant', isNumber: true, get: (r) => r.b,
                show: (r) => format.ns(r.b) }] }}/>`;
}

/* One estimate a pair of fresh workers; the verdict is made of these. */
export function Pairs({ of, result }) {
    const height = 190, values = of.pair_ratios;
    const [lo, hi] = extent(values, [1, result.lo95, result.hi95]);
    const air = (hi - lo || 0.1) * 0.08;
    const rows = values.map((value, i) => ({ i: i + 1, ratio: value }));
    const draw = (width) => {
        const x = linear(1, Math.max(2, values.length), LEFT + 8, width - RIGHT - 8), y = linear(lo - air, hi + air,
            height - BOTTOM, TOP);
        const has = result.lo95 > 0 && result.hi95 > 0;
        return html`<${YAxis} scale=${y} x=${LEFT} right=${width - RIGHT} format=${format.tick} label="ratio of a pair"/>
            <${XAxis} scale=${x} y=${height - BOTTOM} top=${TOP} width=${width} format=${(t) => (Number.isInteger(t) ? t
                : '')} label="pair, in time"/>
            ${has && html`<rect class="band" x=${LEFT} width=${width - RIGHT - LEFT} y=${y(result.hi95)} height=${Math.max(1,
                y(result.lo95) - y(result.hi95))}/>`}
            ${result.ratio > 0 && html`<line
                class="level" x1=${LEFT} x2=${width - RIGHT} y1=${y(result.ratio)} y2=${y(result.ratio)}/>`}
            <line class="one" x1=${LEFT} x2=${width - RIGHT} y1=${y(1)} y2=${y(1)}/>
            ${values.map((value, i) => html`<circle class="dot" cx=${x(i + 1)} cy=${y(value)} r="3"/>`)}`;
    };

    return html`<${Chart} title="Ratio of each pair" height=${height} draw=${draw}
        legend=${html`<span class="key level">estimate and 95 % interval</span><span class="key one">1: no difference</span>`}
        description=${`${values.length} pairs between ${format.ratio(Math.min(...values))} and ${
            format.ratio(Math.max(...values))}; estimate ${
            format.ratio(result.ratio)} ${format.interval(result.lo95, result.hi95)}`}
        table=${{ name: 'pairs', rows, columns: [{ id: 'pair', label: 'pair', isNumber: true, get: (r) => r.i },
            { id: 'ratio', label: 'ratio', isNumber: true, get: (r) => r.ratio, show: (r) => format.ratio(r.ratio) }] }}/>`;
}
