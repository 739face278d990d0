/* intervals.js - a ratio with its 95 % interval as a bar in a cell, on one logarithmic axis for the whole table: a forest plot
 * that is its own table. */
import { html } from '../dom.js';
import { extent, log } from './scale.js';
import { interval, ratio, tick as axisText } from '../format.js';

const WIDTH = 176, PAD = 14;

/* The axis that all rows share; 1 is always on it. `get` gives {ratio, lo95, hi95, verdict}. */
export function intervalColumn(rows, get = (row) => row, label = 'ratio on a log axis') {
    const values = rows.flatMap((row) => {
        const r = get(row);
        return r ? [r.ratio, r.lo95, r.hi95].filter((value) => value > 0) : [];
    });
    const [lo, hi] = extent(values, [1]);
    const scale = log(Math.min(lo / 1.04, 0.96), Math.max(hi * 1.04, 1.04), PAD, WIDTH - PAD);

    return { id: 'interval', label, short: 'interval', className: 'forest', show: (row) => html`<${Bar} of=${get(row)}
        scale=${scale}/>`,
        head: html`<${Axis} scale=${scale}/>` };
}

function Bar({ of, scale }) {
    if (!(of?.ratio > 0))
        return null;
    const has = of.lo95 > 0 && of.hi95 > 0;
    return html`<svg class=${`forest-bar ${(of.verdict ?? '').toLowerCase()}`} width=${WIDTH} height="18" role="img"
        aria-label=${`ratio ${ratio(of.ratio)} ${interval(of.lo95, of.hi95) || 'without an interval'}`}>
        <line class="one" x1=${scale(1)} x2=${scale(1)} y1="0" y2="18"/>
        ${has && html`<line class="span" x1=${scale(of.lo95)} x2=${Math.max(scale(of.hi95), scale(of.lo95) + 1)} y1="9" y2="9"/>
            <line class="end" x1=${scale(of.lo95)} x2=${scale(of.lo95)} y1="5" y2="13"/>
            <line class="end" x1=${scale(of.hi95)} x2=${scale(of.hi95)} y1="5" y2="13"/>`}
        <circle class=${has ? 'dot' : 'dot open'} cx=${scale(of.ratio)} cy="9" r="3.5"/></svg>`;
}

function Axis({ scale }) {
    const ticks = scale.ticks(4).filter((tick) => tick !== 1).slice(0, 4);
    const marks = ticks.filter((tick) => Math.abs(scale(tick) - scale(1)) > 22).concat(1);

    return html`<svg class="forest-axis" width=${WIDTH} height="14" aria-hidden="true">${marks.map((tick) =>
        html`<text x=${Math.min(Math.max(scale(tick), 14), WIDTH - 14)} y="11"
            text-anchor="middle">${axisText(tick)}</text>`)}</svg>`;
}
