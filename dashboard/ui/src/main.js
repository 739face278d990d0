/* main.js - the frame around all pages: landmarks, navigation, theme; and which page an address names. */
import { followNews, takeTokenFromAddress, useGet } from './api.js';
import { html, render, useEffect, useRef, useState } from './dom.js';
import { Empty, Fence } from './parts.js';
import { href, useRoute } from './route.js';
import { Compare } from './pages/compare.js';
import { History } from './pages/history.js';
import { Job } from './pages/job.js';
import { Machines } from './pages/machines.js';
import { Overview } from './pages/overview.js';
import { Pareto } from './pages/pareto.js';
import { Run, Runs } from './pages/runs.js';
import { Stacking } from './pages/stacking.js';
import { Start, Token } from './pages/start.js';
import { Target } from './pages/target.js';
import { Targets } from './pages/targets.js';
import { Validity } from './pages/validity.js';
import { WhatIf } from './pages/whatif.js';

/* [page, title, component, part of the navigation, whose place it has there] */
const PAGES = [
    ['', 'Overview', Overview, 'Look'],
    ['targets', 'Targets', Targets, 'Look'],
    ['runs', 'Runs', Runs, 'Look'],
    ['compare', 'Compare', Compare, 'Ask'],
    ['history', 'History', History, 'Ask'],
    ['pareto', 'Pareto', Pareto, 'Ask'],
    ['whatif', 'What if', WhatIf, 'Ask'],
    ['stacking', 'Stacking', Stacking, 'Ask'],
    ['validity', 'Validity', Validity, 'Trust'],
    ['machines', 'Machines', Machines, 'Trust'],
    ['start', 'Run', Start, 'Do'],
    ['target', 'Target', ({ args, query }) => html`<${Target} key=${args[0]} name=${args[0] ?? ''} query=${query}/>`, null,
        'targets'],
    ['run', 'Run', ({ args, query }) => html`<${Run} key=${args[0]} id=${args[0] ?? 'latest'} query=${query}/>`, null, 'runs'],
    ['job', 'Job', ({ args }) => html`<${Job} key=${args[0]} id=${args[0] ?? ''}/>`, null, 'start'],
];

function App() {
    const route = useRoute();
    const main = useRef(null);
    const place = `${route.page}/${route.args.join('/')}`;
    const last = useRef(place);
    const found = PAGES.find(([page]) => page === route.page);
    const version = useGet('version');

    /* Who follows a link with a screen reader or the keyboard goes on in the new page. */
    useEffect(() => {
        document.title = `${route.args[0] ?? found?.[1] ?? 'Not found'} · aisp`;
        if (last.current !== place) {
            last.current = place;
            scrollTo(0, 0);
            main.current.focus({ preventScroll: true });
        }
    }, [place]);
    return html`<a class="skip" href="#main"
        onClick=${(event) => { event.preventDefault(); main.current.focus(); }}>Skip to the content</a>
        <${Side} current=${found?.[4] ?? route.page} version=${version.value}/>
        <main id="main" tabindex="-1" ref=${main}>${version.error?.status === 401
            ? html`<h1>Token</h1><p
                class="lead">Whoever asks this server from another machine has to give its token.</p><${Token} isRefused/>`
            : html`<${Page} found=${found} route=${route} key=${place}/>`}</main>`;
}

function Page({ found, route }) {
    if (!found)
        return html`<h1>Not found</h1><${Empty}>There is no page "${route.page}". <a href="#/">Overview</a><//>`;
    return html`<${Fence}><${found[2]} args=${route.args} query=${route.query}/><//>`;
}

function Side({ current, version }) {
    const [isOpen, setOpen] = useState(false);

    useEffect(() => setOpen(false), [current]);
    return html`<header class="side"><div class="brand"><a href="#/">aisp</a>
            <button type="button" class="quiet menu" aria-expanded=${isOpen} aria-controls="nav" onClick=${() =>
                setOpen(!isOpen)}>Menu</button></div>
        <div id="nav" class=${isOpen ? 'open' : ''}><nav aria-label="Pages">${['Look', 'Ask', 'Trust', 'Do'].map((group) =>
            html`<ul aria-label=${group}>${
            PAGES.filter((page) => page[3] === group).map(([page, title]) => html`<li><a href=${href(page)}
                aria-current=${current === page ? 'page' : undefined}>${title}</a></li>`)}</ul>`)}</nav>
        <div class="foot"><${Theme}/>${version && html`<p
            class="muted small">aisp ${version.version}, ${version.checks} checks</p>`}</div></div></header>`;
}

function Theme() {
    const [theme, set] = useState(localStorage.getItem('aisp-theme') ?? '');

    useEffect(() => {
        if (theme)
            document.documentElement.dataset.theme = theme;
        else
            delete document.documentElement.dataset.theme;
        localStorage.setItem('aisp-theme', theme);
        dispatchEvent(new Event('aisp-theme'));
    }, [theme]);
    return html`<label class="theme small muted">Theme <select value=${theme}
        onChange=${(event) => set(event.currentTarget.value)}>
        <option value="">as the system</option>
        <option value="light">light</option><option value="dark">dark</option></select></label>`;
}

takeTokenFromAddress();
followNews();
render(html`<${App}/>`, document.body);
