/* pareto.js - what nobody beats in speed, memory and energy at once, target by target. */
import { useGet } from '../api.js';
import { Front, KINDS } from '../charts/front.js';
import { html } from '../dom.js';
import { AnalysisFilter, analysisParameters, Answer, Empty, Grade, LookedAt, Measured, Section, SelectField,
    VariantLink } from '../parts.js';
import { href, setQuery } from '../route.js';
import { Table } from '../table.js';

const AXES = ['speed', 'memory', 'energy'];
const PAIRS = [['speed,memory', 'speed, memory'], ['speed,energy', 'speed, energy'], ['memory,energy', 'memory, energy'],
    ['speed,memory,energy', 'all three']];

export function useChapters() {
    const list = useGet('bench/list-chapters', {}, 'chapters');
    return list.value?.chapters.map((one) => one.chapter) ?? [];
}

export function Pareto({ query }) {
    const chapters = useChapters();
    const answer = useGet('bench/analyze', { show: 'pareto', top: 200, axes: query.axes, ...analysisParameters(query) });

    return html`<h1>Pareto frontiers</h1><p
        class="lead muted">For each target: variants that no other beats in every figure. Right and up is better.</p>
        <${AnalysisFilter} query=${query} chapters=${chapters} size="default"/>
        <div class="filters"><${SelectField} label="Axes" name="axes" value=${query.axes} options=${PAIRS}
            all="what was measured for all"/></div>
        <${Answer} of=${answer}>${(value) => html`<${LookedAt} value=${value}/>
            ${value.pareto.length === 0 ? html`<${Empty}>Nothing valid is recorded of this size.<//>`
            : html`<${Fronts} of=${value.pareto} n=${Math.min(Number(query.n) || FIRST, 500)}/>`}`}<//>`;
}

/* A drawing costs more than a row. */
const FIRST = 12;

function Fronts({ of, n }) {
    return html`<div class="charts">${of.slice(0, n).map((one) =>
            html`<${One} key=${`${one.target} ${one.device}`} of=${one}/>`)}</div>
        ${of.length > n && html`<p><button type="button" class="quiet" onClick=${() => setQuery({ n: n + FIRST })}>Show ${
            Math.min(FIRST, of.length - n)} more of ${of.length} targets</button></p>`}`;
}

function One({ of }) {
    const points = KINDS.flatMap(([kind]) => of[kind].map((row) => ({ ...row, kind })));
    const drawn = of.axes.slice(0, 2);
    const has = drawn.length === 2 && points.filter((p) => drawn.every((axis) => p[axis]?.value > 0));
    const rows = points.concat(of.missing.map((row) => ({ ...row, kind: 'missing' }))).map((row) => ({ ...row,
        key: `${row.variant} ${row.kind}` }));
    const table = { name: `pareto-${of.target.replace(/\W/g, '-')}-${of.device}`, rows, columns: [
        { id: 'variant', label: 'variant', get: (row) => row.variant, show: (row) => html`<${VariantLink} row=${row}/>`,
            csv: { target: (row) => row.target, variant: (row) => row.variant } },
        { id: 'kind', label: 'place', get: (row) => row.kind, show: (row) => `${row.kind}${row.by ? ` (${row.by.variant})`
            : ''}` },
        ...AXES.filter((axis) => rows.some((row) => row[axis])).map((axis) => ({ id: axis, label: `${axis} ratio`,
            isNumber: true, get: (row) => row[axis]?.value, show: (row) => html`<${Measured} of=${row[axis] ?? null}/>`,
            csv: { [axis]: (row) => row[axis]?.value, [`${axis}_low95`]: (row) => row[axis]?.lo95, [`${axis}_high95`]: (row) =>
                row[axis]?.hi95 } })),
        { id: 'grade', label: 'grade', get: (row) => row.grade, show: (row) => html`<${Grade} name=${row.grade}/>` }] };
    const lacking = Object.entries(of.not_measured ?? {}).map(([axis, n]) => `${axis} of ${n}`).join(', ');

    return html`<${Section} title=${html`<a href=${href('target', [of.target])}>${of.target}</a> <span
        class="muted small">${of.device}</span>`}>
        ${has && has.length ? html`<${Front} title=${`${drawn[0]} against ${drawn[1]}`} x=${drawn[0]} y=${drawn[1]} table=${table}
            points=${has.map((p) => ({ variant: p.variant, kind: p.kind, x: p[drawn[0]], y: p[drawn[1]] }))}/>`
        : html`<p class="muted small">One figure alone has no frontier to draw.</p><${Table} ...${table}
            caption=${`Frontier of ${of.target}`}/>`}
        ${lacking && html`<p class="muted small">Not measured: ${lacking}.</p>`}<//>`;
}
