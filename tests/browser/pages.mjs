/* pages.mjs - the dashboard as a browser shows it: BUILD SOURCE [part of a test's name...].
 * The runs are recorded ones of a real machine,
     and one that is started here. Not here: the API's own answers (tests/dashboard). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chromium, sleep } from './chromium.mjs';
import { contrast, structure, width } from './looks.mjs';
import { MARKUP, Server } from './server.mjs';

const [build, source, ...wanted] = process.argv.slice(2);
const DOUBLE_RUN = '20261128T140019Z-d7a8b4', LATER_RUN = '20261128T140156Z-4d9837', CHAPTER_RUN = '20261128T132046Z-b3c1ad';

/* Each page with a text that is there once its answers have come. */
const PAGES = [
    ['#/', 'Recent runs'], ['#/targets', 'Double every element'], ['#/runs', 'complete'], [`#/run/${DOUBLE_RUN}`,
        'Environment and options'],
    [`#/target/ch01:double?variant=optimized_vector&run=${DOUBLE_RUN}`, 'Ratio of each pair'],
        [`#/compare?a=${DOUBLE_RUN}&b=${LATER_RUN}`, 'optimized_again'],
    ['#/history?target=ch01:double', 'Rows'], ['#/pareto', 'against'], ['#/whatif', 'What fits'], ['#/whatif?latency=5',
        'do not'],
    ['#/stacking', 'Combinations'], ['#/validity', 'cheat'], ['#/machines', 'Checklist'], ['#/start', 'What to measure'],
        ['#/nonsense', 'Not found'],
];

let server, browser;
const opened = new Set();

function check(isFine, text) {
    if (!isFine)
        throw new Error(text);
}

const same = (is, should, what) => check(JSON.stringify(is) === JSON.stringify(should),
    `${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`);

async function open(hash, text, { size = 1280, withToken = false } = {}) {
    const page = await browser.page(size, 900);

    opened.add(page);
    await page.open(`${server.url}/${hash}`);
    if (withToken)
        await page.run((token) => sessionStorage.setItem('aisp-token', token), server.token).then(() =>
            page.open(`${server.url}/${hash}`));
    if (text)
        await page.seen(text);
    return page;
}

/* What the browser complains of. That a command needs the token, or a calibration that this store has not, is an answer. */
const complaints = (page) => page.errors.filter((error) => !/403 .*\/bench\/audit|422 .*\/utils\/roofline/.test(error));
const rows = (name) => [...document.querySelectorAll('table')].find((table) =>
    table.caption.textContent === name)?.tBodies[0].rows.length ?? 0;

/* With a server of its own. */
async function beside(how, test) {
    const mine = server;

    server = await Server.start(build, source, how);
    try {
        await test();
    } finally {
        const code = await server.stop();
        server = mine;
        check(code === 0, `dashboard serve ended with ${code}`);
    }
}

const tests = {
    'every page is drawn without an error, in both themes and at both widths': async () => {
        for (const [hash, text] of PAGES)
            for (const size of [1280, 380])
                for (const scheme of ['light', 'dark']) {
                    const page = await open(hash, null, { size });
                    await page.scheme(scheme);
                    await page.seen(text);
                    await sleep(150);
                    const found = [...complaints(page), ...await page.run(structure), ...await page.run(contrast),
                        ...await page.run(width)];
                    same(found, [], `${hash} at ${size} px, ${scheme}`);
                    check(page.requests.every((url) => url.startsWith(server.url) || /^(data|about|blob):/.test(url)),
                        `${hash} asks elsewhere`);
                    await page.close();
                    opened.delete(page);
                }
    },

    'charts have the same figures as a table': async () => {
        const page = await open(`#/target/ch01:double?variant=optimized_vector&run=${DOUBLE_RUN}`, 'Ratio of each pair');

        for (const title of await page.run(() => [...document.querySelectorAll('figure')].map((figure) =>
            figure.querySelector('summary').textContent))) {
            await page.run((t) => [...document.querySelectorAll('figure summary')].find((one) => one.textContent === t).click(),
                title);
            await page.until((t) => [...document.querySelectorAll('figure summary')].find((one) =>
                one.textContent === t).parentElement.querySelector('td'), title);
        }
        const dots = await page.run(() => [...document.querySelectorAll('figure')].find((one) =>
            one.textContent.includes('Ratio of each pair')).querySelectorAll('circle').length);
        same(await page.run(() => [...document.querySelectorAll('table')].find((table) =>
            table.caption.textContent.startsWith('Ratio of each pair')).tBodies[0].rows.length), dots, 'pairs');
        same(await page.run(contrast), [], 'contrast');
        same(complaints(page), [], 'console');
    },

    'a filter is in the address, and the address brings it back': async () => {
        const page = await open('#/targets', 'Double every element');
        same(await page.run(rows, 'Targets'), 3, 'targets');

        await page.type('input[type=search]', 'halve');
        await page.until(() => location.hash.includes('q=halve'));
        await page.until(() => document.querySelectorAll('tbody tr').length === 1);
        await page.set('main form select', 'ch02');
        await page.until(() => location.hash.includes('chapter=ch02'));
        const address = await page.run(() => location.hash);
        await page.run(() => history.back());
        await page.until(() => !location.hash.includes('chapter='));
        const again = await open(address, 'Halve every element');
        same(await again.run(rows, 'Targets'), 1, 'targets of the address');
        same(await again.run(() => document.querySelector('input[type=search]').value), 'halve', 'field of the address');
    },

    'a table that was made longer is as short as ever when something else is asked for': async () => {
        const page = await open('#/validity?protections.sort=issue', 'Protections', { withToken: true });
        const more = () => [...document.querySelectorAll('.table')].find((table) => table.textContent.includes('Protections'))
            .querySelector('.bar:last-child button').click();
        const n = async () => page.run(rows, 'Protections');

        await page.run(() => document.querySelector('#start-audit')?.click());
        await page.until(() => document.querySelectorAll('.matrix a').length === 95);
        same(await n(), 20, 'at first');
        await page.run(more);
        await page.run(more);
        same(await n(), 60, 'longer');
        const address = await page.run(() => location.hash);
        await page.run(() => document.querySelector('td a[href*="issue=50"]').click());
        await page.seen('#50 ');
        same(await n(), 60, 'a row was picked');
        await page.set('main form select', 'output');
        await page.until(() => document.querySelectorAll('.matrix a').length < 20);
        await page.set('main form select', '');
        await page.until(() => document.querySelectorAll('.matrix a').length === 95);
        same(await n(), 20, 'after a filter');
        const again = await open(address, 'Protections', { withToken: true });
        await again.until(() => document.querySelectorAll('.matrix a').length === 95);
        same(await again.run(rows, 'Protections'), 60, 'what a link shows');
    },

    'a table sorts by its heads, and the address says how': async () => {
        const page = await open(`#/run/${CHAPTER_RUN}`, 'Results');
        const ratios = () => [...document.querySelectorAll('table')].find((table) => table.caption.textContent === 'Results')
            .querySelectorAll('td.number b').values().map((b) => parseFloat(b.textContent)).toArray();
        const head = () => [...document.querySelectorAll('th button')].find((button) =>
            button.textContent.startsWith('ratio')).click();

        await page.run(head);
        await page.until(() => location.hash.includes('results.sort=-ratio'));
        const down = await page.run(ratios);
        same(down, [...down].sort((a, b) => b - a), 'order');
        check(down.length > 5, 'there are some');
        await page.run(head);
        await page.until(() => document.querySelector('th[aria-sort=ascending]'));
        same(await page.run(ratios), [...down].reverse(), 'order the other way');
    },

    'a table is taken away as CSV with every figure and interval': async () => {
        const folder = mkdtempSync(join(tmpdir(), 'aisp-csv-'));
        await browser.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
        const page = await open(`#/run/${CHAPTER_RUN}`, 'Results');

        await page.click('button[aria-label="Download Results as CSV"]');
        let name;
        for (let i = 0; i < 100 && !(name = readdirSync(folder).find((file) => file.endsWith('.csv'))); i++)
            await sleep(50);
        const lines = readFileSync(join(folder, name), 'utf8').trim().split('\r\n');
        const recorded = JSON.parse(server.call('bench', 'summary', CHAPTER_RUN, '--json')).rows;
        same(lines[0], 'target,variant,device,size,ratio,ratio_low95,ratio_high95,verdict,grade,pairs,reason', 'head');
        same(lines.length - 1, recorded.length, 'rows');
        recorded.forEach((row, i) => same(lines[i + 1].split(',').slice(4, 7).map(Number), [row.ratio, row.lo95, row.hi95],
            `row ${i}`));
        rmSync(folder, { recursive: true });
    },

    'the source of a variant is unfolded, is what the command says, and is in the address': async () => {
        const page = await open('#/target/ch01:double?variant=optimized_vector', 'Source of optimized_vector');
        const said = JSON.parse(server.call('bench', 'source', 'ch01:double/optimized_vector', '--json'));

        same(await page.run(() => document.querySelector('.source pre')), null, 'folded');
        await page.run(() => document.querySelector('.source summary').focus());
        await page.press('Enter');
        await page.seen('AISP_VARIANT');
        check(await page.run(() => location.hash.includes('source=shown')), 'in the address');
        same(await page.run(() => document.querySelector('.source pre').textContent), said.files[0].text, 'the text');
        same(complaints(page), [], 'console');
        await open('#/target/ch02:halve?variant=optimized_vector&source=shown', 'installed without its sources');
    },

    'who is invalid has a reason and no ratio, who is unsure says why': async () => {
        const page = await open('#/target/ch01:double?variant=optimized_wrong', 'Withheld.');

        check(await page.run(() => document.querySelector('.verdict-line').textContent.includes('withheld')), 'no ratio');
        same(await page.run(() => document.querySelectorAll('figure').length), 0, 'no charts of it');
        check(await page.run(() => [...document.querySelectorAll('tr')].find((row) =>
            row.textContent.includes('optimized_wrong') && row.textContent.includes('withheld'))
            .querySelector('.forest-bar') === null), 'no bar in the ladder');
        await page.close();
        const unsure = await open(`#/run/${CHAPTER_RUN}?verdict=UNSURE`, 'Results');
        check(await unsure.run(() => [...document.querySelectorAll('table')].find((table) =>
            table.caption.textContent === 'Results').querySelectorAll('tbody tr').values()
            .every((row) => row.cells.length > 5 && row.cells[row.cells.length - 1].innerText.trim().length > 8)), 'reasons');
    },

    'a slider changes what fits': async () => {
        const page = await open('#/whatif', 'What fits');
        const counts = () => !document.querySelector('.stale') && document.querySelector('[role=status].counts')?.textContent;
        const slider = 'input[type=range]:not(:disabled)';

        await page.set(`.slider:nth-child(2) ${slider}`, 60);
        await page.until(() => location.hash.includes('latency='));
        const first = await page.until(counts);
        await page.set(`.slider:nth-child(2) ${slider}`, 160);
        const second = await page.until((before) => {
            const now = document.querySelector('[role=status].counts')?.textContent;
            return !document.querySelector('.stale') && now !== before && now;
        }, first);
        const fits = (text) => parseInt(text, 10);
        check(fits(second) > fits(first), `more fit a higher limit: ${first} | ${second}`);
        const limit = await page.run(() => new URLSearchParams(location.hash.split('?')[1]).get('latency'));
        same(fits(second), JSON.parse(server.call('bench', 'whatif', '--latency', limit, '--top', '1000', '--json')).n.fits,
            'as the command says');
        await page.run(() => document.querySelector('.slider:nth-child(2) input[type=range]').focus());
        await page.press('ArrowLeft');
        await page.until((before) => new URLSearchParams(location.hash.split('?')[1]).get('latency') !== before, limit);
    },

    'the keyboard reaches everything, and one sees where it is': async () => {
        const page = await open('#/', 'Recent runs');

        await page.press('Tab');
        same(await page.run(() => document.activeElement.textContent), 'Skip to the content', 'first stop');
        check(await page.run(() => document.activeElement.getBoundingClientRect().left >= 0), 'it is seen');
        await page.press('Enter');
        same(await page.run(() => document.activeElement.id), 'main', 'where it leads');
        const reached = new Set();
        for (let i = 0; i < 40; i++) {
            await page.press('Tab');
            const [what, outline] = await page.run(() => [document.activeElement.outerHTML.slice(0, 120),
                getComputedStyle(document.activeElement).outlineStyle]);
            check(outline !== 'none' || what.startsWith('<body'), `no outline: ${what}`);
            reached.add(what);
        }
        check(reached.size > 25, `${reached.size} stops`);
        await page.run(() => document.querySelector('nav a[href="#/targets"]').focus());
        await page.press('Enter');
        await page.seen('Double every element');
        same(await page.run(() => document.activeElement.id), 'main', 'after a link');
        await page.close();
        const narrow = await open('#/', 'Recent runs', { size: 380 });
        await narrow.click('.menu');
        await narrow.click('nav a[href="#/whatif"]');
        await narrow.seen('What fits');
    },

    'the theme can be chosen against the system': async () => {
        const page = await open('#/history?target=ch01:double', 'Rows');
        const back = () => getComputedStyle(document.body).backgroundColor;
        const light = await page.run(back);

        await page.set('.theme select', 'dark');
        await page.until((before) => getComputedStyle(document.body).backgroundColor !== before, light);
        await page.open(`${server.url}/#/`);
        await page.seen('Recent runs');
        check(await page.run(back) !== light, 'it is remembered');
        same(await page.run(contrast), [], 'contrast');
        await page.set('.theme select', '');
        await page.until((before) => getComputedStyle(document.body).backgroundColor === before, light);
    },

    'a run is started, updates live, and is then on every page': async () => {
        const page = await open('#/start?targets=ch02:halve&size=quick&time=2s', 'needs the token');

        check(await page.run(() => document.querySelector('button.primary').disabled), 'not without the token');
        await page.type('input[type=password]', server.token);
        await page.click('form.notice button');
        await page.seen('The token is known');
        await page.click('button.primary:not(:disabled)');
        await page.until(() => location.hash.startsWith('#/job/'));
        await page.seen('calibration first');       /* this store has none: seconds to a minute, as the caches are */
        for (let n = 0; n < 900 && await page.run(() => !document.body.innerText.includes('comparisons')); n++)
            await sleep(100);
        await page.seen('comparisons');
        const steps = new Set();
        await page.until(() => document.querySelector('[role=status].running'));
        for (;;) {
            const state = await page.run(() => [document.querySelector('.now')?.innerText ?? '',
                document.querySelector('.tag[role=status]')?.textContent]);
            steps.add(state[0]);
            if (state[1] === 'done')
                break;
            check(state[1] !== 'failed', 'it failed');
            await sleep(100);
        }
        check(steps.size > 3, `it moved: ${[...steps].join(' | ')}`);
        await page.until(() => document.querySelector('dl.facts a.id'));
        same(await page.run(rows, 'Results'), 1, 'results');
        same(complaints(page), [], 'console');
        await page.click('dl.facts a.id');
        await page.seen('Environment and options');
        const id = await page.run(() => document.querySelector('h1').textContent);
        same(JSON.parse(server.call('bench', 'list-runs', '--json')).runs[0].run, id, 'the newest run');
        await page.open(`${server.url}/#/`);
        await page.until((run) => document.querySelector(`a[title="${run}"]`), id);
    },

    'a run is cancelled': async () => {
        const page = await open('#/start?targets=ch01&time=60s', 'What to measure', { withToken: true });

        await page.click('button.primary:not(:disabled)');
        await page.until(() => document.querySelector('.now'));
        await page.click('button.danger');
        await page.until(() => document.querySelector('.tag[role=status]')?.textContent === 'cancelled');
        same(complaints(page), [], 'console');
    },

    'what others do is seen without asking': async () => {
        const page = await open('#/runs', 'complete');
        const before = await page.run(rows, 'Runs');

        server.call('bench', 'run', '-t', 'ch02:keep', '--quick', '--time-limit', '1s');
        await page.until((n) => document.querySelectorAll('tbody tr').length > n, before);
    },

    /* A browser has six connections to a server. */
    'nine tabs do not starve each other, and one that is looked at again is up to date': async () => {
        const tabs = [];

        for (let i = 0; i < 9; i++)
            tabs.push(await open('#/runs', 'complete'));
        check(await tabs[0].run(() => document.hidden), 'the first is hidden');
        const before = await tabs[0].run(rows, 'Runs');
        server.call('bench', 'run', '-t', 'ch02:keep', '--quick', '--time-limit', '1s');
        await tabs[0].send('Page.bringToFront');
        await tabs[0].until((n) => document.querySelectorAll('tbody tr').length > n, before);
    },

    'the token of the address is kept and taken out of it': async () => {
        const page = await open('#/');

        await page.open(`${server.url}/#token=${server.token}`);
        await page.seen('Recent runs');
        check(!await page.run(() => location.href.includes('token')), 'not in the address');
        same(await page.run(() => sessionStorage.getItem('aisp-token')), server.token, 'kept');
        await page.run(() => { location.hash = '#/validity'; });
        await page.until(() => document.querySelector('#start-audit, .matrix'));
        await page.run(() => document.querySelector('#start-audit')?.click());
        same(await page.until(() => document.querySelectorAll('.matrix a').length), 95, 'issues');
        same([...await page.run(structure), ...await page.run(contrast)], [], 'the matrix');
        await page.run(() => [...document.querySelectorAll('.matrix a')].find((a) => a.textContent === '9').click());
        await page.seen('stale-cache');
    },

    'markup in a record is text': async () => {
        await beside({ withMarkup: true }, async () => {
            const name = encodeURIComponent(MARKUP);
            for (const hash of ['#/', '#/runs', '#/run/latest', '#/targets', '#/target/ch01:double?size=default',
                `#/target/ch01:double?variant=optimized_${name}`, `#/compare?a=${DOUBLE_RUN}&b=latest`,
                    '#/history?target=ch01:double',
                '#/target/ch01:double?variant=optimized_vector&source=shown', `#/target/${name}`,
                    `#/targets?q=${name}&chapter=${name}`, '#/whatif?latency=9', '#/pareto', '#/stacking',
                    `#/job/${name}`,
                `#/${name}`]) {
                const page = await open(hash);
                await page.until(() => document.querySelector('h1'));
                await sleep(400);
                same(await page.run(() => [window.pwned ?? null, document.images.length, document.scripts.length]), [null, 0,
                    1], hash);
                await page.close();
                opened.delete(page);
            }
            const page = await open('#/run/latest', 'onerror');
            check(await page.run((markup) => document.body.innerText.includes(markup), MARKUP), 'it is shown as it is');
            const code = await open('#/target/ch01:double?variant=optimized_vector&source=shown', 'AISP_VARIANT');
            check(await code.run((markup) => document.querySelector('.source pre').textContent
                .includes(`</pre></details>${markup}`), MARKUP), 'and so is a source');
        });
    },

    'an empty store says how to fill it': async () => {
        await beside({ isEmpty: true }, async () => {
            for (const hash of ['#/', '#/runs', '#/whatif', '#/pareto', '#/history?target=ch01:double', '#/target/ch01:double',
                '#/compare'])
                await open(hash, 'nothing was recorded here yet');
            const page = await open('#/targets', 'Double every element');
            same(await page.run(structure), [], 'structure');
        });
    },

    'from elsewhere the token is asked for before anything': async () => {
        await beside({ listen: ['--listen', '0.0.0.0'] }, async () => {
            const page = await open('#/runs', 'Whoever asks this server');
            await page.type('input[type=password]', 'not it');
            await page.click('form button');
            await page.seen('That was not it');
            await page.type('input[type=password]', server.token);
            await page.click('form button');
            await page.seen('complete');
            same([...await page.run(structure), ...await page.run(contrast)], [], 'structure');
        });
    },

    'an answer that does not come is said': async () => {
        let page;

        await beside({}, async () => {
            page = await open('#/runs', 'complete');
        });
        await page.run(() => { location.hash = '#/stacking'; });
        await page.seen('the server does not answer');
    },
};

server = await Server.start(build, source).catch((error) => {
    if (!/built without libmicrohttpd/.test(error.message))
        throw error;
    console.log(`browser: ${error.message}`);
    process.exit(77);
});
browser = await Chromium.start();
let failed = 0;
for (const [name, test] of Object.entries(tests).filter(([name]) => !wanted.length || wanted.some((part) =>
    name.includes(part)))) {
    const from = Date.now();
    try {
        await test();
        console.log(`ok      ${name} (${Date.now() - from} ms)`);
    } catch (error) {
        failed++;
        console.log(`FAILED  ${name}\n        ${error.message}`);
    }
    for (const page of opened)
        await page.close().catch(() => {});
    opened.clear();
}
await browser.stop();
check(await server.stop() === 0, 'dashboard serve ends well');
process.exit(failed ? 1 : 0);
