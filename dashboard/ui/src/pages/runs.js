/* runs.js - the recorded runs, and one of them: verdicts, rows, what to look at, environment. */
import { useGet } from '../api.js';
import { intervalColumn } from '../charts/intervals.js';
import { ratioColumn, variantColumn, verdictColumn } from '../columns.js';
import { html } from '../dom.js';
import * as format from '../format.js';
import { Answer, Empty, Facts, Section, SelectField } from '../parts.js';
import { href } from '../route.js';
import { Table } from '../table.js';
import { RunTable } from './overview.js';

export function Runs({ query }) {
    const limit = Number(query.limit) || 200;
    const runs = useGet('bench/list-runs', { limit }, 'runs');

    return html`<h1>Runs</h1><${Answer} of=${runs}>${(value) => html`
        <div class="filters"><${SelectField} label="Newest" name="limit" value=${String(limit)} options=${['50', '200', '1000',
            '10000']} all=${null}/></div>
        <${RunTable} rows=${value.runs} name="runs" more=${runs} marks=${[{ id: 'compare', label: 'compare', show: (row) => html`
            <a href=${href('compare', [],
                { b: row.run })} aria-label=${`Compare with run ${row.run}`}>with an earlier one</a>` }]}/>`}<//>`;
}

const WORDS = ['INVALID', 'SLOWER', 'UNSURE', 'SAME', 'FASTER', 'VERIFIED'];

export function Run({ id, query }) {
    const summary = useGet('bench/summary', { run: id });
    const record = useGet('bench/show-run', { run: id });

    return html`<p class="crumbs"><a href=${href('runs')}>Runs</a></p><h1 class="id">${id}</h1>
        <${Answer} of=${summary}>${(value) => html`
            <${Facts} of=${[['started (UTC)', format.date(value.started)], ['machine', html`<span
                class="id">${value.hardware}</span>`],
                ['commit', html`<span class="id">${format.shortCommit(value.git)}</span>`], ['aisp', value.aisp],
                ['state', value.complete ? 'complete' : 'incomplete: --resume goes on'],
                ...value.goals.map((goal) => [`geometric mean, ${goal.goal}`, goal.geomean > 0
                    ? `${format.ratio(goal.geomean)}× of ${goal.n_valid} valid` : format.NONE])]}/>
            <div class="filters"><${SelectField} label="Verdict" name="verdict" value=${query.verdict} options=${WORDS}/>
                <${SelectField} label="Chapter" name="chapter" value=${query.chapter} options=${value.chapters.map((one) =>
                    one.chapter)}/>
                <a class="button" href=${href('compare', [], { b: id })}>Compare with an earlier run</a></div>
            <${Rows} rows=${value.rows.map((row) => ({ ...row, run: value.run,
                key: `${row.target} ${row.variant} ${row.device} ${row.size}` }))} query=${query}/>`}<//>
        <${Triage} id=${id}/>
        <${Answer} of=${record}>${(value) => html`<${Environment} manifest=${value.manifest}/>`}<//>`;
}

function Rows({ rows, query }) {
    const shown = rows.filter((row) => (!query.verdict || row.verdict === query.verdict) && (!query.chapter
        || row.target.startsWith(`${query.chapter}:`)));

    if (!shown.length)
        return html`<${Empty}>${rows.length ? 'No result is like that.' : 'The run has no results.'}<//>`;
    return html`<${Table} name="results" caption="Results" rows=${shown} columns=${[
        variantColumn,
        { id: 'size', label: 'size', wide: true, get: (row) => row.size, csv: {} }, { id: 'device', label: 'device', wide: true,
            get: (row) => row.device, csv: {} },
        ratioColumn, intervalColumn(shown), verdictColumn,
        { id: 'pairs', label: 'pairs', isNumber: true, wide: true, get: (row) => row.n_pairs },
        { id: 'reason', label: 'reason', get: (row) => row.reason, className: 'idea' }]}/>`;
}

function Triage({ id }) {
    const triage = useGet('bench/triage', { run: id, top: 50 });

    return html`<${Section} title="What to look at, and what to type"><${Answer} of=${triage}>${(value) =>
        (value.items.length === 0
        ? html`<${Empty}>Nothing is wrong, slower, unsure or changed.<//>`
        : html`<${Table} name="triage" caption="What to look at" first=${12} rows=${value.items} columns=${[
            { id: 'kind', label: 'what', get: (row) => row.kind, show: (row) => html`<span
                class=${`tag ${row.kind}`}>${row.kind}</span>` },
            variantColumn,
            { id: 'text', label: 'why', get: (row) => row.text, className: 'idea' },
            { id: 'next', label: 'next', get: (row) => row.next, show: (row) => html`<code
                class="next">${row.next}</code>` }]}/>`)}<//><//>`;
}

function Environment({ manifest }) {
    const rows = Object.entries(manifest?.environment ?? {}).filter(([, value]) => value !== '' && value !== -1)
        .map(([name, value]) => ({ key: name, name, value: String(value) }));

    return html`<${Section} title="Environment and options">
        <p class="muted small">seeds were committed to before: <span class="id">${manifest?.seed_commitment}</span></p>
        <${Table} name="environment" caption="Environment" first=${10} rows=${rows} columns=${[{ id: 'name', label: 'what',
            get: (row) => row.name },
            { id: 'value', label: 'value', get: (row) => row.value }]}/>
        <details><summary>Options</summary><pre>${JSON.stringify(manifest?.options, null, 2)}</pre></details><//>`;
}
