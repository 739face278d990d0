/* history.js - the ratio of a row from run to run, with intervals and the points where its level changed. Drawn on a canvas
 * (uPlot), because a row may have thousands of runs; dragging over it magnifies, a double click shows all again.
 * Not here: where the level changed (`bench history`). */
import uPlot from 'uplot';
import { html, useEffect, useId, useRef, useState } from '../dom.js';
import { AsTable, useWidth } from './chart.js';
import * as format from '../format.js';
import { Grade, RunLink, Verdict } from '../parts.js';

const HEIGHT = 300;

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/* A canvas keeps the colours that it was drawn with. */
function useTheme() {
    const [theme, set] = useState(0);

    useEffect(() => {
        const again = () => set((n) => n + 1);
        const dark = matchMedia('(prefers-color-scheme: dark)');
        dark.addEventListener('change', again);
        addEventListener('aisp-theme', again);
        return () => {
            dark.removeEventListener('change', again);
            removeEventListener('aisp-theme', again);
        };
    }, []);
    return theme;
}

/* Runs of one moment would lie on each other: the axis is the order of the runs, and says their days. */
function options(series, width) {
    const { runs, changes, level } = series;
    const isShort = runs.length > 0 && runs.at(-1).at - runs[0].at < 3 * 86400;
    const muted = color('--muted'), grid = { stroke: color('--line'), width: 1 };
    const axis = { stroke: muted, grid, ticks: grid, font: '12px system-ui, sans-serif' };

    return {
        width, height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, points: { size: 9 } },
        scales: { x: { time: false }, y: { distr: 3, range: (_, lo, hi) => bounds(runs, lo, hi) } },
        axes: [
            { ...axis, values: (_, ticks) => ticks.map((t) => (Number.isInteger(t) && runs[t] ? moment(runs[t].at, isShort)
                : '')), space: 70 },
            { ...axis, size: 56, values: (_, ticks) => ticks.map((t) => (t === null ? '' : format.tick(t))), splits: splits },
        ],
        series: [{}, { stroke: color('--accent'), width: 1, points: { size: 6, fill: color('--accent') } }],
        hooks: { drawAxes: [(u) => drawBehind(u, level)], draw: [(u) => drawIntervals(u, runs), (u) => drawChanges(u, runs,
            changes)] },
    };
}

/* Runs of a day or two are told apart by their time. */
const moment = (at, isShort) => (isShort ? format.date(at).slice(8) : format.day(at).slice(5));

function bounds(runs, lo, hi) {
    const all = runs.flatMap((run) => [run.lo95, run.hi95, run.ratio]).filter((value) => value > 0).concat(1);
    const a = Math.min(lo ?? 1, ...all), b = Math.max(hi ?? 1, ...all);
    return [a / 1.06, b * 1.06];
}

function splits(u, axis, lo, hi) {
    const wide = hi / lo > 8;
    const step = wide ? null : niceStep((hi - lo) / 5);
    const ticks = [];

    if (wide)
        for (let e = Math.floor(Math.log10(lo)); e <= Math.log10(hi); e++)
            ticks.push(...[1, 2, 5].map((k) => k * 10 ** e));
    else
        for (let value = Math.ceil(lo / step) * step; value <= hi; value += step)
            ticks.push(value);
    return ticks.filter((tick) => tick >= lo && tick <= hi);
}

function niceStep(rough) {
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= rough);
}

function stroke(u, style, paint) {
    const { ctx } = u;

    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    Object.assign(ctx, { lineWidth: devicePixelRatio, ...style });
    paint(ctx, (i) => u.valToPos(i, 'x', true), (value) => u.valToPos(value, 'y', true));
    ctx.restore();
}

function drawBehind(u, level) {
    stroke(u, { strokeStyle: color('--muted') }, (ctx, x, y) => {
        ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
        ctx.beginPath();
        ctx.moveTo(u.bbox.left, y(1));
        ctx.lineTo(u.bbox.left + u.bbox.width, y(1));
        ctx.stroke();
    });
    if (level.lo95 > 0)
        stroke(u, { fillStyle: color('--band') }, (ctx, x, y) =>
            ctx.fillRect(u.bbox.left, y(level.hi95), u.bbox.width, Math.max(1, y(level.lo95) - y(level.hi95))));
}

function drawIntervals(u, runs) {
    stroke(u, { strokeStyle: color('--accent') }, (ctx, x, y) => runs.forEach((run, i) => {
        if (!(run.lo95 > 0))
            return;
        ctx.beginPath();
        ctx.moveTo(x(i), y(run.lo95));
        ctx.lineTo(x(i), y(run.hi95));
        ctx.stroke();
    }));
    stroke(u, { strokeStyle: color('--bad'), lineWidth: 2 * devicePixelRatio }, (ctx, x) => runs.forEach((run, i) => {
        if (run.grade !== 'invalid')
            return;
        const r = 4 * devicePixelRatio, at = u.bbox.top + u.bbox.height - 2 * r;
        ctx.beginPath();
        ctx.moveTo(x(i) - r, at - r);
        ctx.lineTo(x(i) + r, at + r);
        ctx.moveTo(x(i) + r, at - r);
        ctx.lineTo(x(i) - r, at + r);
        ctx.stroke();
    }));
}

function drawChanges(u, runs, changes) {
    stroke(u, { strokeStyle: color('--warn'), fillStyle: color('--warn'),
        font: `${12 * devicePixelRatio}px system-ui, sans-serif`,
        lineWidth: 1.5 * devicePixelRatio }, (ctx, x) => changes.forEach((change) => {
        const at = x(change.index - 0.5);
        ctx.beginPath();
        ctx.moveTo(at, u.bbox.top);
        ctx.lineTo(at, u.bbox.top + u.bbox.height);
        ctx.stroke();
        ctx.fillText(format.signedPercent(change.percent), at + 4 * devicePixelRatio, u.bbox.top + 12 * devicePixelRatio);
    }));
}

export function History({ series }) {
    const [ref, width] = useWidth();
    const mount = useRef(null);
    const theme = useTheme();
    const id = useId();
    const [at, setAt] = useState(null);
    const { runs, changes } = series;
    const name = `${series.variant}, ${series.size}, ${series.device}`;

    useEffect(() => {
        const data = [runs.map((_, i) => i), runs.map((run) => (run.ratio > 0 ? run.ratio : null))];
        const plot = new uPlot({ ...options(series, width) }, data, mount.current);
        plot.root.addEventListener('mousemove', () => setAt(plot.cursor.idx));
        plot.root.addEventListener('mouseleave', () => setAt(null));
        return () => plot.destroy();
    }, [series, width, theme]);
    const run = runs[at];

    return html`<figure class="chart"><figcaption id=${id}>${name}${html`<span class="legend"><span
        class="key level">level and interval</span>
        <span class="key change">level changed</span><span class="key invalid">invalid: withheld</span></span>`}</figcaption>
        <div ref=${ref}><div ref=${mount} role="img" aria-labelledby=${id}
            aria-description=${`${runs.length} runs, ${changes.length} changes of level; as a table below`}></div></div>
        <p class="muted small readout">${run ? html`${format.date(run.at)} · ${run.run} · ${format.ratio(run.ratio)} ${
            format.interval(run.lo95,
                run.hi95)} · ${run.verdict} · ${run.grade}` : 'Drag to magnify, double-click for all of it.'}</p>
        <${AsTable} title=${name} name="runs" rows=${runs} columns=${[
            { id: 'run', label: 'run', get: (r) => r.run, show: (r) => html`<${RunLink} id=${r.run}/>` },
            { id: 'at', label: 'started (UTC)', get: (r) => r.at, show: (r) => format.date(r.at) },
            { id: 'ratio', label: 'ratio', isNumber: true, get: (r) => r.ratio, show: (r) => format.ratio(r.ratio) },
            { id: 'lo95', label: 'low 95 %', isNumber: true, get: (r) => r.lo95, show: (r) => format.ratio(r.lo95) },
            { id: 'hi95', label: 'high 95 %', isNumber: true, get: (r) => r.hi95, show: (r) => format.ratio(r.hi95) },
            { id: 'verdict', label: 'verdict', get: (r) => r.verdict, show: (r) => html`<${Verdict} name=${r.verdict}/>` },
            { id: 'grade', label: 'grade', get: (r) => r.grade, show: (r) => html`<${Grade} name=${r.grade}/>` }]}/></figure>`;
}
