/* api.js - questions to /api/v1: each answer kept by its address, shown at once when asked again, and asked again behind it.
 * Not here: what is made of the answers (pages/).
 * The token comes from the address that `aisp dashboard serve` prints (#token=...), or is pasted; it lives as long as the tab. */
import { useCallback, useEffect, useState } from './dom.js';

const ROOT = '/api/v1/';
const FRESH_MS = 4000;          /* of a page that is looked at twice in a moment */

/* ---- the token ---- */

const tokenListeners = new Set();

export function token() {
    return sessionStorage.getItem('aisp-token') ?? '';
}

export function setToken(text) {
    if (text)
        sessionStorage.setItem('aisp-token', text);
    else
        sessionStorage.removeItem('aisp-token');
    tokenListeners.forEach((listener) => listener());
    invalidate();
}

export function takeTokenFromAddress() {
    const m = /^#token=([^&]+)&?(.*)$/.exec(location.hash);
    if (!m)
        return;
    setToken(decodeURIComponent(m[1]));
    history.replaceState(null, '', `${location.pathname}#${m[2] || '/'}`);
}

export function useToken() {
    const [value, set] = useState(token());

    useEffect(() => {
        const listener = () => set(token());
        tokenListeners.add(listener);
        return () => tokenListeners.delete(listener);
    }, []);
    return value;
}

/* ---- one question ---- */

export class ApiError extends Error {
    constructor(status, title, detail) {
        super(detail || title || `status ${status}`);
        this.status = status;
        this.title = title;
    }
}

function headers(more) {
    return { ...(token() && { Authorization: `Bearer ${token()}` }), ...more };
}

async function answer(response) {
    const type = response.headers.get('Content-Type') ?? '';

    if (response.ok)
        return response.status === 204 ? null : response.json();
    const problem = /json/.test(type) ? await response.json().catch(() => ({})) : {};
    throw new ApiError(response.status, problem.title, problem.detail);
}

async function ask(url, options) {
    let response;
    try {
        response = await fetch(url, options);
    } catch {
        throw new ApiError(0, 'no connection', 'the server does not answer; "aisp dashboard serve" starts it');
    }
    return { value: await answer(response), next: nextOf(response) };
}

function nextOf(response) {
    return /<([^>]+)>;\s*rel="?next"?/.exec(response.headers.get('Link') ?? '')?.[1] ?? null;
}

/* Parameters as the API spells them: lists repeat, what is empty is left out. */
export function address(path, params = {}) {
    const query = new URLSearchParams();

    for (const [name, value] of Object.entries(params))
        for (const one of Array.isArray(value) ? value : [value])
            if (one !== undefined && one !== null && one !== '' && one !== false)
                query.append(name, one);
    return `${ROOT}${path}${query.size ? `?${query}` : ''}`;
}

/* ---- kept answers ---- */

const kept = new Map();         /* address -> {value, next, error, at, promise, listeners} */

function entry(url) {
    if (!kept.has(url))
        kept.set(url, { value: null, next: null, error: null, at: 0, promise: null, listeners: new Set() });
    return kept.get(url);
}

function tell(e) {
    e.listeners.forEach((listener) => listener());
}

function load(url) {
    const e = entry(url);

    e.promise ??= ask(url, { headers: headers() })
        .then((got) => Object.assign(e, got, { error: null }), (error) => Object.assign(e, { error }))
        .finally(() => {
            e.promise = null;
            e.at = performance.now();
            tell(e);
        });
    return e.promise;
}

/* After a job nothing is what it was: who is looked at is asked again, the rest when it is. */
export function invalidate() {
    for (const [url, e] of kept) {
        e.at = 0;
        if (e.listeners.size)
            load(url);
        else
            kept.delete(url);
    }
}

export const get = (path, params) => ask(address(path, params), { headers: headers() }).then((got) => got.value);

/* {value, error, isBusy, hasMore, more}: value may be the last one known while isBusy. `path` null asks nothing. `list` names the
 * value's array that comes in pages. */
export function useGet(path, params, list) {
    const url = path === null ? null : address(path, params);
    const [, redraw] = useState(0);
    const e = url === null ? null : entry(url);

    useEffect(() => {
        if (!url)
            return undefined;
        const listener = () => redraw((n) => n + 1);
        const mine = entry(url);
        mine.listeners.add(listener);
        if (!mine.at || performance.now() - mine.at > FRESH_MS)
            load(url);
        listener();
        return () => mine.listeners.delete(listener);
    }, [url]);

    const more = useCallback(async () => {
        const mine = entry(url);
        try {
            const got = await ask(mine.next, { headers: headers() });
            mine.value = { ...mine.value, [list]: mine.value[list].concat(got.value[list]) };
            mine.next = got.next;
            tell(mine);
        } catch {
            load(url);          /* the list has changed since: from its beginning */
        }
    }, [url, list]);

    if (!e)
        return { value: null, error: null, isBusy: false, hasMore: false, more };
    return { value: e.value, error: e.error, isBusy: !e.at || Boolean(e.promise), hasMore: Boolean(list && e.next), more };
}

addEventListener('focus', () => {
    for (const [url, e] of kept)
        if (e.listeners.size && performance.now() - e.at > FRESH_MS)
            load(url);
});

/* ---- jobs ---- */

export async function startJob(command, args) {
    const got = await ask(`${ROOT}jobs`, { method: 'POST', headers: headers({ 'Content-Type': 'application/json' }),
        body: JSON.stringify({ command, arguments: args }) });
    return got.value;
}

export async function cancelJob(id) {
    await ask(`${ROOT}jobs/${encodeURIComponent(id)}`, { method: 'DELETE', headers: headers() });
}

/* ---- streams of events ---- */

/* A browser has six connections to a server for all of its tabs, and a stream takes one: only a tab that is looked at has any. */
function untilSeen() {
    return new Promise((done) => {
        const look = () => {
            if (document.hidden)
                return;
            document.removeEventListener('visibilitychange', look);
            done();
        };
        document.addEventListener('visibilitychange', look);
        look();
    });
}

/* Follow a path until `listener` says true or the signal ends it; a stream that breaks is taken up again, a little later each
 * time. Each time it is begun anew, `begin` is called. */
export async function followWhileSeen(path, begin, listener, signal) {
    for (let wait = 500; !signal?.aborted; wait = Math.min(wait * 2, 8000)) {
        const leave = new AbortController();
        const stop = () => leave.abort();
        const hide = () => document.hidden && stop();
        let isOver = false;

        await untilSeen();
        document.addEventListener('visibilitychange', hide);
        signal?.addEventListener('abort', stop);
        try {
            begin();
            await follow(path, (name, data) => {
                wait = 500;
                isOver ||= listener(name, data) === true;
            }, leave.signal);
        } catch (error) {
            if (error instanceof ApiError)
                throw error;
        } finally {
            document.removeEventListener('visibilitychange', hide);
            signal?.removeEventListener('abort', stop);
        }
        if (isOver || signal?.aborted)
            return;
        await new Promise((done) => setTimeout(done, wait));
    }
}

/* What others changed: whatever is looked at is asked again, at most once a second. */
export function followNews() {
    let timer = null;
    const refresh = () => {
        timer ??= setTimeout(() => {
            timer = null;
            invalidate();
        }, 700);
    };
    let isFirst = true;
    const begin = () => {
        if (!isFirst)
            refresh();
        isFirst = false;
    };

    /* Who may not follow may once the token is given; till then a page is as new as its last look. */
    const start = () => followWhileSeen('events', begin, refresh).catch(() => {
        const again = () => {
            tokenListeners.delete(again);
            start();
        };
        tokenListeners.add(again);
    });

    start();
}

/* The events of a job from its beginning, until its end. */
export const followJob = (id, begin, listener, signal) => followWhileSeen(`jobs/${encodeURIComponent(id)}/events`, begin, (name,
    data) => {
    listener(name, data);
    return name === 'end';
}, signal);

async function follow(path, listener, signal) {
    const response = await fetch(ROOT + path, { headers: headers({ Accept: 'text/event-stream' }), signal });
    if (!response.ok)
        return void await answer(response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';

    for (;;) {
        const { value, done } = await reader.read();
        if (done)
            return undefined;
        const blocks = (text + value).split(/\r?\n\r?\n/);
        text = blocks.pop();
        blocks.forEach((block) => deliver(block, listener));
    }
}

function deliver(block, listener) {
    let name = 'message';
    const data = [];

    for (const line of block.split(/\r?\n/)) {
        const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line);
        if (field === 'event')
            name = value;
        else if (field === 'data')
            data.push(value);
    }
    if (!data.length)
        return;
    listener(name, parsed(data.join('\n')));
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}
