/* overview.js - what is fast, what is invalid or in quarantine, what changed since last time: the answers of `bench analyze`,
 * `bench summary`, `bench quarantine-report` and `bench triage`, side by side. */
import { useGet } from '../api.js';
import { intervalColumn } from '../charts/intervals.js';
import { ratioColumn, variantColumn, verdictColumn } from '../columns.js';
import { html } from '../dom.js';
import * as format from '../format.js';
import { Answer, Empty, Facts, LookedAt, RunLink, Section, SelectField, SIZES, Verdict, VariantLink } from '../parts.js';
import { href, setQuery } from '../route.js';
import { Table } from '../table.js';

const WORDS = ['FASTER', 'SLOWER', 'SAME', 'UNSURE', 'VERIFIED', 'INVALID'];

export function Overview({ query }) {
    const summary = useGet('bench/summary');

    if (summary.error?.status === 404 && !summary.value)
        return html`<h1>Overview</h1><${Empty}>${summary.error.message}<//><p><a class="button" href=${href('start', [], {
            targets: 'ch01', size: 'quick' })}>Measure chapter 1</a></p>`;

    return html`<h1>Overview</h1>
        <${Answer} of=${summary}>${(value) => html`<${Latest} value=${value}/>`}<//>
        <div class="beside"><${Fast} query=${query}/><div><${Wrong} summary=${summary.value}/><${Changed}/></div></div>
        <${Recent}/>`;
}

function Latest({ value }) {
    const total = WORDS.reduce((sum, word) => sum + (value.verdicts[word] ?? 0), 0);

    return html`<${Section} title="The newest run" aside=${html`<a href=${href('run', [value.run])}>all of it</a>`}>
        <div class="share" role="img" aria-label=${WORDS.filter((word) => value.verdicts[word]).map((word) =>
            `${value.verdicts[word]} ${word}`).join(', ')}>${WORDS.filter((word) => value.verdicts[word]).map((word) =>
            html`<span class=${word.toLowerCase()} style=${{ flexGrow: value.verdicts[word] }}></span>`)}</div>
        <p class="counts">${WORDS.filter((word) => value.verdicts[word] || word !== 'VERIFIED').map((word) =>
            html`<span><b>${value.verdicts[word] ?? 0}</b> <${Verdict} name=${word}/></span>`)}
            <span class="muted">of ${total}</span></p>
        <${Facts} of=${[['run', html`<${RunLink} id=${value.run}/>`], ['started (UTC)', format.date(value.started)],
            ['machine', html`<span class="id">${value.hardware}</span>`],
            ['grades', Object.entries(value.grades).filter(([, n]) => n).map(([grade, n]) => `${n} ${grade}`).join(', ')
                || 'none'],
            ...value.goals.map((goal) => [`geometric mean, ${goal.goal}`,
                goal.geomean > 0 ? `${format.ratio(goal.geomean)}× of ${goal.n_valid} valid`
                    : `${format.NONE} (${goal.n_valid} valid)`]),
            !value.complete && ['state', 'incomplete: --resume goes on']]}/>
    <//>`;
}

const HEADINGS = { invalid: 'invalid', regression: 'slower than before', slower: 'slower than its reference', unsure: 'unsure',
    improvement: 'faster than before', change: 'changed' };

const MOST = 6;

function Changed() {
    const triage = useGet('bench/triage', { top: MOST });

    return html`<${Section} title="What changed, and what to look at first"><${Answer} of=${triage}>${(value) => {
        const rest = Math.max(0, value.items.length - MOST) + value.left_out.unsure + value.left_out.change;
        return html`<p
            class="muted small">${value.n_compared} of ${value.n_results} results of the newest run have an earlier figure to be
            compared with.</p>
        ${value.items.length === 0 ? html`<${Empty}>Nothing is wrong, slower, unsure or changed.<//>` : html`<ul
            class="items">${value.items.slice(0, MOST).map((item) => html`
            <li><span class=${`tag ${item.kind}`}>${HEADINGS[item.kind] ?? item.kind}</span> <${VariantLink} row=${item}/>
                <p class="muted small">${item.text}</p></li>`)}</ul>`}
        <p class="small"><a href=${href('run', [value.run])}>${rest > 0 ? `${rest} more, and what to type next`
            : 'What to type next'}</a></p>`;
    }}<//><//>`;
}

function Wrong({ summary }) {
    const quarantine = useGet('bench/quarantine-report');
    const invalid = summary?.rows.filter((row) => row.verdict === 'INVALID') ?? [];

    return html`<${Section} title="Invalid, or in quarantine">
        ${invalid.length > 0 ? html`<ul class="items">${invalid.map((row) => html`<li><${Verdict}
            name="INVALID"/> <${VariantLink} row=${row}/>
            <p class="muted small">${row.reason || 'withheld'}</p></li>`)}</ul>` : summary
                && html`<${Empty}>Nothing in the newest run is invalid.<//>`}
        <${Answer} of=${quarantine}>${(value) => (value.quarantined.length === 0 ? html`<${Empty}>Nothing is in quarantine.<//>`
            : html`<ul class="items">${value.quarantined.map((row) => html`<li><span
                class="tag invalid">quarantine</span> <${VariantLink} row=${row}/>
                <p class="muted small">${row.reason}, since ${format.date(row.since)}</p></li>`)}</ul>`)}<//>
    <//>`;
}

function Fast({ query }) {
    const asked = { size: query.size, hardware: query.hardware };
    const boards = useGet('bench/analyze', { show: 'leaderboards', top: 10, ...asked });

    return html`<${Section} title="What is fast" aside=${html`<${SelectField} label="Size" name="size" value=${query.size
        ?? 'default'}
            options=${SIZES} all=${null}/>`}><${Answer} of=${boards}>${(value) => html`<${LookedAt} value=${value}/>
        ${value.leaderboards.map((board) => html`<h3>${board.goal}</h3><${Board} board=${board}/>`)}
        ${value.leaderboards.length === 0 && html`<${Empty}>No valid result of this size is recorded. ${value.left_out.a_size
            && html`
            <button type="button" class="link" onClick=${() => setQuery({ size: value.left_out.a_size },
                true)}>Show size ${value.left_out.a_size}</button>`}<//>`}
        <p><a href=${href('targets')}>All targets</a> · <a href=${href('pareto')}>Pareto frontiers</a> ·${' '}
            <a href=${href('whatif')}>What fits limits</a></p>`}<//><//>`;
}

export function Board({ board, name = `board-${board.goal}` }) {
    return html`<${Table} name=${name} caption=${`Leaderboard, ${board.goal}`} rows=${board.entries} columns=${[
        { id: 'rank', label: '#', isNumber: true, get: (row) => row.rank },
        variantColumn, ratioColumn, intervalColumn(board.entries), verdictColumn]}/>`;
}

function Recent() {
    const runs = useGet('bench/list-runs', { limit: 8 });

    return html`<${Section} title="Recent runs" aside=${html`<a href=${href('runs')}>all runs</a>`}><${Answer}
        of=${runs}>${(value) =>
        html`<${RunTable} rows=${value.runs} name="recent"/>`}<//><//>`;
}

export function RunTable({ rows, name, more, marks }) {
    return html`<${Table} name=${name} caption="Runs" rows=${rows} more=${more} columns=${[
        { id: 'run', label: 'run', get: (row) => row.run, show: (row) => html`<${RunLink} id=${row.run}/>` },
        { id: 'started', label: 'started (UTC)', get: (row) => row.started, show: (row) => format.date(row.started) },
        { id: 'n_results', label: 'results', isNumber: true, get: (row) => row.n_results,
            show: (row) => format.count(row.n_results) },
        { id: 'machine', label: 'host', wide: true, get: (row) => row.hardware ?? row.host, show: (row) => html`<span
            class="id">${
            row.hardware ?? row.host?.slice(0, 12)}</span>` },
        { id: 'state', label: 'state', get: (row) => (row.complete ? 'complete' : 'incomplete') },
        ...(marks ?? [])]}/>`;
}
