/* validity.js - the 95 ways a benchmark can mislead: which check stands against each, what proves that it fires, and what held on
 * each target. `bench audit --all` knows; nothing is run here. */
import { useGet } from '../api.js';
import { html } from '../dom.js';
import { Answer, Empty, Facts, RunLink, SearchField, Section, SelectField, TargetLink } from '../parts.js';
import { href, setQuery } from '../route.js';
import { Table } from '../table.js';
import { AnswerOfJob } from './job.js';

const PROOFS = ['proven', 'logic only', 'unproven'];
const slug = (text) => text.replace(/ /g, '-');

export function Validity({ query }) {
    const audit = useGet('bench/audit', { all: true });

    return html`<h1>Validity</h1><p
        class="lead muted">95 ways in which a benchmark misleads. Against each stands a check,
        and what proves the check: a cheat that it
            catches, and an honest twin that it lets pass.</p>
        ${audit.value || audit.isBusy ? html`<${Answer} of=${audit}>${(value) => html`<${Matrix} value=${value}
            query=${query}/>`}<//>`
        : html`<p class="muted">${audit.error.message}</p><${AnswerOfJob} name="audit" command="bench audit"
            arguments=${{ all: true }} label="Audit now">${
            (value) => html`<${Matrix} value=${value} query=${query}/>`}<//>`}`;
}

function Matrix({ value, query }) {
    const families = [...new Set(value.protections.map((one) => one.family))];
    const shown = value.protections.filter((one) => matches(one, query));
    const picked = value.protections.find((one) => String(one.issue) === query.issue);

    return html`<${Facts} of=${[['proven by a cheat and its twin', value.summary.proven], ['logic only: the device is played',
        value.summary.logic_only], ['unproven', value.summary.unproven]]}/>
        <form class="filters" role="search" aria-label="Filter protections" onSubmit=${(event) => event.preventDefault()}>
            <${SearchField} label="Search" name="q" value=${query.q} placeholder="name, check, incident"/>
            <${SelectField} label="Family" name="family" value=${query.family} options=${families}/>
            <${SelectField} label="Proof" name="proof" value=${query.proof} options=${PROOFS}/></form>
        <div class="families">${families.filter((family) => shown.some((one) => one.family === family)).map((family) =>
            html`<div class="family"><h2>${family}</h2><ul class="matrix">${
            shown.filter((one) => one.family === family).map((one) => html`<li><a class=${`issue ${slug(one.proof)}`}
                href=${href('validity', [], { ...query, issue: one.issue })}
                aria-current=${one === picked ? 'true' : undefined} aria-label=${`issue ${one.issue}, ${one.name}: ${one.proof}`}
                title=${`${one.name}: ${one.proof}`}>${one.issue}</a></li>`)}</ul></div>`)}</div>
        <p class="legend">${PROOFS.map((proof) => html`<span class=${`cell-key issue ${slug(proof)}`}></span> ${proof} `)}</p>
        ${picked && html`<${Issue} of=${picked} targets=${value.targets}/>`}
        <${Section} title="All of them"><${Table} name="protections" caption="Protections" first=${20} rows=${shown.map((one) =>
            ({ ...one, key: one.issue }))} isSelected=${(row) => row.issue === picked?.issue}
            onPick=${(row) => setQuery({ issue: row.issue })} columns=${[
            { id: 'issue', label: '#', isNumber: true, get: (row) => row.issue, show: (row) => html`<a href=${href('validity',
                [], { ...query, issue: row.issue })}>${row.issue}</a>` },
            { id: 'name', label: 'issue', get: (row) => row.name }, { id: 'family', label: 'family', get: (row) => row.family },
            { id: 'proof', label: 'proof', get: (row) => row.proof, show: (row) => html`<span
                class=${`tag ${slug(row.proof)}`}>${row.proof}</span>` },
            { id: 'checks', label: 'checks', get: (row) => row.checks.map((check) => check.check).join(' '),
                show: (row) => html`<span class="id">${row.checks.map((check) => check.check).join(' ')}</span>` },
            { id: 'why', label: 'why not more', wide: true, get: (row) => row.why }]}/><//>
        <${Targets} targets=${value.targets} query=${query}/>`;
}

function matches(one, { q, family, proof }) {
    const needle = (q ?? '').toLowerCase();

    return (!family || one.family === family) && (!proof || one.proof === proof) && (!needle || [one.name, String(one.issue),
        ...one.checks.flatMap((check) =>
        [check.check, check.title, check.incident])].some((text) => (text ?? '').toLowerCase().includes(needle)));
}

function Issue({ of, targets }) {
    const states = targets.flatMap((one) => (one.states ?? []).filter((state) => state.issue === of.issue && !['held',
        'not applicable'].includes(state.state))
        .map((state) => ({ ...state, key: one.target, target: one.target, run: one.run })));

    return html`<${Section} title=${`#${of.issue} ${of.name}`} id="issue" class="detail" aside=${html`<button type="button"
        class="quiet" onClick=${() => setQuery({ issue: '' })}>Close</button>`}>
        <p><span class=${`tag ${slug(of.proof)}`}>${of.proof}</span> ${of.why}</p>
        ${of.checks.map((check) => html`<div class="check"><h3 class="id">${check.check}</h3><p>${check.title}.</p>
            <${Facts} of=${[['when it fires', check.severity], ['needs', check.needs],
                ['proof', check.why ? `${check.proof}: ${check.why}` : check.proof], ['tried on this machine', check.here],
                check.incident && ['has happened', check.incident]]}/>
            <${Table} name=${`fixtures-${check.check}`} caption=${`What proves ${check.check}`} first=${8}
                rows=${check.fixtures.map((one) => ({ ...one, key: one.id }))} columns=${[
                { id: 'id', label: 'fixture', get: (row) => row.id, show: (row) => html`<span class="id">${row.id}</span>` },
                { id: 'what', label: 'what it does', get: (row) => row.what, className: 'idea' },
                { id: 'good', label: 'here', get: (row) => (row.good === null ? 'not tried' : row.good ? 'as it should'
                    : 'not as it should'), show: (row) => (row.good === null
                    ? html`<span class="muted">not tried</span>` : html`<span class=${`tag ${row.good ? 'held'
                        : 'violated'}`}>${row.good ? 'as it should' : 'not as it should'}</span>`) },
                { id: 'says', label: 'what it said', wide: true, get: (row) => row.says }]}/></div>`)}
        ${states.length > 0 && html`<${Table} name="where" caption="Targets where it did not simply hold" first=${10}
            rows=${states} columns=${[
            { id: 'target', label: 'target', get: (row) => row.target, show: (row) => html`<${TargetLink}
                target=${row.target}/>` },
            { id: 'state', label: 'state', get: (row) => row.state, show: (row) => html`<span
                class=${`tag ${slug(row.state)}`}>${row.state}</span>` },
            { id: 'why', label: 'why', get: (row) => row.why }, { id: 'run', label: 'run', get: (row) => row.run,
                show: (row) => html`<${RunLink} id=${row.run}/>` }]}/>`}<//>`;
}

const STATES = ['violated', 'development', 'unproven', 'logic only', 'held', 'not applicable'];

function Targets({ targets }) {
    const rows = targets.map((one) => ({ ...one, key: one.target, n: Object.fromEntries(STATES.map((state) => [state,
        one.states?.filter((s) => s.state === state).length ?? null])) }));

    return html`<${Section} title="What held on each target">${rows.length === 0 ? html`<${Empty}>No target is built here.<//>`
        : html`<${Table} name="held" caption="What held" first=${30} rows=${rows} columns=${[
        { id: 'target', label: 'target', get: (row) => row.target, show: (row) => html`<${TargetLink} target=${row.target}/>` },
        ...STATES.map((state) => ({ id: slug(state), label: state, isNumber: true, get: (row) => row.n[state],
            show: (row) => (row.n[state] ? row.n[state] : html`<span class="muted">${row.n[state] ?? '—'}</span>`) })),
        { id: 'run', label: 'run', get: (row) => row.run, show: (row) => (row.run ? html`<${RunLink} id=${row.run}/>`
            : html`<span class="muted">${row.without?.length ? 'came without evidence' : 'not run'}</span>`) }]}/>`}<//>`;
}
