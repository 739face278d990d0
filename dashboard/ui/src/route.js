/* route.js - where one is: #/page/argument?name=value. All that a page can be switched to stands there, so that a link shows
 * what its sender saw.
 * Not here: the token, which must not be in a link (api.js). */
import { useEffect, useState } from './dom.js';

/* {page: "target", args: ["ch07:transpose"], query: {size: "quick"}} */
export function parse(hash) {
    const [path, query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
    const [page, ...args] = path.split('/').map(decode);

    return { page, args, query: Object.fromEntries(new URLSearchParams(query)) };
}

/* A link that somebody cut short must not end the page. */
function decode(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/* Colons and slashes of target names are left readable where the hash allows them. */
export function href(page, args = [], query = {}) {
    const path = [page, ...args].map((part) => encodeURIComponent(part).replace(/%3A/g, ':')).join('/');
    const kept = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
    const text = new URLSearchParams(kept).toString();

    return `#/${path}${text && `?${text}`}`;
}

export function useRoute() {
    const [route, set] = useState(() => parse(location.hash));

    useEffect(() => {
        const update = () => set(parse(location.hash));
        addEventListener('hashchange', update);
        return () => removeEventListener('hashchange', update);
    }, []);
    return route;
}

/* Arguments that pick something on a page, whose tables hold the same afterwards; and those that are a table's own. */
const PICKS = { history: ['row'], target: ['variant', 'device', 'run', 'source'], validity: ['issue'] };
const isLength = (name) => /(^|\.)n$/.test(name), isOrder = (name) => name.endsWith('.sort');

/* All that decides what a page's tables hold: where it changes they begin again. */
export function viewOf({ page, args, query }) {
    const asked = Object.entries(query).filter(([name]) => !isLength(name) && !isOrder(name) && !PICKS[page]?.includes(name));

    return href(page, args, Object.fromEntries(asked.sort()));
}

/* What the page shows already: the address alone changes. */
export function noteQuery(changes) {
    const { page, args, query } = parse(location.hash);

    history.replaceState(null, '', href(page, args, { ...query, ...changes }));
}

/* Change some parameters of the page one is on; empty ones go. Typing in a search field makes no history. */
export function setQuery(changes, keepHistory = false) {
    const before = parse(location.hash), after = { ...before, query: { ...before.query, ...changes } };
    const names = Object.keys(after.query).filter((name) => viewOf(before) === viewOf(after) || !isLength(name));
    const target = href(after.page, after.args, Object.fromEntries(names.map((name) => [name, after.query[name]])));

    if (keepHistory) {
        location.hash = target;
        return;
    }
    history.replaceState(null, '', target);
    dispatchEvent(new HashChangeEvent('hashchange'));
}
