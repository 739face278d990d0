/* whatif.js - which variants fit limits, as measured: `bench whatif` asked again whenever a slider rests.
 * A slider at its end sets no limit. Its span is that of what was measured; limits beyond it can be typed. */
import { useGet } from '../api.js';
import { intervalColumn } from '../charts/intervals.js';
import { ratioColumn, variantColumn, verdictColumn } from '../columns.js';
import { html, useEffect, useId, useMemo, useState } from '../dom.js';
import * as format from '../format.js';
import { AnalysisFilter, analysisParameters, Answer, Empty, LookedAt, SearchField } from '../parts.js';
import { setQuery } from '../route.js';
import { Table } from '../table.js';
import { useChapters } from './pareto.js';

const GIB = 2 ** 30;
const STEPS = 200;

/* `of` reads a row's figure in the limit's unit. */
const LIMITS = [
    { name: 'vram', label: 'Memory at most', unit: 'GiB', of: (row) => row.memory_bytes / GIB,
        write: (v) => format.bytes(v * GIB), isMost: true },
    { name: 'latency', label: 'p99 of a call at most', unit: 'ms', of: (row) => row.p99_ns / 1e6,
        write: (v) => format.ns(v * 1e6), isMost: true },
    { name: 'throughput', label: 'Rate at least', unit: 'units/s', of: (row) => row.per_second, write: (v) => format.si(v,
        '/s'), isMost: false },
    { name: 'power', label: 'Mean power at most', unit: 'W', of: (row) => row.watts, write: (v) => `${format.digits(v, 3)} W`,
        isMost: true },
    { name: 'cost', label: 'Cost of a million units at most', unit: 'USD', of: (row) => row.usd_per_million,
        write: (v) => `$${format.digits(v, 3)}`, isMost: true },
];

export function WhatIf({ query }) {
    const chapters = useChapters();
    const filter = analysisParameters(query);
    const price = query.price ? query.price.split(/[\s,]+/) : [];
    const limits = Object.fromEntries(LIMITS.map(({ name }) => [name, query[name]]).filter(([, value]) => value > 0));
    const isAsked = Object.keys(limits).length > 0;
    /* A rate that everybody has: all that was measured, for the spans and for the list before a limit is set. */
    const all = useGet('bench/whatif', { throughput: 1e-9, top: 1000, price, ...filter });
    const answer = useGet(isAsked ? 'bench/whatif' : null, { ...limits, top: 1000, price, ...filter });
    const spans = useMemo(() => all.value && Object.fromEntries(LIMITS.map((limit) => [limit.name, spanOf(all.value.list,
        limit)])), [all.value]);

    return html`<h1>What if</h1><p class="lead muted">Variants that fit limits, as measured. What was not measured never fits.</p>
        <div class="sliders">${LIMITS.map((limit) => html`<${Slider} key=${limit.name} limit=${limit}
            span=${spans?.[limit.name]} value=${query[limit.name]}/>`)}</div>
        <div class="filters"><${SearchField} label="Price, $/h" name="price" value=${query.price}
            placeholder="cpu=0.40 H100=3.50"/>
            ${isAsked && html`<button type="button" class="quiet"
                onClick=${() => setQuery(Object.fromEntries(LIMITS.map(({ name }) => [name, ''])),
                true)}>No limits</button>`}</div>
        <${AnalysisFilter} query=${query} chapters=${chapters} size="default"/>
        <${Answer} key=${isAsked} of=${isAsked ? answer : all}>${(value) =>
            html`<${Rows} value=${value} isAsked=${isAsked}/>`}<//>`;
}

function spanOf(list, { of }) {
    const values = list.map(of).filter((value) => value > 0);
    return values.length ? [Math.min(...values) / 1.02, Math.max(...values) * 1.02] : null;
}

function Slider({ limit, span, value, }) {
    const id = useId();
    const [draft, setDraft] = useState(null);
    const text = draft ?? value ?? '';
    const free = limit.isMost ? STEPS : 0;
    const position = text > 0 && span ? Math.round(STEPS * Math.log(text / span[0]) / Math.log(span[1] / span[0])) : free;

    useEffect(() => {
        if (draft === null)
            return undefined;
        const timer = setTimeout(() => {
            setQuery({ [limit.name]: draft });
            setDraft(null);
        }, 80);
        return () => clearTimeout(timer);
    }, [draft]);
    const slide = (event) => {
        const at = Number(event.currentTarget.value);
        setDraft(at === free ? '' : String(Number((span[0] * (span[1] / span[0]) ** (at / STEPS)).toPrecision(3))));
    };

    return html`<div class="slider"><label for=${id}>${limit.label}</label>
        <input id=${id} type="range" min="0" max=${STEPS} value=${Math.min(Math.max(position, 0),
            STEPS)} disabled=${!span} onInput=${slide}
            aria-valuetext=${text > 0 ? limit.write(Number(text)) : 'no limit'}/>
        <span class="typed"><input type="number" step="any" min="0" value=${text} placeholder="no limit"
            aria-label=${`${limit.label}, ${limit.unit}`}
            onInput=${(event) => setDraft(event.currentTarget.value)}/> ${limit.unit}</span>
        <span class="muted small">${text > 0 ? limit.write(Number(text)) : span
            ? `measured: ${limit.write(span[0])} to ${limit.write(span[1])}` : 'not measured'}</span></div>`;
}

const figure = (limit, label) => ({ id: limit.name, label, isNumber: true, get: (row) => (row[limit.field] === null ? null
    : limit.of(row)),
    className: 'short', show: (row) => html`<span class=${row.missed.includes(limit.name) ? 'missed' : ''}>${limit.of(row) > 0
        ? limit.write(limit.of(row)) : html`<span class="muted">${format.NONE}</span>`}</span>` });

const FIELDS = { vram: 'memory_bytes', latency: 'p99_ns', throughput: 'per_second', power: 'watts', cost: 'usd_per_million' };
const LABELS = { vram: 'memory', latency: 'p99', throughput: 'rate', power: 'power', cost: 'a million units' };

function Rows({ value, isAsked }) {
    const rows = value.list.map((row) => ({ ...row, key: `${row.target} ${row.variant} ${row.device}` }));

    const measured = LIMITS.filter((limit) => rows.some((row) => row[FIELDS[limit.name]] !== null));

    return html`<${LookedAt} value=${value}/>
        ${isAsked && html`<p class="counts"
            role="status"><span><b>${value.n.fits}</b> fit</span><span><b>${value.n.does_not_fit}</b> do not</span>
            <span><b>${value.n.not_measured}</b> were not measured for it</span></p>`}
        ${rows.length === 0 ? html`<${Empty}>Nothing valid is recorded of this size.<//>` : html`<${Table} name="whatif"
            caption="What fits" rows=${rows} columns=${[
            isAsked && { id: 'fit', label: 'fit', get: (row) => row.fit, show: (row) => html`<span
                class=${`tag ${row.fit.replace(/ /g, '-')}`}>${row.fit}</span>${
                row.missing.length > 0 && html` <span class="muted small">lacks ${row.missing.join(', ')}</span>`}` },
            variantColumn, ratioColumn, intervalColumn(rows),
            ...measured.map((limit) => figure({ ...limit, field: FIELDS[limit.name] }, LABELS[limit.name])),
            { id: 'unit', label: 'unit', wide: true, get: (row) => row.unit, className: 'short' },
            verdictColumn].filter(Boolean)}/>
            ${measured.length < LIMITS.length && html`<p
                class="muted small">Measured for none of these: ${LIMITS.filter((limit) => !measured.includes(limit))
                .map((limit) => LABELS[limit.name]).join(', ')}.</p>`}`}`;
}
