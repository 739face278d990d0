/* history.js - a target's rows from run to run. Where a level changed and what is noise is for `bench history` to say. */
import { useGet } from '../api.js';
import { History as Plot } from '../charts/history.js';
import { html } from '../dom.js';
import * as format from '../format.js';
import { Answer, DEVICES, Empty, Measured, RunLink, SearchField, Section, SelectField, TargetLink } from '../parts.js';
import { setQuery } from '../route.js';
import { Table } from '../table.js';

const SINCE = [['7d', '7 days'], ['30d', '30 days'], ['90d', '90 days'], ['365d', 'a year']];

export function History({ query }) {
    const targets = useGet('bench/list-targets', { names: true }, 'targets');
    const names = targets.value?.targets.map((one) => one.target ?? one) ?? [];
    const target = query.target ?? names[0];
    const limit = query.limit ?? '200';
    const answer = useGet(target ? 'bench/history' : null, { target, device: query.device, hardware: query.hardware,
        since: query.since, limit });

    return html`<h1>History</h1><div class="filters">
            <${SearchField} label="Target, or target/variant" name="target" value=${target} list=${names}/>
            <${SelectField} label="Device" name="device" value=${query.device} options=${DEVICES}/>
            <${SelectField} label="Since" name="since" value=${query.since} options=${SINCE} all="the beginning"/>
            <${SelectField} label="Runs of a row" name="limit" value=${limit} options=${['50', '200', '1000',
                '5000']} all=${null}/>
            <${SearchField} label="Hardware" name="hardware" value=${query.hardware} placeholder=${answer.value?.hardware
                ?? '* for all'}/>
        </div>
        ${target && html`<${Answer} of=${answer}>${(value) => html`<${Series} value=${value} query=${query}/>`}<//>`}`;
}

const keyOf = (one) => `${one.variant} ${one.device} ${one.size} ${one.hardware}`;

function Series({ value, query }) {
    const rows = value.series.map((one) => ({ ...one, key: keyOf(one) }));
    const picked = rows.find((row) => row.key === query.row) ?? [...rows].sort((a, b) => b.changes.length - a.changes.length
        || b.runs.length - a.runs.length)[0];

    if (!picked)
        return html`<${Empty}>Nothing of it is recorded${value.hardware ? ` on ${value.hardware}` : ''}.<//>`;
    return html`<p class="muted small"><${TargetLink} target=${value.target.split('/')[0]}/> on <span
        class="id">${value.hardware}</span>${
            value.n_custom > 0 && `; ${format.count(value.n_custom)} results of custom sizes are no row`}</p>
        <${Plot} key=${picked.key} series=${picked}/>
        <${Changes} series=${picked}/>
        <${Section} title="Rows"><${Table} name="rows" caption="Rows" rows=${rows} isSelected=${(row) =>
            row === picked} onPick=${(row) => setQuery({ row: row.key })} columns=${[
            { id: 'variant', label: 'variant', get: (row) => row.variant, show: (row) => html`<button type="button"
                class="link id" onClick=${() => setQuery({ row: row.key })}>${row.variant}</button>` },
            { id: 'size', label: 'size', get: (row) => row.size }, { id: 'device', label: 'device', get: (row) => row.device },
            { id: 'n', label: 'runs', isNumber: true, get: (row) => row.runs.length,
                show: (row) => html`${row.runs.length}${row.n_older > 0 && html` <span
                class="muted">+${format.count(row.n_older)} older</span>`}` },
            { id: 'level', label: 'level now', isNumber: true, get: (row) => row.level.ratio, show: (row) => html`<${Measured}
                of=${{ value: row.level.ratio, ...row.level }}/>`,
                csv: { level: (row) => row.level.ratio, level_low95: (row) => row.level.lo95, level_high95: (row) =>
                    row.level.hi95 } },
            { id: 'noise', label: 'noise from run to run', isNumber: true,
                get: (row) => (row.noise.is_learned ? row.noise.percent : null), show: (row) => (row.noise.is_learned
                    ? html`${format.percent(row.noise.percent)} <span class="muted">of ${row.noise.n_runs} runs</span>`
                    : html`<span class="muted">not learned yet</span>`) },
            { id: 'changes', label: 'changes', isNumber: true, get: (row) => row.changes.length },
            { id: 'hardware', label: 'hardware', wide: true, get: (row) => row.hardware, show: (row) => html`<span
                class="id">${row.hardware}</span>` }]}/><//>`;
}

function Changes({ series }) {
    if (!series.changes.length)
        return html`<p class="muted">No change of level is credible in these ${series.runs.length} runs.</p>`;
    return html`<${Table} name="points" caption="Changes of level" rows=${series.changes} columns=${[
        { id: 'at', label: 'since (UTC)', get: (row) => row.at, show: (row) => format.date(row.at) },
        { id: 'run', label: 'first run of it', get: (row) => row.run, show: (row) => html`<${RunLink} id=${row.run}/>` },
        { id: 'percent', label: 'change', isNumber: true, get: (row) => row.percent,
            show: (row) => html`<b>${format.signedPercent(row.percent)}</b> <span class="muted">${
            format.interval(row.lo95_percent, row.hi95_percent, format.signedPercent)}</span>`,
            csv: { percent: (row) => row.percent, low95_percent: (row) => row.lo95_percent, high95_percent: (row) =>
                row.hi95_percent } },
        { id: 'p', label: 'p', isNumber: true, get: (row) => row.p, show: (row) => format.digits(row.p, 2) },
        { id: 'commit', label: 'commits', get: (row) => row.git?.commit, show: (row) => html`<span
            class="id">${format.shortCommit(row.git_before)} → ${format.shortCommit(row.git)}</span>` }]}/>`;
}
