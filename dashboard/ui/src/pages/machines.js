/* machines.js - what this machine can do at most, what it really has, and what on it spoils measurements. What only runs can know
 * (`peak`, `utils probe-hw`) is a job that one starts, with the token. */
import { useGet } from '../api.js';
import { Roofline } from '../charts/roofline.js';
import { html } from '../dom.js';
import * as format from '../format.js';
import { Answer, Empty, Facts, SearchField, Section, SelectField } from '../parts.js';
import { href } from '../route.js';
import { Table } from '../table.js';
import { AnswerOfJob } from './job.js';

export function Machines({ query }) {
    return html`<h1>Machines</h1>
        <${Measured} query=${query}/>
        <${Section} title="Peak" id="peak"><p class="muted">What one core, and the card, can do at most: measured now,
            for some seconds.</p>
            <${AnswerOfJob} name="peak" command="peak" arguments=${{ time: '100ms' }} label="Measure the ceilings">${(value) =>
                html`<${Peaks} value=${value}/>`}<//><//>
        <${Section} title="Probe" id="probe"><p class="muted">What this machine really has: each feature executed,
            not looked up.</p>
            <${AnswerOfJob} name="probe" command="utils probe-hw" arguments=${{}} label="Probe the hardware">${(value) =>
                html`<${Probe} value=${value}/>`}<//><//>
        <${Doctor} query=${query}/>`;
}

function Measured({ query }) {
    const roofline = useGet('utils/roofline', { target: query.target, limit: 200 });

    return html`<${Section} title="Measured roof" aside=${html`<${SearchField} label="Target" name="target"
        value=${query.target} placeholder="all; ch09:*"/>`}>
        <${Answer} of=${roofline}>${(value) => (!value.levels ? html`<${Empty}>This machine is not calibrated yet: <a
            href=${href('start', [], { command: 'calibrate' })}>aisp calibrate</a> measures its ceilings.<//>` : html`
            <${Facts} of=${[['taken (UTC)', format.date(value.taken_at)], ['compute ceiling',
                `${format.si(value.compute_gflops * 1e9, 'FLOP/s')}, ${value.precision}`],
                ...value.levels.map((level) => [level.level, html`${format.si(level.gbps * 1e9, 'B/s')} <span
                    class="muted">ridge ${format.digits(level.ridge, 3)}</span>`])]}/>
            <${Roofline} name="roof" title="Newest results under the roof of one core" roofs=${value.levels.map((level) =>
                ({ name: level.level, gbps: level.gbps }))} peak=${value.compute_gflops}
                points=${value.points.map((point, i) => ({ key: i, name: `${point.target} ${point.variant}, ${point.size}`,
                    intensity: point.intensity, gflops: point.gflops, roof: point.roof_gflops,
                    percent: point.percent, bound: point.bound }))} note=${value.notes.join(' ')}/>`)}<//><//>`;
}

function Peaks({ value }) {
    return html`<${Table} name="peaks" caption="Ceilings" rows=${value.peaks.map((row) => ({ ...row, key: row.name }))}
        columns=${[
            { id: 'name', label: 'ceiling', get: (row) => row.name, show: (row) => html`<span class="id">${row.name}</span>` },
                { id: 'what', label: 'what', get: (row) => row.what, className: 'idea' },
            { id: 'value', label: 'best', isNumber: true, get: (row) => row.value, show: (row) => (row.value
                ? `${format.digits(row.value, 4)} ${row.unit}` : html`<span class="muted">${row.unavailable
                ?? format.NONE}</span>`) },
            { id: 'median', label: 'median', isNumber: true, get: (row) => row.median, show: (row) => (row.median
                ? format.digits(row.median, 4) : format.NONE) },
            { id: 'theory', label: 'theory', isNumber: true, get: (row) => row.theory, show: (row) => (row.theory
                ? format.digits(row.theory, 4) : format.NONE) },
            { id: 'share', label: 'of theory', isNumber: true, get: (row) => row.share, show: (row) => (row.share
                ? format.percent(100 * row.share) : format.NONE) }]}/>
        <p class="muted small">${value.cuda?.why ? `No card: ${value.cuda.why}.` : ''}</p>`;
}

function Probe({ value }) {
    return html`<${Facts} of=${[['CPU', value.cpu?.model], ['kernel', value.cpu?.kernel], ['CPUs', value.cpu
        && `${value.cpu.usable} of ${value.cpu.cpus}`], ['virtual machine', value.cpu?.virtual_machine ? 'yes' : 'no'],
            ['invariant TSC', value.tsc && `${value.tsc.claimed_invariant ? 'claimed'
                : 'no'}, ${value.tsc.backward} steps back in ${value.tsc.moves} moves`],
            ['GPU', value.gpu?.gpus.length ? value.gpu.gpus.map((gpu) => gpu.name).join(', ') : value.gpu?.why]]}/>
        <${Table} name="isa" caption="Instructions" first=${16} rows=${value.isa ?? []} columns=${[{ id: 'name',
            label: 'instruction set', get: (row) => row.name },
            { id: 'cpuid', label: 'cpuid says', get: (row) => String(row.cpuid) }, { id: 'proc', label: 'kernel says',
                get: (row) => String(row.proc) },
            { id: 'executed', label: 'executed', get: (row) => row.executed }, { id: 'agrees', label: 'they agree',
                get: (row) => String(row.agrees) }]}/>
        <${Table} name="latency" isCompact caption="Latency of a load" rows=${value.latency ?? []} columns=${[{ id: 'bytes',
            label: 'working set', isNumber: true, get: (row) => row.bytes, show: (row) => format.bytes(row.bytes) },
            { id: 'ns', label: 'a load', isNumber: true, get: (row) => row.ns, show: (row) => format.ns(row.ns) }]}/>
        <${Table} name="kernel" caption="Kernel" first=${10} rows=${value.kernel ?? []} columns=${[{ id: 'name',
            label: 'feature', get: (row) => row.name }, { id: 'outcome', label: 'outcome', get: (row) => row.outcome },
            { id: 'what', label: 'what', get: (row) => row.what }]}/>`;
}

const WORDS = ['problem', 'attention', 'unknown', 'ok', 'ask', 'not applicable'];
const slug = (text) => text.replace(/ /g, '-');

function Doctor({ query }) {
    const doctor = useGet('doctor', { all: true });

    return html`<${Section} title="Doctor" id="doctor"><${Answer} of=${doctor}>${(value) => {
        const items = value.families.flatMap((family) => family.items.map((item) => ({ ...item, key: item.id,
            family: family.family })));
        const shown = items.filter((item) => (query.verdict === 'all' || (query.verdict ? item.verdict === query.verdict
            : ['problem', 'attention'].includes(item.verdict))) && (!query.family || item.family === query.family));
        return html`<p class="counts">${WORDS.map((word) => html`<span><b>${value.counts[word]}</b> <span
            class=${`tag ${slug(word)}`}>${word}</span></span>`)}<span
            class="muted">of ${value.counts.items}, ${value.counts.checked} by machine</span></p>
            <div class="filters"><${SelectField} label="Verdict" name="verdict" value=${query.verdict} options=${[...WORDS,
                'all']} all="problems and attention"/>
                <${SelectField} label="Family" name="family" value=${query.family} options=${value.families.map((family) =>
                    [family.family, family.title])}/></div>
            <${Table} name="doctor" caption="Checklist" first=${40} rows=${[...shown].sort((a,
                b) => WORDS.indexOf(a.verdict) - WORDS.indexOf(b.verdict))} columns=${[
                { id: 'verdict', label: 'verdict', get: (row) => row.verdict, show: (row) => html`<span
                    class=${`tag ${slug(row.verdict)}`}>${row.verdict}</span>` },
                { id: 'title', label: 'item', get: (row) => row.title, show: (row) => html`<span
                    class="two"><span>${row.title}</span> <span class="small why">${row.why}</span></span>`,
                    csv: { id: (row) => row.id, title: (row) => row.title } },
                { id: 'found', label: 'found here', get: (row) => row.found, className: 'idea' },
                { id: 'fix', label: 'what to do', get: (row) => row.fix, show: (row) => row.fix && html`<code
                    class="next">${row.fix}</code>` }]}/>`;
    }}<//><//>`;
}
