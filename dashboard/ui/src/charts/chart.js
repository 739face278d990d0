/* chart.js - the frame of a drawing: its name and description for who cannot see it, its width, its axes, and the same figures as
 * a table below it. */
import { html, useEffect, useId, useRef, useState } from '../dom.js';
import { Table } from '../table.js';

/* The width that there is. Text in a drawing keeps its size, so nothing is scaled. */
export function useWidth(fallback = 640) {
    const ref = useRef(null);
    const [width, set] = useState(fallback);

    useEffect(() => {
        const watch = new ResizeObserver(([entry]) => set(Math.max(240, Math.floor(entry.contentRect.width))));
        watch.observe(ref.current);
        return () => watch.disconnect();
    }, []);
    return [ref, width];
}

/* draw(width) gives what is in the svg. `table`: {name, columns, rows} of the same figures. */
export function Chart({ title, description, height, legend, draw, table, note }) {
    const [ref, width] = useWidth();
    const id = useId();

    return html`<figure class="chart"><figcaption>${title}${legend && html`<span class="legend">${legend}</span>`}</figcaption>
        <div ref=${ref}><svg role="img" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}
            aria-labelledby=${`${id}-t ${id}-d`}>
            <title id=${`${id}-t`}>${title}</title><desc id=${`${id}-d`}>${description}</desc>
            ${draw(width)}</svg></div>
        ${note && html`<p class="muted small">${note}</p>`}
        <${AsTable} title=${title} ...${table}/></figure>`;
}

export function AsTable({ title, name, columns, rows, order }) {
    const [isOpen, setOpen] = useState(false);

    return html`<details class="as-table" onToggle=${(event) => setOpen(event.currentTarget.open)}>
        <summary>As a table<span class="unseen">: ${title}</span></summary>${
        isOpen && html`<${Table} name=${name} caption=${title} columns=${columns} rows=${rows} order=${order}/>`}</details>`;
}

export function XAxis({ scale, y, format, label, n, width, top }) {
    return html`<g class="axis">${scale.ticks(n ?? Math.max(3, Math.floor(width / 90))).map((tick) => html`
        <line class="grid" x1=${scale(tick)} x2=${scale(tick)} y1=${top} y2=${y}/>
        <text x=${scale(tick)} y=${y + 15} text-anchor="middle">${format(tick)}</text>`)}
        <line x1=${scale(scale.domain[0])} x2=${scale(scale.domain[1])} y1=${y} y2=${y}/>
        <text class="label" x=${scale(scale.domain[1])} y=${y + 30} text-anchor="end">${label}</text></g>`;
}

export function YAxis({ scale, x, format, label, n = 5, right }) {
    return html`<g class="axis">${scale.ticks(n).map((tick) => html`
        <line class="grid" x1=${x} x2=${right} y1=${scale(tick)} y2=${scale(tick)}/>
        <text x=${x - 6} y=${scale(tick) + 4} text-anchor="end">${format(tick)}</text>`)}
        <text class="label" x="0" y="11">${label}</text></g>`;
}
