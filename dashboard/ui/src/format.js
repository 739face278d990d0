/* format.js - figures as text. A figure that is not there is an em dash, never a zero. */
export const NONE = '—';

const has = (value) => typeof value === 'number' && Number.isFinite(value);

/* Four significant digits: a ratio of 1.003 must not read 1.00. */
export function ratio(value) {
    return has(value) ? digits(value, 4) : NONE;
}

/* Significant digits without an exponent, for what a person compares at a glance. */
export function digits(value, n) {
    if (!has(value))
        return NONE;
    if (value === 0)
        return '0';
    const magnitude = Math.floor(Math.log10(Math.abs(value)));
    if (magnitude < -6 || magnitude > 9)
        return value.toExponential(n - 1);
    return value.toFixed(Math.min(Math.max(n - 1 - magnitude, 0), 9));
}

/* "2.50 k" is "2.5 k" at an axis */
const trimmed = (text) => text.replace(/(\.\d*?)0+(?= )/, '$1').replace(/\.(?= )/, '');

/* At an axis: 0.1, 2.5, 30, 4k */
export function tick(value) {
    return Math.abs(value) >= 10000 ? trimmed(si(value)).replace(' ', '') : String(Number(value.toPrecision(3)));
}

export function tickNs(value) {
    return trimmed(ns(value));
}

export function interval(lo, hi, format = ratio) {
    return has(lo) && has(hi) ? `[${format(lo)}, ${format(hi)}]` : '';
}

function scaled(value, steps, base) {
    let i = 0;
    for (; i + 1 < steps.length && Math.abs(value) >= base; i++)
        value /= base;
    return `${digits(value, 3)} ${steps[i]}`;
}

export function ns(value) {
    return has(value) ? scaled(value, ['ns', 'µs', 'ms', 's'], 1000) : NONE;
}

export function bytes(value) {
    return has(value) ? scaled(value, ['B', 'KiB', 'MiB', 'GiB', 'TiB'], 1024) : NONE;
}

export function si(value, unit = '') {
    if (!has(value))
        return NONE;
    if (value !== 0 && Math.abs(value) < 1)
        return `${digits(value, 3)} ${unit}`.trim();
    return scaled(value, ['', 'k', 'M', 'G', 'T', 'P'].map((prefix) => prefix + unit), 1000).trim();
}

export function count(value) {
    return has(value) ? value.toLocaleString('en-US') : NONE;
}

export function signedPercent(value) {
    return has(value) ? `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)} %` : NONE;
}

export function percent(value) {
    return has(value) ? `${digits(value, 3)} %` : NONE;
}

/* Seconds since 1970, or an ISO time; always UTC, as in the records. */
export function date(value) {
    const at = new Date(typeof value === 'number' ? value * 1000 : value);
    return Number.isNaN(at.getTime()) ? NONE : at.toISOString().slice(0, 16).replace('T', ' ');
}

export function day(value) {
    return date(value).slice(0, 10);
}

export function seconds(value) {
    if (!has(value))
        return NONE;
    const s = Math.round(value);
    return s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min ${s % 60} s`
        : `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} min`;
}

/* "20261128T132625Z-205c92" in a table: its own hash is what tells runs of one day apart. */
export function runName(id) {
    const m = /^\d{4}(\d\d)(\d\d)T(\d\d)(\d\d)\d\dZ-(\w+)$/.exec(id ?? '');
    return m ? `${m[1]}-${m[2]} ${m[3]}:${m[4]} ${m[5]}` : id ?? NONE;
}

export function shortCommit(git) {
    return git?.commit ? git.commit.slice(0, 10) + (git.dirty ? ' (dirty)' : '') : NONE;
}
