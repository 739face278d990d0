/* targets.js - every target with what is known of it: declared, and newest and best of what was measured. */
import { useGet } from '../api.js';
import { intervalColumn } from '../charts/intervals.js';
import { of, ratioColumn, verdictColumn } from '../columns.js';
import { html, useMemo } from '../dom.js';
import { Answer, DEVICES, Empty, GOALS, GRADES, LookedAt, SearchField, SelectField, SIZES, TargetLink } from '../parts.js';
import { Table } from '../table.js';

/* What was found of a target, as far as the analysis ranks it; "none" else. */
const STATES = [...GRADES, ['quarantined', 'in quarantine'], ['none', 'no valid result']];

export function Targets({ query }) {
    const list = useGet('bench/list-targets', { long: true, device: query.device }, 'targets');
    const boards = useGet('bench/analyze', { show: 'leaderboards', top: 1000, size: query.size, device: query.device,
        hardware: query.hardware, chapter: query.chapter, target: query.target });

    return html`<h1>Targets</h1>
        <${Answer} of=${list}>${(value) => html`<${List} targets=${value.targets} boards=${boards} query=${query}
            more=${list}/>`}<//>`;
}

function List({ targets, boards, query, more }) {
    const best = useMemo(() => bestOf(boards.value), [boards.value]);
    const rows = useMemo(() => targets.map((target) => ({ ...target, key: target.target, best: best.get(target.target) ?? null,
        isQuarantined: target.variants.some((variant) => variant.quarantined), state: stateOf(target, best) })), [targets, best]);
    const shown = rows.filter((row) => matches(row, query));
    const chapters = [...new Set(targets.map((target) => target.chapter))];

    return html`<form class="filters" role="search" aria-label="Filter targets" onSubmit=${(event) => event.preventDefault()}>
            <${SearchField} label="Search" name="q" value=${query.q} placeholder="name, title or idea"/>
            <${SelectField} label="Chapter" name="chapter" value=${query.chapter} options=${chapters}/>
            <${SelectField} label="Device" name="device" value=${query.device} options=${DEVICES}/>
            <${SelectField} label="Goal" name="goal" value=${query.goal} options=${GOALS}/>
            <${SelectField} label="Grade" name="grade" value=${query.grade} options=${STATES}/>
            <${SelectField} label="Size" name="size" value=${query.size ?? 'default'} options=${SIZES} all=${null}/>
            <${SearchField} label="Hardware" name="hardware" value=${query.hardware} placeholder="of the newest result"/>
        </form>
        ${boards.value && html`<${LookedAt} value=${boards.value}/>`}
        ${boards.error && html`<p class="muted small">Nothing measured is shown: ${boards.error.message}</p>`}
        ${shown.length === 0 ? html`<${Empty}>No target is like that.<//>` : html`<${Table} name="targets" caption="Targets"
            rows=${shown} more=${more}
            first=${120} columns=${columns(shown)}/>`}`;
}

const columns = (rows) => [
    { id: 'target', label: 'target', get: (row) => row.target, show: (row) => html`<span class="two broad"><${TargetLink}
        target=${row.target}/>
        <span class="muted">${row.title}</span></span>`, csv: { target: (row) => row.target, title: (row) => row.title } },
    { id: 'variants', label: 'variants', isNumber: true, wide: true, get: (row) => row.variants.length,
        show: (row) => html`${row.variants.length}<br/>
        <span class="muted small nowrap">${devicesOf(row).join(' ')}</span>`,
        csv: { variants: (row) => row.variants.length, devices: (row) => devicesOf(row).join(' '), goal: (row) => row.goal } },
    { id: 'best', label: 'best variant', get: (row) => row.best?.variant, show: (row) => (row.best
        ? html`<span class="id">${row.best.variant}</span><br/><span class="muted small">${row.goal}, ${row.best.device}</span>`
        : html`<span class="muted">${row.refused || (row.informational ? 'informational: not ranked'
            : 'nothing valid recorded')}</span>`) },
    of(ratioColumn, (row) => row.best), intervalColumn(rows, (row) => row.best),
    of(verdictColumn, (row) => row.best && { ...row.best, quarantined: row.isQuarantined }),
];

const devicesOf = (row) => [...new Set(row.variants.map((variant) => variant.device))];

/* The first of each target in the leaderboards: the analysis has ordered them. */
function bestOf(value) {
    const best = new Map();

    for (const board of value?.leaderboards ?? [])
        for (const entry of board.entries)
            if (!best.has(entry.target))
                best.set(entry.target, entry);
    return best;
}

function stateOf(target, best) {
    return best.get(target.target)?.grade ?? 'none';
}

function matches(row, { q, chapter, goal, grade, device }) {
    const needle = (q ?? '').toLowerCase();

    if (chapter && row.chapter !== chapter || goal && row.goal !== goal || device && !devicesOf(row).includes(device))
        return false;
    if (grade && (grade === 'quarantined' ? !row.isQuarantined : row.state !== grade))
        return false;
    return !needle || [row.target, row.title, ...row.variants.flatMap((variant) => [variant.name, variant.idea])]
        .some((text) => (text ?? '').toLowerCase().includes(needle));
}
