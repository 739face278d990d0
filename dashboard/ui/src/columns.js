/* columns.js - the columns that most tables share: which variant, its ratio with the interval, the verdict with the grade. */
import { html } from './dom.js';
import { Grade, Ratio, VariantLink, Verdict } from './parts.js';

export const variantColumn = {
    id: 'target', label: 'variant', get: (row) => `${row.target} ${row.variant}`, show: (row) => html`<${VariantLink}
        row=${row}/>`,
    csv: { target: (row) => row.target, variant: (row) => row.variant, device: (row) => row.device, size: (row) => row.size },
};


export const ratioColumn = {
    id: 'ratio', label: 'ratio', isNumber: true, get: (row) => row.ratio, show: (row) => html`<${Ratio} row=${row}/>`,
    csv: { ratio: (row) => row.ratio, ratio_low95: (row) => row.lo95, ratio_high95: (row) => row.hi95 },
};

export const verdictColumn = {
    id: 'verdict', label: 'verdict, grade', get: (row) => row.verdict, className: 'said',
    show: (row) => html`<span class="stack"><${Verdict} name=${row.verdict} title=${row.reason}/> <${Grade} name=${row.grade}/>${
        (row.is_quarantined || row.quarantined) && html` <span class="tag invalid">quarantine</span>`}</span>`,
    csv: { verdict: (row) => row.verdict, grade: (row) => row.grade },
};

/* The same columns over what `get` finds in a row. */
export function of(column, get) {
    const over = (f) => f && ((row) => (get(row) ? f(get(row)) : null));

    return { ...column, get: over(column.get), show: over(column.show),
        csv: Object.fromEntries(Object.entries(column.csv).map(([name, f]) => [name, over(f)])) };
}
