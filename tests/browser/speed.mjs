/* speed.mjs - how fast a dashboard that runs already is in a browser: URL [HARDWARE].
 *   aisp dashboard serve --artifacts-dir A-MILLION-RESULTS & node tests/browser/speed.mjs http://127.0.0.1:8100
 * Printed for each page: first contentful paint; when its answers are there; and how long the page is busy with a click, from the
 * click until the frame behind it. Nothing is judged here: what a machine with other work measures says little.
 * HARDWARE is for stores whose newest run is not of the machine that most results are of. */
import { Chromium, sleep } from './chromium.mjs';

const [url, hardware = ''] = process.argv.slice(2);
const TIMES = 5;
const of = hardware && `hardware=${encodeURIComponent(hardware)}`;
const PAGES = ['#/', `#/targets?${of}`, '#/runs?limit=10000', '#/run/latest', `#/whatif?latency=1&${of}`, `#/pareto?${of}`,
    `#/stacking?${of}`, '#/machines'];

/* In the page: a click, and the frame that shows what came of it. */
async function busy(selector, text) {
    const button = [...document.querySelectorAll(selector)].find((one) => one.textContent.startsWith(text));
    if (!button)
        return null;
    const from = performance.now();
    button.click();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - from;
}

/* In the page: the same for a letter that is typed, with the pause until a field becomes a question. */
async function typed() {
    const field = document.querySelector('input[type=search]');
    if (!field)
        return null;
    const from = performance.now();
    field.value += 'c';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - from;
}

const middle = (values) => values.filter((value) => value !== null).sort((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = (value) => (value === undefined || value === null ? '-' : `${Math.round(value)} ms`).padStart(9);

const browser = await Chromium.start();
console.log(`${'page'.padEnd(34)}${['paint', 'answers', 'sort', 'more rows', 'typing'].map((name) =>
    name.padStart(9)).join('')}`);
for (const hash of PAGES) {
    const page = await browser.page();
    await page.send('Page.navigate', { url: `${url}/${hash}` });
    const paint = await page.until(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
    const answers = await page.until(() => !document.body.innerText.includes('asking …')
        && document.querySelector('main td, main .empty, main figure') && performance.now());
    await sleep(500);
    const sort = [];
    for (let i = 0; i < TIMES; i++)
        sort.push(await page.run(busy, 'th button', ''));
    const more = await page.run(busy, 'main button.quiet', 'Show');
    const typing = await page.run(typed);
    console.log(`${hash.slice(0, 33).padEnd(34)}${[paint, answers, middle(sort), more,
        typing].map(ms).join('')}${page.errors.length ? `  ${page.errors[0]}` : ''}`);
    await page.close();
}
await browser.stop();
