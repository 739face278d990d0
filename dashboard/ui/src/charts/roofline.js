/* roofline.js - points under a measured roof, both axes logarithmic.
 * Not here: ceilings and points (`bench show-run --result`, `utils roofline`). */
import { html } from '../dom.js';
import { Chart, XAxis, YAxis } from './chart.js';
import { extent, log } from './scale.js';
import * as format from '../format.js';

const LEFT = 56, RIGHT = 14, TOP = 18, BOTTOM = 36;

/* roofs: [{name, gbps}], peak: GFLOP/s, points: [{name, intensity, gflops, percent, isMain}] */
export function Roofline({ roofs, peak, points, title = 'Place under the measured roof', name = 'roofline', note }) {
    const height = 280;
    const drawn = points.filter((point) => point.intensity > 0 && point.gflops > 0);
    const ridges = roofs.map((roof) => peak / roof.gbps);
    const [x0, x1] = extent(drawn.map((point) => point.intensity), ridges);
    const [lowest] = extent(drawn.map((point) => point.gflops), [peak]);
    const draw = (width) => {
        const x = log(x0 / 4, x1 * 4, LEFT, width - RIGHT);
        const y = log(Math.min(lowest / 2, peak / 10), peak * 2, height - BOTTOM, TOP);
        const [left, right] = x.domain;
        const roof = ({ gbps }) => {
            const start = Math.max(left, y.domain[0] / gbps);
            return `M${x(start)} ${y(start * gbps)}L${x(peak / gbps)} ${y(peak)}L${x(right)} ${y(peak)}`;
        };
        return html`<${YAxis} scale=${y} x=${LEFT} right=${width - RIGHT} n=${4} format=${format.tick} label="GFLOP/s"/>
            <${XAxis} scale=${x} y=${height - BOTTOM} top=${TOP} width=${width} format=${format.tick} label="operations a byte"/>
            ${roofs.map((one) => html`<path class="roof" d=${roof(one)}/>
                <text class="roof-name" x=${x(peak / one.gbps)} y=${y(peak) - 6} text-anchor="middle">${one.name}</text>`)}
            <text class="roof-name" x=${width - RIGHT} y=${y(peak) - 6} text-anchor="end">${format.si(peak * 1e9,
                'FLOP/s')}</text>
            ${drawn.map((point) => html`<circle class=${point.isMain ? 'dot main' : 'dot'} cx=${x(point.intensity)}
                cy=${y(point.gflops)}
                r=${point.isMain ? 5 : 3.5}><title>${`${point.name}: ${format.si(point.gflops * 1e9, 'FLOP/s')} at ${
                    format.digits(point.intensity, 3)} operations a byte`}</title></circle>`)}`;
    };

    return html`<${Chart} title=${title} height=${height} draw=${draw} note=${note}
        description=${`${drawn.length} points; compute ceiling ${format.si(peak * 1e9, 'FLOP/s')}; ${
            roofs.map((roof) => `${roof.name} ${format.si(roof.gbps * 1e9, 'B/s')}`).join(', ')}`}
        table=${{ name, rows: points, columns: [
            { id: 'name', label: 'variant', get: (p) => p.name },
            { id: 'intensity', label: 'operations a byte', isNumber: true, get: (p) => p.intensity,
                show: (p) => (p.intensity > 0 ? format.digits(p.intensity, 3) : format.NONE) },
            { id: 'gflops', label: 'rate', isNumber: true, get: (p) => p.gflops, show: (p) => (p.gflops > 0
                ? format.si(p.gflops * 1e9, 'FLOP/s') : format.NONE) },
            { id: 'roof_gflops', label: 'roof there', isNumber: true, get: (p) => p.roof, show: (p) => (p.roof > 0
                ? format.si(p.roof * 1e9, 'FLOP/s') : format.NONE) },
            { id: 'percent', label: 'of the roof', isNumber: true, get: (p) => p.percent,
                show: (p) => format.percent(p.percent) },
            { id: 'bound', label: 'bound', get: (p) => p.bound }] }}/>`;
}
