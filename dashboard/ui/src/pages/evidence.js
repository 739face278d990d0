/* evidence.js - what was found of one comparison: figures, samples, place under the roof, and each check with its finding.
 * Not here: judging it again (`bench recheck`). Of an invalid one there are no figures, and the reason stands first. */
import { useGet } from '../api.js';
import { Roofline } from '../charts/roofline.js';
import { Distribution, Drift, Pairs } from '../charts/samples.js';
import { html, useMemo, useState } from '../dom.js';
import * as format from '../format.js';
import { Answer, Empty, Facts, Grade, Ratio, RunLink, Section, Verdict } from '../parts.js';
import { href } from '../route.js';
import { Table } from '../table.js';
import { AnswerOfJob } from './job.js';

export function Evidence({ run, result }) {
    const samples = useGet('bench/show-run', { run: run.run, result: result.key });
    const names = { a: result.reference, b: result.variant };

    return html`<${Section} title=${`Evidence: ${result.variant} against ${result.reference}`} id="evidence"
            aside=${html`<a href=${href('run', [run.run])}>run ${format.runName(run.run)}</a>`}>
        <p class="verdict-line"><${Verdict} name=${result.verdict}/> <${Ratio} row=${result}/>${' '}
            <${Grade} name=${result.grade}/></p>
        <${Why} result=${result}/>
        <${Facts} of=${figures(result, run)}/>
        <${Answer} of=${samples}>${(value) => html`
            ${value.trouble && html`<div class="notice">${value.trouble}</div>`}
            ${value.distribution?.trouble && html`<div class="notice">${value.distribution.trouble}</div>`}
            <div class="charts">
            ${value.distribution?.a && value.distribution.b && html`<${Distribution} of=${value.distribution} names=${names}/>
                <${Drift} of=${value.distribution} names=${names}/>`}
            ${value.distribution?.pair_ratios?.length > 0 && html`<${Pairs} of=${value.distribution} result=${result}/>`}
            ${value.roofline && html`<${Place} of=${value.roofline} result=${result}/>`}
            </div>`}<//>
        <${Checks} run=${run} result=${result}/><//>`;
}

/* UNSURE, INVALID and development always come with why. */
function Why({ result }) {
    const violations = result.findings.filter((finding) => finding.severity === 'violation');

    return html`${result.verdict === 'INVALID' || result.grade === 'invalid' ? html`<div class="notice bad"><b>Withheld.</b> ${
            violations.length ? html`<ul>${violations.map((finding) => html`<li>${finding.text} <span
                class="muted">[${finding.check}]</span></li>`)}</ul>` : result.reason}</div>` : null}
        ${result.verdict === 'UNSURE' && html`<div class="notice warn"><b>Unsure.</b> ${result.reason}${
            result.pairs_wanted > 0
                && `; about ${result.pairs_wanted} pairs would decide it, there were ${result.n_pairs}`}</div>`}
        ${result.quarantined && html`<div class="notice bad"><b>In quarantine</b> since a later run found it wrong.</div>`}
        ${result.reasons?.length > 0 && html`<p class="muted small">${result.grade}, because: ${result.reasons.join('; ')}</p>`}`;
}

function figures(result, run) {
    const side = (of, write) => of && html`${write(of.b)} <span class="muted">against ${write(of.a)}</span>`;
    const verified = result.verified?.b;

    return [['run', html`<${RunLink} id=${run.run}/>`], ['size', `${result.size}${result.params
        ? ` (${Object.entries(result.params).map(([k, v]) => `${k} ${v}`).join(', ')})` : ''}`],
        ['median of a call', side(result.median_ns, format.ns)], ['5 % … 95 %', result.p5_ns
            && `${format.ns(result.p5_ns.b)} … ${format.ns(result.p95_ns?.b)}`],
        ['99 %', side(result.p99_ns, format.ns)], ['pairs', result.n_pairs], ['windows', side(result.n_windows, format.count)],
            ['calls', format.count(result.calls)],
        result.per_second && ['rate', side(result.per_second, (value) => format.si(value, '/s'))],
        result.roof_percent && ['of the roof',
            `${format.percent(result.roof_percent[result.roof_percent.bound])} (${result.roof_percent.bound})`],
        result.goal_figure && ['goal', `${result.goal}${result.goal_figure.name ? `: ${result.goal_figure.name}` : ''}`],
        result.holdout_speed && ['at secret sizes', html`${format.ratio(result.holdout_speed.ratio)}× <span class="muted">${
            format.interval(result.holdout_speed.lo99, result.holdout_speed.hi99)
                || 'no interval'}${result.holdout_speed.lo99 > 0 && ' (99 %)'}, ${result.holdout_speed.points} sizes</span>`],
        verified && ['outputs verified',
            `${verified.full_right} of ${verified.full} whole, ${verified.sampled_right} of ${verified.sampled} sampled, ${
            verified.holdout_right} of ${verified.holdout} secret sizes; worst error ${format.digits(verified.worst,
                3)} of what is allowed`],
        ...profile(result.profile), ['data lies in', result.cache_level], ['threads', result.threads], ['took',
            format.seconds(result.elapsed_s)]];
}

/* What `--profile minimal` counts of each side's workers. */
function profile(of) {
    if (!of?.a || !of.b)
        return [];
    const both = (key, write) => html`${write(of.b[key])} <span class="muted">against ${write(of.a[key])}</span>`;
    const sum = (keys) => html`${format.count(keys.reduce((n, key) => n + of.b[key], 0))} <span class="muted">against ${
        format.count(keys.reduce((n, key) => n + of.a[key], 0))}</span>`;

    return [['peak memory of the process', both('peak_rss_bytes', format.bytes)], ['CPU time', both('cpu_ns', format.ns)],
        ['page faults', sum(['minor_faults', 'major_faults'])], ['context switches', sum(['voluntary_switches',
            'involuntary_switches'])]];
}

function Place({ of, result }) {
    return html`<${Roofline} roofs=${[{ name: format.si(of.peak_gbps * 1e9, 'B/s'), gbps: of.peak_gbps }]} peak=${of.peak_gflops}
        points=${[{ name: result.variant, intensity: of.flops_per_byte, gflops: of.gflops, roof: of.roof_gflops,
            bound: of.bound, isMain: true,
            percent: of.roof_gflops > 0 ? result.roof_percent?.[of.bound] ?? null : null }]}
        note=${`Bound by ${of.bound}: the ridge is at ${format.digits(of.ridge, 3)} operations a byte.`}/>`;
}

/* Every check that the run knew, with what it said of this comparison; what said nothing held, or did not apply. */
function Checks({ run, result }) {
    const rows = useMemo(() => rowsOf(run, result), [run, result]);
    const said = rows.filter((row) => row.text).length;
    const [isOpen, setOpen] = useState(false);

    return html`<h3>Checks</h3><p class="muted small">${rows.length} checks looked at this comparison; ${said} said something.</p>
        <${Table} name="checks" caption="Checks" rows=${rows} first=${Math.max(3, said)} columns=${[
            { id: 'check', label: 'check', get: (row) => row.check, show: (row) => (row.issue ? html`<a class="id"
                href=${href('validity', [], { issue: row.issue })}>${row.check}</a>`
                : html`<span class="id">${row.check}</span>`) },
            { id: 'issue', label: 'issue', isNumber: true, get: (row) => row.issue, show: (row) => (row.issue ? `#${row.issue}`
                : html`<span class="muted">—</span>`) },
            { id: 'severity', label: 'severity', get: (row) => row.severity, show: (row) => (row.severity ? html`<span
                class=${`tag ${row.severity}`}>${row.severity}</span>` : html`<span class="muted">nothing</span>`) },
            { id: 'side', label: 'side', get: (row) => row.side },
            { id: 'text', label: 'finding', get: (row) => row.text, className: 'idea' }]}/>
        <details onToggle=${(event) => setOpen(event.currentTarget.open)}><summary>What held on this target,
            issue by issue</summary>${
            isOpen && html`<${Held} target=${result.target}/>`}</details>`;
}

/* An audit of the newest run of the target, whichever that is. */
function Held({ target }) {
    const audit = useGet('bench/audit', { targets: target });
    const draw = (value) => {
        const of = value.targets.find((one) => one.target === target);
        return of?.states ? html`<p class="muted small">as of run <${RunLink} id=${of.run}/></p><${Table} name="states"
            caption="What held" first=${8} rows=${
            [...of.states].sort((a, b) => rank(a) - rank(b)).map((row) => ({ ...row, key: row.issue }))} columns=${[
            { id: 'issue', label: 'issue', isNumber: true, get: (row) => row.issue, show: (row) => html`<a
                href=${href('validity', [], { issue: row.issue })}>#${row.issue}</a>` },
            { id: 'state', label: 'state', get: (row) => row.state, show: (row) => html`<span
                class=${`tag ${row.state.replace(' ', '-')}`}>${row.state}</span>` },
            { id: 'why', label: 'why', get: (row) => row.why }]}/>`
            : html`<${Empty}>${of?.without?.[0]?.why ?? 'It has not been run.'}<//>`;
    };

    if (audit.error && !audit.value)
        return html`<${AnswerOfJob} name="held" command="bench audit" arguments=${{ targets: [target] }}
            label="Audit this target">${draw}<//>`;
    return html`<${Answer} of=${audit}>${draw}<//>`;
}

const STATES = ['violated', 'development', 'unproven', 'logic only', 'held', 'not applicable'];
const rank = ({ state }) => STATES.indexOf(state);

function rowsOf(run, result) {
    const said = result.findings.map((finding, i) => ({ ...finding, key: `${finding.check} ${i}` }));
    const quiet = (run.manifest?.checks ?? []).filter((check) => !said.some((finding) => finding.check === check))
        .map((check) => ({ key: check, check, issue: null, severity: '', side: '', text: '' }));
    return said.concat(quiet);
}
