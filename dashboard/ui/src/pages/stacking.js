/* stacking.js - do ideas add up? Each combination against the product of its parts, and for each target a map of which pairs were
 * tried and how they went. */
import { useGet } from '../api.js';
import { variantColumn } from '../columns.js';
import { html } from '../dom.js';
import * as format from '../format.js';
import { AnalysisFilter, analysisParameters, Answer, Empty, LookedAt, Measured, Section } from '../parts.js';
import { href } from '../route.js';
import { Table } from '../table.js';
import { useChapters } from './pareto.js';

const SIGNS = { synergy: '+', interference: '−', 'as predicted': '=', invalid: '✕', unknown: '?' };
const WORDS = { synergy: 'more than the product', interference: 'less', 'as predicted': 'as predicted', invalid: 'invalid',
    unknown: 'cannot be said' };

export function Stacking({ query }) {
    const chapters = useChapters();
    const answer = useGet('bench/stacking', analysisParameters(query));

    return html`<h1>Stacking</h1><p
        class="lead muted">What a variant that combines ideas brings, against the product of what each brings alone.</p>
        <${AnalysisFilter} query=${query} chapters=${chapters} size="default"/>
        <${Answer} of=${answer}>${(value) => html`<${LookedAt} value=${value}/>
            ${value.combinations.length === 0 ? html`<${Empty}>No variant of this size combines others by its name.<//>` : html`
            <p class="legend">${Object.entries(SIGNS).map(([kind, sign]) => html`<span
                class=${`cell-key heat ${slug(kind)}`}>${sign}</span> ${WORDS[kind]} `)}
                <span class="cell-key heat none"></span> not run</p>
            <div class="maps">${value.compatibility.map((one) => html`<${Map} key=${`${one.target} ${one.device}`} of=${one}
                combinations=${value.combinations}/>`)}</div>
            <${Section} title="Combinations"><${Combinations} rows=${value.combinations}/><//>`}`}<//>`;
}

const slug = (kind) => kind.replace(/ /g, '-');

function Map({ of, combinations }) {
    const cell = (a, b) => of.pairs.find((pair) => pair.a === a && pair.b === b || pair.a === b && pair.b === a);
    const detail = (pair) => combinations.find((one) => one.target === of.target && one.device === of.device
        && one.variant === pair.with);

    return html`<${Section} title=${html`<a href=${href('target', [of.target])}>${of.target}</a> <span
        class="muted small">${of.device}</span>`}><div class="scroll">
        <table class="heatmap"><caption class="unseen">Pairs of ideas of ${of.target}</caption>
            <thead><tr><td></td>${of.ideas.slice(0, -1).map((idea) => html`<th scope="col">${idea}</th>`)}</tr></thead>
            <tbody>${of.ideas.slice(1).map((a, i) => html`<tr><th scope="row">${a}</th>${of.ideas.slice(0, i + 1).map((b) =>
                html`<${Cell} pair=${cell(a, b)} detail=${detail}/>`)}</tr>`)}</tbody></table></div><//>`;
}

function Cell({ pair, detail }) {
    if (!pair)
        return html`<td class="heat none"><span class="unseen">not run</span></td>`;
    const percent = detail(pair)?.interaction_percent;
    const has = percent && percent.value !== null;

    return html`<td class=${`heat ${slug(pair.interaction)}`} title=${pair.with}><b><span
        aria-hidden="true">${SIGNS[pair.interaction]}</span><span class="unseen">${pair.interaction}</span>
        ${has && ` ${format.signedPercent(percent.value)}`}</b>${has && html`<br/><span
            class="small">${format.interval(percent.lo95, percent.hi95, format.signedPercent)}</span>`}</td>`;
}

function Combinations({ rows }) {
    return html`<${Table} name="combinations" caption="Combinations" rows=${rows.map((row) => ({ ...row,
        key: `${row.target} ${row.variant} ${row.device}` }))} columns=${[
        variantColumn,
        { id: 'parts', label: 'combines', get: (row) => row.parts.map((part) => part.variant).join(' + '),
            show: (row) => html`${row.parts.map((part, i) => html`${i > 0 && ' + '}
            <span class="id">${part.variant.replace(/^optimized_/, '')}</span>`)}${row.missing.length > 0 && html` <br/><span
                class="muted small">not measured: ${row.missing.join(', ')}</span>`}` },
        { id: 'measured', label: 'measured', isNumber: true, get: (row) => row.measured?.value, show: (row) => html`<${Measured}
            of=${row.measured}/>`,
            csv: { measured: (row) => row.measured?.value, measured_low95: (row) => row.measured?.lo95,
                measured_high95: (row) => row.measured?.hi95 } },
        { id: 'predicted', label: 'predicted', isNumber: true, get: (row) => row.predicted?.value,
            show: (row) => html`<${Measured} of=${row.predicted}/>`,
            csv: { predicted: (row) => row.predicted?.value, predicted_low95: (row) => row.predicted?.lo95,
                predicted_high95: (row) => row.predicted?.hi95 } },
        { id: 'interaction', label: 'interaction', isNumber: true, get: (row) => row.interaction_percent?.value,
            show: (row) => html`<${Measured} of=${row.interaction_percent} format=${format.signedPercent}/>`,
            csv: { interaction_percent: (row) => row.interaction_percent?.value, low95: (row) => row.interaction_percent?.lo95,
                high95: (row) => row.interaction_percent?.hi95 } },
        { id: 'kind', label: 'says', get: (row) => row.interaction, show: (row) => html`<span
            class=${`tag ${slug(row.interaction)}`}>${row.interaction}</span>` }]}/>`;
}
