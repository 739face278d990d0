/* job.js - commands that run: a live view of one job, the list of jobs, and a command whose answer a page waits for.
 * What comes is what the command tells its console: notes, progress, results; the token is needed to start and to cancel. */
import { cancelJob, followJob, get, invalidate, startJob, useGet, useToken } from '../api.js';
import { intervalColumn } from '../charts/intervals.js';
import { linear, log } from '../charts/scale.js';
import { useWidth } from '../charts/chart.js';
import { ratioColumn, variantColumn, verdictColumn } from '../columns.js';
import { html, useEffect, useReducer, useRef, useState } from '../dom.js';
import * as format from '../format.js';
import { Answer, Empty, Facts, Problem, RunLink, Section } from '../parts.js';
import { href } from '../route.js';
import { Table } from '../table.js';

/* ---- what has come of a job ---- */

const NOTHING = { progress: '', notes: [], lines: [], now: null, curve: [], results: [], isOver: false };

function take(state, [name, data]) {
    const event = data && typeof data === 'object' ? data.event ?? name : name;

    switch (event) {
    case 'note': return { ...state, notes: [...state.notes, textOf(data)].slice(-200) };
    case 'line': return { ...state, lines: [...state.lines, textOf(data)].slice(-200) };
    case 'result': return { ...state, results: [...state.results, data.result ?? data] };
    case 'progress':
        if (!data || typeof data !== 'object' || !data.target)
            return { ...state, progress: textOf(data) };
        return { ...state, now: data, curve: nextCurve(state, data) };
    case 'end': return { ...state, isOver: true, now: null };
    case 'reset': return NOTHING;
    default: return state;
    }
}

const textOf = (data) => data?.line ?? '';

/* The running ratio of the comparison that is measured now. */
function nextCurve(state, data) {
    const isSame = state.now && state.now.target === data.target && state.now.variant === data.variant;
    const before = isSame ? state.curve : [];

    return data.ratio > 0 && data.pairs > 0 && before.at(-1)?.pairs !== data.pairs ? [...before, { pairs: data.pairs,
        ratio: data.ratio }] : before;
}

function useEvents(id) {
    const [state, send] = useReducer(take, NOTHING);

    useEffect(() => {
        const stop = new AbortController();
        followJob(id, () => send(['reset']), (name, data) => send([name, data]), stop.signal)
            .then(invalidate, (error) => send(['note', { line: error.message }]));
        return () => stop.abort();
    }, [id]);
    return state;
}

/* ---- pages ---- */

export function Jobs() {
    const jobs = useGet('jobs', {}, 'jobs');

    return html`<${Section} title="Jobs"><${Answer} of=${jobs}>${(value) => {
        const rows = (Array.isArray(value) ? value : value.jobs).map((job) => ({ ...job, key: job.id }));
        return rows.length === 0 ? html`<${Empty}>None has been started since the server was.<//>` : html`<${Table} name="jobs"
            caption="Jobs" more=${jobs} rows=${rows} columns=${[
            { id: 'id', label: 'job', get: (row) => row.id, show: (row) => html`<a class="id" href=${href('job',
                [row.id])}>${row.id}</a>` },
            { id: 'command', label: 'command', get: (row) => row.command, show: (row) => html`<code>${lineOf(row)}</code>` },
            { id: 'state', label: 'state', get: (row) => row.state, show: (row) => html`<span
                class=${`tag ${row.state}`}>${row.state}</span>` },
            { id: 'exit', label: 'exit', isNumber: true, get: (row) => row.exit }]}/>`;
    }}<//><//>`;
}

/* As it would be typed. */
export function lineOf({ command, arguments: args = {} }) {
    const words = Object.entries(args).flatMap(([name, value]) => (value === true ? [`--${name}`] : value === false ? []
        : [].concat(value).map((one) => `--${name} ${one}`)));
    return ['aisp', command, ...words].join(' ');
}

const isRunning = (job) => ['waiting', 'running', 'stopping'].includes(job.state);

export function Job({ id }) {
    const job = useGet(`jobs/${encodeURIComponent(id)}`);

    return html`<p class="crumbs"><a href=${href('start')}>Run</a></p><h1>Job <span class="id">${id}</span></h1>
        <${Answer} of=${job}>${(value) => html`<${Live} key=${id} job=${value}/>`}<//>`;
}

function Live({ job }) {
    const [error, setError] = useState(null);
    const token = useToken();
    const state = useEvents(job.id);
    const running = isRunning(job) && !state.isOver;
    const run = job.value?.run;

    return html`<p><code>${lineOf(job)}</code></p>
        <${Facts} of=${[['state', html`<span class=${`tag ${job.state}`} role="status">${job.state}</span>`],
            !running && ['exit code', job.exit], run && ['recorded as', html`<${RunLink} id=${run}/>`]]}/>
        ${running && html`<button type="button" class="danger" disabled=${!token}
            onClick=${() => cancelJob(job.id).then(invalidate, setError)}>Cancel</button>${
            !token && html` <span class="muted small">needs the token</span>`}`}
        <${Problem} error=${error}/>
        ${job.error && !running && html`<div class="notice bad">${typeof job.error === 'string' ? job.error
            : job.error.detail}</div>`}
        ${running && html`<${Now} state=${state}/>`}
        ${(state.results.length > 0 || running) && html`<${Results} rows=${state.results}/>`}
        ${state.notes.length > 0 && html`<${Section} title="Notes"><ul class="log">${state.notes.map((note) =>
            html`<li>${note}</li>`)}</ul><//>`}
        ${state.lines.length > 0 && html`<pre class="log">${state.lines.join('\n')}</pre>`}`;
}

function Now({ state }) {
    const { now } = state;

    if (!now)
        return html`<p class="muted" role="status">${state.progress || 'starting …'}</p>`;
    const done = Math.min(now.done ?? 0, now.of ?? 0);
    return html`<${Section} title="Now"><div class="now"><div>
        <p><b>${now.target}</b> ${now.variant} <span class="muted">${now.phase}</span></p>
        <label class="small muted">${done} of ${now.of} comparisons<progress max=${now.of || 1} value=${done}></progress></label>
        <${Facts} of=${[['pairs', now.pairs], ['ratio so far', now.ratio > 0 ? html`<b>${format.ratio(now.ratio)}×</b> <span
            class="muted">no verdict yet</span>` : format.NONE],
            ['at most', format.seconds(now.left_s)]]}/></div>
        <${Curve} points=${state.curve}/></div><//>`;
}

function Curve({ points }) {
    const [ref, width] = useWidth(320);
    const height = 130;

    if (points.length < 2)
        return html`<div ref=${ref} class="curve muted small">The ratio is drawn from the second pair on.</div>`;
    const values = points.map((point) => point.ratio).concat(1);
    const x = linear(points[0].pairs, points.at(-1).pairs, 44, width - 8), y = log(Math.min(...values) / 1.02,
        Math.max(...values) * 1.02, height - 22, 12);
    return html`<div ref=${ref} class="curve"><svg role="img" width=${width} height=${height}
        aria-label=${`ratio after ${points.at(-1).pairs} pairs: ${format.ratio(points.at(-1).ratio)}`}>
        ${y.ticks(3).map((tick) => html`<g class="axis"><line
            class="grid" x1="44" x2=${width - 8} y1=${y(tick)} y2=${y(tick)}/>
            <text x="38" y=${y(tick) + 4} text-anchor="end">${format.tick(tick)}</text></g>`)}
        <line class="one" x1="44" x2=${width - 8} y1=${y(1)} y2=${y(1)}/>
        <path class="line side-b" d=${points.map((point, i) => `${i ? 'L' : 'M'}${x(point.pairs)} ${y(point.ratio)}`).join('')}/>
        <g class="axis"><text x=${width - 8} y=${height - 6} text-anchor="end">${points.at(-1).pairs} pairs</text></g>
        </svg></div>`;
}

function Results({ rows }) {
    return html`<${Section} title="Results">${rows.length === 0 ? html`<${Empty}>None yet.<//>` : html`<${Table} name="live"
        caption="Results" rows=${rows.map((row) => ({ ...row, key: row.key }))} columns=${[
        variantColumn, ratioColumn, intervalColumn(rows), verdictColumn,
        { id: 'reason', label: 'reason', get: (row) => row.reason, className: 'idea' }]}/>`}<//>`;
}

/* ---- a command whose answer is drawn where it is asked for ---- */

export function AnswerOfJob({ name, command, arguments: args, label, children }) {
    const token = useToken();
    const [state, set] = useState({ isBusy: false, value: null, error: null });
    const stop = useRef(new AbortController());
    useEffect(() => () => stop.current.abort(), []);

    const start = async () => {
        set({ isBusy: true, value: null, error: null });
        try {
            const { id } = await startJob(command, args);
            await followJob(id, () => {}, () => {}, stop.current.signal);
            const job = await get(`jobs/${encodeURIComponent(id)}`);
            set({ isBusy: false, value: job.value, error: job.value ? null : { message: job.error?.detail ?? job.error
                ?? 'it ended without an answer' } });
        } catch (error) {
            if (!stop.current.signal.aborted)
                set({ isBusy: false, value: null, error });
        }
    };

    return html`<p><button type="button" id=${`start-${name}`} disabled=${!token || state.isBusy}
        onClick=${start}>${state.isBusy ? 'running …' : label}</button>
            ${!token && html` <span class="muted small">needs the token: <a href=${href('start')}>give it</a></span>`}</p>
        <${Problem} error=${state.error}/>${state.value && children(state.value)}`;
}
