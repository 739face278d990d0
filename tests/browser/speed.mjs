/* speed.mjs - how fast a dashboard that runs already is in a browser: URL [--judge] [HARDWARE].
 *   aisp dashboard serve --artifacts-dir A-MILLION-RESULTS & node tests/browser/speed.mjs http://127.0.0.1:8100
 * Printed for each page: first contentful paint; when its answers are there; and how long the page is busy with a click or a
 * letter, from it until the frame behind it, the middle of TIMES. With --judge it ends with 1 if one of these is over its goal, or
 * if there was nothing to click: only a machine without other work says much then (large does it).
 * HARDWARE is for stores whose newest run is not of the machine that most results are of. */
import { Chromium, sleep } from './chromium.mjs';

const words = process.argv.slice(2);
const [url, hardware = ''] = words.filter((word) => word !== '--judge');
const isJudged = words.includes('--judge');
const TIMES = 5, PAINT_MS = 1000, BUSY_MS = 100;
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

async function middleOf(measure) {
    const values = [];

    for (let i = 0; i < TIMES; i++)
        values.push(await measure());
    const measured = values.filter((value) => value !== null).sort((a, b) => a - b);
    return measured[Math.floor(measured.length / 2)] ?? null;
}

const ms = (value) => (value === undefined || value === null ? '-' : `${Math.round(value)} ms`).padStart(9);

const late = [], seen = new Set();

function judge(hash, figures, most) {
    for (const [name, value] of Object.entries(figures)) {
        if (value !== null)
            seen.add(name);
        if (value > most)
            late.push(`${hash}: ${name} ${Math.round(value)} ms of ${most}`);
    }
}

/* The rows that were asked for are those that the address brings back. */
async function again(page) {
    const count = () => document.querySelectorAll('main tbody tr').length;
    const rows = await page.run(count), address = await page.run(() => location.href);

    await page.send('Page.navigate', { url: 'about:blank' });
    await page.send('Page.navigate', { url: address });
    await page.until((n) => document.querySelectorAll('main tbody tr').length === n, rows).catch(async () =>
        late.push(`${address}: ${await page.run(count)} rows, where ${rows} were shown`));
}

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
    const sort = await middleOf(() => page.run(busy, 'th button', ''));
    const more = await middleOf(() => page.run(busy, 'main button.quiet', 'Show'));
    const typing = await middleOf(() => page.run(typed));
    if (more !== null)
        await again(page);
    judge(hash, { paint }, PAINT_MS);
    judge(hash, { sort, 'more rows': more, typing }, BUSY_MS);
    console.log(`${hash.slice(0, 33).padEnd(34)}${[paint, answers, sort, more, typing].map(ms).join('')}${
        page.errors.length ? `  ${page.errors[0]}` : ''}`);
    await page.close();
}
await browser.stop();
if (isJudged) {
    for (const name of ['paint', 'sort', 'more rows', 'typing'])
        if (!seen.has(name))
            late.push(`${name}: there was nothing to measure it on`);
    console.log(late.join('\n') || `no paint over ${PAINT_MS} ms, nothing busy for over ${BUSY_MS} ms`);
    process.exit(late.length ? 1 : 0);
}
