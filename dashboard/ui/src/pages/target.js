/* target.js - one target: the ladder of its ideas with what each brought, and what lies behind the one that is picked.
 * `bench show` says what is asked, `bench history` which run measured each variant last, `bench show-run` what was found,
 * `bench source` how it is written. */
import { useGet } from '../api.js';
import { intervalColumn } from '../charts/intervals.js';
import { ratioColumn, verdictColumn } from '../columns.js';
import { html, useMemo } from '../dom.js';
import * as format from '../format.js';
import { Answer, DEVICES, Empty, Facts, Ratio, SearchField, Section, SelectField } from '../parts.js';
import { href, setQuery } from '../route.js';
import { Table } from '../table.js';
import { Evidence } from './evidence.js';
import { Source } from './source.js';

const SIZE_ORDER = ['default', 'large', 'quick', 'custom'];

export function Target({ name, query }) {
    const show = useGet('bench/show', { target: name, device: query.device });
    const history = useGet('bench/history', { target: name, device: query.device, hardware: query.hardware, limit: 1 });

    return html`<p class="crumbs"><a href=${href('targets')}>Targets</a> / <a href=${href('targets', [],
        { chapter: name.split(':')[0] })}>${name.split(':')[0]}</a></p>
        <h1 class="id">${name}</h1>
        <${Answer} of=${show}>${(value) => html`<p class="lead">${value.title}${value.teaches && html`<span
            class="muted"> — ${value.teaches}</span>`}</p>
            ${value.informational && html`<div class="notice"><b>Informational, never ranked.</b> ${value.informational}</div>`}
            <${Ladder} show=${value} history=${history} query=${query}/>`}<//>
        ${show.error && history.value && html`<${Ladder} show=${{ target: name, variants: [] }} history=${history}
            query=${query}/>`}
        <${Answer} of=${show}>${(value) => html`<${Asked} value=${value}/>`}<//>`;
}

/* ---- the ladder ---- */

/* A row for each declared variant, and for those that only records know. */
function rungs(show, series, size) {
    const key = (variant, device) => `${variant} ${device}`;
    const found = new Map(series.filter((one) => one.size === size).map((one) => [key(one.variant, one.device), one]));
    const declared = show.variants.map((variant) => ({ ...variant, key: key(variant.name, variant.device),
        variant: variant.name }));
    const known = new Set(declared.map((row) => row.key));
    const gone = [...found.values()].filter((one) => !known.has(key(one.variant, one.device)))
        .map((one) => ({ key: key(one.variant, one.device), variant: one.variant, device: one.device,
            idea: 'not among the built variants', expect: '' }));

    return declared.concat(gone).map((row) => {
        const one = found.get(row.key);
        const newest = one?.runs.at(-1);
        return { ...row, size, reference: one?.reference, hardware: one?.hardware, ratio: newest?.ratio ?? null,
            lo95: newest?.lo95 ?? null,
            hi95: newest?.hi95 ?? null, verdict: newest?.verdict, grade: newest?.grade, run: newest?.run, at: newest?.at,
                level: one?.level };
    });
}

function Ladder({ show, history, query }) {
    const series = history.value?.series ?? [];
    const sizes = SIZE_ORDER.filter((size) => series.some((one) => one.size === size));
    const size = query.size ?? sizes[0] ?? 'default';
    const rows = useMemo(() => rungs(show, series, size), [show, series, size]);
    const picked = rows.find((row) => row.variant === query.variant && (!query.device || row.device === query.device) && row.run)
        ?? rows.find((row) => row.variant === query.variant) ?? firstMeasured(rows);

    return html`<div class="filters">
            <${SelectField} label="Size" name="size" value=${size} options=${sizes.length ? sizes : SIZE_ORDER} all=${null}/>
            <${SelectField} label="Device" name="device" value=${query.device} options=${DEVICES}/>
            <${SearchField} label="Hardware" name="hardware" value=${query.hardware} placeholder=${history.value?.hardware
                ?? 'of the newest run'}/>
        </div>
        <${Section} title="Ladder of ideas" aside=${html`<a href=${href('history', [], { target: show.target })}>history</a>`}>
        ${history.error && html`<p class="muted small">${history.error.message}</p>`}
        <${Table} name="ladder" caption="Ladder of ideas" rows=${rows} isSelected=${(row) => row === picked && row.run}
            onPick=${(row) => setQuery({ variant: row.variant, device: query.device && row.device, run: '' },
                true)} columns=${columns(rows)}/><//>
        ${picked?.name && html`<${Source} key=${picked.key} target=${show.target} variant=${picked.name} device=${picked.device}
            isOpen=${query.source === 'shown'}/>`}
        ${picked && html`<${Picked} row=${picked} target=${show.target} run=${query.variant === picked.variant ? query.run
            : undefined}/>`}`;
}

const firstMeasured = (rows) => rows.filter((row) => row.run).sort((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0))[0];

const columns = (rows) => [
    { id: 'variant', label: 'variant', get: (row) => row.variant, show: (row) => html`<button type="button" class="link id"
        onClick=${() => setQuery({ variant: row.variant, run: '' },
            true)}>${row.variant}</button> <br/><span class="muted small">${row.device}${row.uses
            && `, uses ${row.uses}`}</span>`,
        csv: { variant: (row) => row.variant, device: (row) => row.device, size: (row) => row.size, run: (row) => row.run } },
    { id: 'idea', label: 'idea', get: (row) => row.idea, show: (row) => html`${row.idea}${row.expect && html`<span
        class="muted small"> expected: ${row.expect}</span>`}${row.refused && html`<span
        class="tag invalid">refused: ${row.refused}</span>`}`,
        csv: { idea: (row) => row.idea, expected: (row) => row.expect }, className: 'idea' },
    { id: 'ratio', label: 'ratio', isNumber: true, get: (row) => row.ratio, show: (row) => (row.variant === 'baseline'
        ? html`<span class="muted">the reference</span>` : row.run ? html`<${Ratio} row=${row}/>` : html`<span
            class="muted">not measured</span>`), csv: ratioColumn.csv },
    intervalColumn(rows),
    verdictColumn,
];

/* The run names its results by a key; what fits the row is the one. */
function Picked({ row, target, run: asked }) {
    const id = asked ?? row.run;
    const run = useGet(id ? 'bench/show-run' : null, { run: id });

    if (!id)
        return html`<${Empty}>${row.variant} has not been measured at this size. <a href=${href('start', [], { targets: target,
            variant: row.variant })}>Measure it</a><//>`;
    return html`<${Answer} of=${run}>${(value) => {
        const result = value.results.find((one) => one.target === target && one.variant === row.variant
            && one.device === row.device && one.size === row.size);
        return result ? html`${row.run && asked && asked !== row.run && html`<p class="muted small">Of an older run; <button
            type="button" class="link"
            onClick=${() => setQuery({ run: '' }, true)}>show the newest</button></p>`}<${Evidence} key=${`${id} ${result.key}`}
                run=${value} result=${result}/>`
        : html`<${Empty}>Run ${id} does not hold it.<//>`;
    }}<//>`;
}

/* ---- what is asked ---- */

function Asked({ value }) {
    const dims = (one) => (Array.isArray(one.default) ? one.default.join(' × ') : one.default);

    return html`<div class="columns"><${Section} title="What is asked">
        <${Facts} of=${[['goal', value.goal], ['least bytes',
            `${value.bytes?.expression} = ${format.bytes(value.bytes?.default)}`],
            ['operations', `${value.flops?.expression} = ${format.si(value.flops?.default)}`], ['unit of work', value.unit?.name
                ?? value.unit ?? 'a call'],
            ['tolerance', tolerance(value.tolerance)],
            ['wrong answers found', value.mutation
                && `${value.mutation.found} of ${value.mutation.mutants} mutants${value.mutation.missed
                && `; missed: ${value.mutation.missed}`}`],
            value.missing?.length > 0 && ['not built here', value.missing.map((one) => one.name ?? one).join(', ')]]}/><//>
        <${Section} title="Sizes and tensors">
        <${Table} name="parameters" caption="Parameters" rows=${value.params} columns=${[
            { id: 'name', label: 'parameter', get: (row) => row.name }, { id: 'default', label: 'default', isNumber: true,
                get: (row) => row.default },
            { id: 'quick', label: 'quick', isNumber: true, get: (row) => row.quick }, { id: 'large', label: 'large',
                isNumber: true, get: (row) => row.large },
            { id: 'holdout', label: 'secret points drawn from', get: (row) => row.holdout?.join(' ') }]}/>
        <${Table} name="tensors" caption="Tensors" rows=${value.tensors} columns=${[
            { id: 'name', label: 'tensor', get: (row) => row.name }, { id: 'role', label: 'role', get: (row) => row.role },
            { id: 'dtype', label: 'type', get: (row) => row.dtype }, { id: 'dims', label: 'shape', get: (row) => row.dims,
                show: (row) => html`${row.dims} <span class="muted">= ${dims(row)}</span>` },
            { id: 'bytes', label: 'size', isNumber: true, get: (row) => row.bytes, show: (row) => format.bytes(row.bytes) },
            { id: 'fill', label: 'contents', wide: true, get: (row) => row.fill }]}/><//></div>`;
}

function tolerance(of) {
    return of && `${of.ulps} ulp${of.length && of.length !== '1' ? ` × ${of.length}` : ''}${of.norm ? `, norm ${of.norm}`
        : ''}${of.why ? `: ${of.why}` : ''}`;
}
