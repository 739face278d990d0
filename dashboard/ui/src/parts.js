/* parts.js - the small pieces that every page is made of: a verdict, a grade, a state of waiting, a field of a form. */
import * as format from './format.js';
import { Component, html, useEffect, useId, useRef, useState } from './dom.js';
import { href, setQuery } from './route.js';

/* A sign beside each word: colour alone tells some people nothing. */
const SIGNS = { FASTER: '▲', SLOWER: '▼', SAME: '=', UNSURE: '?', INVALID: '✕', VERIFIED: '✓' };

export function Verdict({ name, title }) {
    return name && html`<span class=${`verdict ${name.toLowerCase()}`} title=${title}>
        <span aria-hidden="true">${SIGNS[name] ?? '·'}</span> ${name}</span>`;
}

export function Grade({ name, title }) {
    return name && html`<span class=${`grade ${name}`} title=${title}>${name}</span>`;
}

export function Ratio({ row }) {
    if (!(row?.ratio > 0))
        return html`<span class="muted">${row?.grade === 'invalid' || row?.verdict === 'INVALID' ? 'withheld'
            : format.NONE}</span>`;
    return html`<span class="figure"><b>${format.ratio(row.ratio)}×</b>${' '}<span class="muted">${
        format.interval(row.lo95, row.hi95) || 'no interval'}</span></span>`;
}

/* {value, lo95, hi95} or null */
export function Measured({ of, format: write = format.ratio }) {
    if (of === null || of === undefined || of.value === null)
        return html`<span class="muted">not measured</span>`;
    return html`<span class="figure">${write(of.value)} <span class="muted">${format.interval(of.lo95, of.hi95,
        write)}</span></span>`;
}

export function RunLink({ id }) {
    return id ? html`<a class="id run" href=${href('run', [id])} title=${id}>${format.runName(id)}</a>` : format.NONE;
}

export function TargetLink({ target, variant, device, size }) {
    return html`<a href=${href('target', [target], { variant, device: variant && device, size })}>${target}</a>`;
}

/* Of a row with target and variant: both, the second as part of the link. */
export function VariantLink({ row }) {
    return html`<a class="two" href=${href('target', [row.target], { variant: row.variant, device: row.device, size: row.size,
        run: row.run })}>
        <span class="muted">${row.target}</span>${' '}<span>${row.variant}</span></a>`;
}

/* ---- states ---- */

export function Problem({ error }) {
    if (!error)
        return null;
    const needsToken = error.status === 401 || error.status === 403;
    return html`<div class="notice bad" role="alert"><b>${error.title ?? 'That did not work'}</b> ${error.message}${
        needsToken && html` <a href=${href('start')}>Give the token</a>`}</div>`;
}

/* An answer that a page cannot draw must not take the navigation with it. */
export class Fence extends Component {
    static getDerivedStateFromError(error) {
        return { error };
    }

    componentDidCatch(error) {
        console.error(error);
    }

    render({ children }, { error }) {
        return error ? html`<h1>This page cannot be drawn</h1><${Problem}
            error=${{ title: 'A mistake of the page, not of the records.', message: error.message }}/>` : children;
    }
}

/* Nothing of it is recorded, or it cannot be had here: no mistake of anybody's. */
const IS_AN_ANSWER = [404, 422];

/* What was known stays while the same is asked again, and, paler, while something else is: a slider must not empty the page. */
export function Answer({ of, children }) {
    const last = useRef(null);
    const value = of.value ?? (of.isBusy ? last.current : null);

    last.current = of.value ?? last.current;
    if (of.error && !value)
        return IS_AN_ANSWER.includes(of.error.status) ? html`<${Empty}>${of.error.message}<//>`
            : html`<${Problem} error=${of.error}/>`;
    if (!value)
        return html`<p class="muted" role="status">${of.isBusy ? 'asking …' : ''}</p>`;
    return html`${of.error && html`<${Problem} error=${of.error}/>`}
        <div class=${of.value ? undefined : 'stale'} aria-busy=${!of.value}>${children(value)}</div>`;
}

export function Empty({ children }) {
    return html`<p class="empty">${children}</p>`;
}

export function Section({ title, id, aside, children, ...rest }) {
    const own = useId();
    const heading = id ?? own;
    return html`<section aria-labelledby=${heading} ...${rest}>
        <div class="head"><h2 id=${heading}>${title}</h2>${aside}</div>${children}</section>`;
}

export function Facts({ of }) {
    return html`<dl class="facts">${of.filter(Boolean).map(([name, value]) =>
        html`<div><dt>${name}</dt><dd>${value ?? format.NONE}</dd></div>`)}</dl>`;
}

/* ---- fields whose value stands in the address ---- */

/* Typed text waits a moment before it becomes a question. */
export function SearchField({ label, name, value, placeholder, list }) {
    const [text, setText] = useState(value ?? '');
    const id = useId();

    useEffect(() => setText(value ?? ''), [value]);
    useEffect(() => {
        if (text === (value ?? ''))
            return undefined;
        const timer = setTimeout(() => setQuery({ [name]: text }), 120);
        return () => clearTimeout(timer);
    }, [text]);
    return html`<div class="field"><label for=${id}>${label}</label>
        <input id=${id} type="search" value=${text} placeholder=${placeholder} autocomplete="off" spellcheck=${false}
            list=${list && `${id}-list`} onInput=${(event) => setText(event.currentTarget.value)}/>
        ${list && html`<datalist id=${`${id}-list`}>${list.map((one) => html`<option value=${one}/>`)}</datalist>`}</div>`;
}

/* options: names, or [name, text]. "" is the first: all of them. */
export function SelectField({ label, name, value, options, all = 'all', onChange }) {
    const id = useId();
    const change = onChange ?? ((picked) => setQuery({ [name]: picked }, true));
    const pairs = options.map((one) => (Array.isArray(one) ? one : [one, one]));
    const known = pairs.some(([key]) => key === (value ?? ''));

    return html`<div class="field"><label for=${id}>${label}</label>
        <select id=${id} value=${value ?? ''} onChange=${(event) => change(event.currentTarget.value)}>
            ${all !== null && html`<option value="">${all}</option>`}
            ${!known && value && html`<option value=${value}>${value}</option>`}
            ${pairs.map(([key, text]) => html`<option value=${key}>${text}</option>`)}
        </select></div>`;
}

export const SIZES = ['default', 'quick', 'large', 'custom'];
export const GOALS = ['speed', 'memory', 'throughput', 'latency'];
export const GRADES = ['publishable', 'development'];
export const DEVICES = ['cpu', 'cuda'];

/* What all analyses can be narrowed to, as fields and as parameters of the question. */
export function AnalysisFilter({ query, chapters, hardware = [], size }) {
    return html`<form class="filters" role="search" aria-label="Filter" onSubmit=${(event) => event.preventDefault()}>
        <${SearchField} label="Target" name="target" value=${query.target} placeholder="ch07:transpose, *:gemm*"/>
        <${SelectField} label="Chapter" name="chapter" value=${query.chapter} options=${chapters}/>
        <${SelectField} label="Size" name="size" value=${query.size ?? size} options=${SIZES} all=${null}/>
        <${SelectField} label="Device" name="device" value=${query.device} options=${DEVICES}/>
        <${SelectField} label="Goal" name="goal" value=${query.goal} options=${GOALS}/>
        <${SelectField} label="Grade" name="grade" value=${query.grade} options=${GRADES} all="all valid"/>
        <${SearchField} label="Hardware" name="hardware" value=${query.hardware} placeholder="of the newest result"
            list=${hardware}/>
    </form>`;
}

export function analysisParameters(query) {
    const { target, chapter, size, device, goal, grade, hardware } = query;
    return { target, chapter, size, device, goal, grade, hardware };
}

/* What an analysis looked at, and what it left out and why: as it answered. */
export function LookedAt({ value }) {
    const left = value.left_out ?? {};
    const parts = [['invalid', 'invalid'], ['quarantined', 'in quarantine'], ['no_ratio', 'without a ratio'],
        ['other_size', `of another size${left.a_size ? `, such as ${left.a_size}` : ''}`], ['other_reference',
            'of another reference']]
        .filter(([key]) => left[key] > 0)
        .map(([key, text]) => `${format.count(left[key])} ${text}`);

    return html`<p class="muted small">${format.count(value.n_results)} results of <span class="id">${value.hardware
        ?? 'no machine'}</span>${
        value.size && `, size ${value.size}`}${parts.length > 0 && `; left out: ${parts.join(', ')}`}. ${value.explain}
        ${!value.n_results && left.a_size && html` <button type="button" class="link"
            onClick=${() => setQuery({ size: left.a_size }, true)}>Show size ${left.a_size}</button>`}</p>`;
}
