/* front.js - the variants of one target by two figures, with the ones that nobody beats joined.
 * Not here: who dominates whom (`bench analyze --show pareto`). */
import { html } from '../dom.js';
import { Chart, XAxis, YAxis } from './chart.js';
import { extent, log } from './scale.js';
import * as format from '../format.js';

const LEFT = 50, RIGHT = 16, TOP = 20, BOTTOM = 36;

export const KINDS = [['frontier', 'nobody beats it'], ['unsure', 'cannot be told'], ['dominated', 'beaten']];

/* points: [{variant, kind, x: {value, lo95, hi95}, y: ...}] */
export function Front({ title, points, x: xName, y: yName, table }) {
    const height = 250;
    const all = (axis) => points.flatMap((p) => [p[axis].value, p[axis].lo95, p[axis].hi95]).filter((value) => value > 0);
    const [x0, x1] = extent(all('x'), [1]), [y0, y1] = extent(all('y'), [1]);
    const draw = (width) => {
        const x = log(x0 / 1.08, x1 * 1.12, LEFT, width - RIGHT), y = log(y0 / 1.08, y1 * 1.08, height - BOTTOM, TOP);
        const front = points.filter((p) => p.kind === 'frontier').sort((a, b) => a.x.value - b.x.value);
        return html`<${YAxis} scale=${y} x=${LEFT} right=${width - RIGHT} n=${4} format=${format.tick} label=${`${yName} ratio`}/>
            <${XAxis} scale=${x} y=${height - BOTTOM} top=${TOP} width=${width} format=${format.tick} label=${`${xName} ratio`}/>
            <path class="front" d=${front.map((p, i) => `${i ? 'L' : 'M'}${x(p.x.value)} ${y(p.y.value)}`).join('')}/>
            ${points.map((p) => html`<g class=${`point ${p.kind}`}>
                ${p.x.lo95 > 0 && html`<line x1=${x(p.x.lo95)} x2=${x(p.x.hi95)} y1=${y(p.y.value)} y2=${y(p.y.value)}/>`}
                ${p.y.lo95 > 0 && html`<line x1=${x(p.x.value)} x2=${x(p.x.value)} y1=${y(p.y.lo95)} y2=${y(p.y.hi95)}/>`}
                <circle cx=${x(p.x.value)} cy=${y(p.y.value)} r="4.5"><title>${`${p.variant}: ${xName} ${
                    format.ratio(p.x.value)}, ${yName} ${
                    format.ratio(p.y.value)}`}</title></circle></g>`)}
            ${labels(points, x, y, width)}`;
    };

    return html`<${Chart} title=${title} height=${height} draw=${draw} table=${table}
        legend=${KINDS.map(([kind, text]) => html`<span class=${`key point ${kind}`}>${text}</span>`)}
        description=${`${points.length} variants; on the frontier: ${points.filter((p) => p.kind === 'frontier').map((p) =>
            p.variant).join(', ') || 'none'}`}/>`;
}

/* Names where there is room; who has none has it in the table and as a hint. */
function labels(points, x, y, width) {
    const taken = [];

    return points.map((p) => {
        const name = p.variant.replace(/^optimized_/, '');
        const px = x(p.x.value), py = y(p.y.value);
        const isRight = px + 10 + name.length * 6.4 < width;
        const box = isRight ? [px + 8, px + 8 + name.length * 6.4, py] : [px - 8 - name.length * 6.4, px - 8, py];
        if (taken.some(([a, b, at]) => a < box[1] && box[0] < b && Math.abs(at - py) < 13))
            return null;
        taken.push(box);
        return html`<text class="name" x=${isRight ? px + 8 : px - 8} y=${py - 6} text-anchor=${isRight ? 'start'
            : 'end'}>${name}</text>`;
    });
}
