/* table.js - a table that sorts, says how much it holds, and can be taken away as CSV. Sorting and length stand in the address.
 *   columns: {id, label, get: row => value, show: row => what is drawn, isNumber, csv: {name: row => value}, wide: only where
 *             there is room, head: what stands under the label}
 * On a narrow screen each row becomes a small list of its own; roles keep it a table for who listens to it. */
import { count } from './format.js';
import { html, useId, useMemo, useRef, useState } from './dom.js';
import { noteQuery, setQuery, useRoute, viewOf } from './route.js';

const FIRST = 60, STEP = 20, MOST = 5000;      /* a click has a tenth of a second, and a row takes one or two thousandths */

export function Table({ name, caption, columns, rows, order, isSelected, onPick, first = FIRST, more, isCompact }) {
    const route = useRoute(), { query } = route, view = viewOf(route);
    const sort = query[`${name}.sort`] ?? order ?? '';
    const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, sort, columns.map((c) => c.id).join()]);
    const [grown, grow] = useGrown(view);
    const n = Math.max(first, Math.min(Math.max(Number(query[`${name}.n`]) || 0, grown), MOST));
    const shown = sorted.slice(0, n);
    const draw = useDrawnRows(sorted, columns, isSelected, onPick);
    const showMore = () => {
        const next = Math.min(n + STEP, sorted.length);
        grow(next);
        noteQuery({ [`${name}.n`]: next });
    };
    const pickSort = (value) => setQuery({ [`${name}.sort`]: value });

    return html`<div class="table">
        <div class="bar"><span class="muted small">${caption && `${caption}: `}${
            shown.length < rows.length ? `${count(shown.length)} of ` : ''}${count(rows.length)} rows${more?.hasMore
                ? ', more on the server' : ''}</span>
            <span class="tools"><${NarrowSort} columns=${columns} sort=${sort} pick=${pickSort}/>
            <button type="button" class="quiet" onClick=${() => download(name, columns, sorted)}
                aria-label=${`Download ${caption ?? name} as CSV`}>CSV</button></span></div>
        <div class="scroll"><table role="table" class=${isCompact ? 'compact' : ''}><caption class="unseen">${caption
            ?? name}</caption>
            <thead role="rowgroup"><tr role="row">${columns.map((column) =>
                html`<${Head} key=${column.id} column=${column} sort=${sort} pick=${pickSort}/>`)}</tr></thead>
            <tbody role="rowgroup">${shown.map(draw)}</tbody></table></div>
        <div class="bar">${sorted.length > shown.length && html`<button type="button" class="quiet"
            onClick=${showMore}>Show ${
            sorted.length - n > STEP ? `${STEP} more` : `all ${count(sorted.length)}`}</button>`}
            ${more?.hasMore && html`<button type="button" class="quiet" onClick=${more.more}>Fetch more</button>`}</div>
    </div>`;
}

/* To how many rows somebody made it longer: that was for this view alone. */
function useGrown(view) {
    const kept = useRef({ view, n: 0 });
    const [, draw] = useState(0);

    if (kept.current.view !== view)
        kept.current = { view, n: 0 };
    return [kept.current.n, (n) => {
        kept.current.n = n;
        draw(n);
    }];
}

/* The rows that were there are not drawn again when more are shown: only then is everything else the same. */
function useDrawnRows(...of) {
    const [, columns, isSelected, onPick] = of;
    const kept = useRef({ of: [], drawn: new Map() });

    if (of.some((one, i) => one !== kept.current.of[i]))
        kept.current = { of, drawn: new Map() };
    const { drawn } = kept.current;
    return (row, i) => {
        if (!drawn.has(i))
            drawn.set(i, html`<${Row} key=${row.key ?? i} row=${row} columns=${columns} isSelected=${isSelected?.(row)}
                onPick=${onPick}/>`);
        return drawn.get(i);
    };
}

function Head({ column, sort, pick }) {
    const is = sort.replace(/^-/, '') === column.id;
    const isDown = is && sort.startsWith('-');

    return html`<th role="columnheader" scope="col" class=${classOf(column)}
        aria-sort=${is ? (isDown ? 'descending' : 'ascending') : undefined}>${column.get
        ? html`<button type="button" onClick=${() => pick(next(column, is, isDown))}>${column.label}<span aria-hidden="true">${
            is ? (isDown ? ' ↓' : ' ↑') : ''}</span></button>`
        : column.label}${column.head}</th>`;
}

/* Figures are first asked for from the largest. */
function next(column, is, isDown) {
    if (!is)
        return column.isNumber ? `-${column.id}` : column.id;
    return isDown ? column.id : `-${column.id}`;
}

function Row({ row, columns, isSelected, onPick }) {
    return html`<tr role="row" class=${`${isSelected ? 'selected' : ''} ${onPick ? 'pickable' : ''}`} aria-selected=${isSelected}
        onClick=${onPick && ((event) => !event.target.closest('a, button') && onPick(row))}>${columns.map((column) =>
        html`<td role="cell" class=${classOf(column)} data-label=${column.short ?? column.label}><div>${
            column.show ? column.show(row) : text(column.get(row))}</div></td>`)}</tr>`;
}

function NarrowSort({ columns, sort, pick }) {
    const id = useId();
    const by = columns.filter((column) => column.get);

    return html`<span class="narrow"><label class="unseen" for=${id}>Sort by</label>
        <select id=${id} value=${sort} onChange=${(event) => pick(event.currentTarget.value)}>
            <option value="">as given</option>
            ${by.map((column) => html`<option value=${column.id}>${column.label} ↑</option><option value=${`-${column.id}`}>${
                column.label} ↓</option>`)}
        </select></span>`;
}

const classOf = (column) => `${column.isNumber ? 'number' : ''} ${column.wide ? 'wide' : ''} ${column.className ?? ''}`;
const text = (value) => (value === null || value === undefined || value === '' ? html`<span class="muted">—</span>`
    : String(value));

/* What is missing comes last, whichever way. */
function sortRows(rows, columns, sort) {
    const column = columns.find((one) => one.get && one.id === sort.replace(/^-/, ''));
    if (!column)
        return rows;
    const sign = sort.startsWith('-') ? -1 : 1;
    const keyed = rows.map((row) => [column.get(row), row]);
    const order = (a, b) => (a < b ? -1 : a > b ? 1
        : 0);      /* ten thousand names in an instant; a collator takes a tenth of a second */
    const isMissing = (value) => value === null || value === undefined || value === '' || Number.isNaN(value);

    keyed.sort(([a], [b]) => {
        if (isMissing(a) || isMissing(b))
            return isMissing(a) - isMissing(b);
        if (typeof a === 'number' && typeof b === 'number')
            return sign * (a - b);
        return sign * order(String(a), String(b));
    });
    return keyed.map(([, row]) => row);
}

/* ---- CSV, RFC 4180 ---- */

/* A spreadsheet runs what begins like a formula. */
function cell(value) {
    if (value === null || value === undefined)
        return '';
    const plain = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(plain) ? `"${plain.replace(/"/g, '""')}"` : plain;
}

export function csvOf(columns, rows) {
    const fields = columns.flatMap((column) => (column.csv ? Object.entries(column.csv) : column.get ? [[column.id, column.get]]
        : []));

    return [fields.map(([name]) => cell(name)), ...rows.map((row) => fields.map(([, get]) => cell(get(row))))]
        .map((line) => `${line.join(',')}\r\n`).join('');
}

function download(name, columns, rows) {
    const link = document.createElement('a');

    link.href = URL.createObjectURL(new Blob([csvOf(columns, rows)], { type: 'text/csv;charset=utf-8' }));
    link.download = `aisp-${name}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
