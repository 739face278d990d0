/* compare.js - two runs, row by row, as a forest plot: what `bench compare-runs` concludes through the baseline
 * that both measured. */
import { useGet } from '../api.js';
import { intervalColumn } from '../charts/intervals.js';
import { variantColumn } from '../columns.js';
import { html, useMemo } from '../dom.js';
import * as format from '../format.js';
import { Answer, Empty, Facts, Ratio, RunLink, Section, SelectField, Verdict } from '../parts.js';
import { setQuery } from '../route.js';
import { Table } from '../table.js';

const WORDS = ['SLOWER', 'UNSURE', 'FASTER', 'SAME', 'INVALID'];

export function Compare({ query }) {
    const runs = useGet('bench/list-runs', { limit: 200 }, 'runs');
    const list = runs.value?.runs.filter((run) => run.complete && run.n_results > 0) ?? [];
    const b = query.b ?? list[0]?.run;
    const a = query.a ?? list.find((run) => run.run < b && run.host === list.find((one) => one.run === b)?.host)?.run;
    const options = list.map((run) => [run.run, `${run.run}, ${run.n_results} results`]);
    const answer = useGet(a && b ? 'bench/compare-runs' : null, { a, b, band: query.band });

    return html`<h1>Compare two runs</h1>
        <div class="filters">
            <${SelectField} label="Before" name="a" value=${a} options=${options} all=${null}/>
            <${SelectField} label="After" name="b" value=${b} options=${options} all=${null}/>
            <button type="button" class="quiet" onClick=${() => setQuery({ a: b, b: a }, true)}>Swap</button>
            <${SelectField} label="SAME inside" name="band" value=${query.band} options=${['1', '2', '3', '5', '10'].map((n) =>
                [n, `± ${n} %`])} all="three noises"/>
            <${SelectField} label="Verdict" name="verdict" value=${query.verdict} options=${WORDS}/>
        </div>
        ${runs.error && html`<${Answer} of=${runs}>${() => null}<//>`}
        ${runs.value && list.length < 2 && html`<${Empty}>Two finished runs are needed.<//>`}
        ${runs.value && list.length > 1 && !a
            && html`<${Empty}>No earlier run of that machine is among the newest ${list.length}; pick one.<//>`}
        ${a && b && html`<${Answer} of=${answer}>${(value) => html`<${Rows} value=${value} query=${query}/>`}<//>`}`;
}

/* A change of -3 % stands at 0.97: the same axis as a ratio. */
const asRatio = (percent) => (percent === null || percent === undefined ? null : 1 + percent / 100);

function whyOf({ reason, noise }) {
    const learned = noise?.is_learned && `noise from run to run ${format.percent(noise.sd_percent)}, of ${noise.n_runs} runs`;
    return [reason, learned].filter(Boolean).join('; ');
}

function Rows({ value, query }) {
    const rows = useMemo(() => value.rows.filter((row) => !query.verdict || row.verdict === query.verdict).map((row) => ({ ...row,
        key: `${row.target} ${row.variant} ${row.device} ${row.size}`,
        bar: row.change && { ratio: asRatio(row.change.percent), lo95: asRatio(row.change.lo95_percent),
            hi95: asRatio(row.change.hi95_percent), verdict: row.verdict } })),
    [value, query.verdict]);
    const nCompared = value.rows.filter((row) => row.state === 'compared').length;

    return html`<${Facts} of=${[['before', html`<${RunLink} id=${value.before.run}/> <span
        class="muted">commit ${format.shortCommit(value.before)}</span>`],
            ['after', html`<${RunLink} id=${value.after.run}/> <span
                class="muted">commit ${format.shortCommit(value.after)}</span>`],
            ['compared',
                `${nCompared} of ${value.rows.length} rows, ${
                    format.tick(100 * value.alpha)} % false alarms over all of them`]]}/>
        <${Section} title="Change of each ratio">
        ${rows.length === 0 ? html`<${Empty}>No row is like that.<//>` : html`<${Table} name="changes" caption="Changes"
            rows=${rows} columns=${[
            variantColumn,
            { id: 'before', label: 'before, after', isNumber: true, get: (row) => row.after?.ratio, show: (row) => html`<span
                class="stack right"><${Ratio} row=${row.before}/> <${Ratio} row=${row.after}/></span>`,
                csv: { before: (row) => row.before?.ratio, before_low95: (row) => row.before?.lo95, before_high95: (row) =>
                    row.before?.hi95,
                    after: (row) => row.after?.ratio, after_low95: (row) => row.after?.lo95, after_high95: (row) =>
                        row.after?.hi95 } },
            { id: 'change', label: 'change', isNumber: true, get: (row) => row.change?.percent, show: (row) => (row.change
                ? html`<span class="stack right"><b>${format.signedPercent(row.change.percent)}</b> <span class="muted nowrap">${
                    format.interval(row.change.lo95_percent, row.change.hi95_percent, format.signedPercent)}</span></span>`
                : html`<span class="muted nowrap">${row.state}</span>`),
                csv: { change_percent: (row) => row.change?.percent, low95_percent: (row) => row.change?.lo95_percent,
                    high95_percent: (row) => row.change?.hi95_percent } },
            intervalColumn(rows, (row) => row.bar, 'after / before'),
            { id: 'verdict', label: 'verdict, and why', get: (row) => row.verdict, className: 'idea', show: (row) => html`
                <${Verdict} name=${row.verdict}/><br/><span class="muted small">${whyOf(row)}</span>`,
                csv: { verdict: (row) => row.verdict, reason: (row) => row.reason, noise_percent: (row) => row.noise?.sd_percent,
                    noise_is_learned: (row) => row.noise?.is_learned } }]}/>`}<//>`;
}
