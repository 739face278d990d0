/* chromium.mjs - a headless Chromium driven through its own protocol, over a pipe: no driver program, no package, no socket.
 * Not here: what is asked of the page (pages.mjs). */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];
const PATIENCE_MS = 10000;
/* Root has no namespaces of its own in most containers, and the pages are ours. */
const OPTIONS = ['--headless=new', '--remote-debugging-pipe', '--no-first-run', '--disable-gpu', '--disable-dev-shm-usage',
    '--hide-scrollbars',
    '--disable-extensions', '--disable-background-networking', '--disable-component-update', '--disable-sync',
        '--no-default-browser-check',
    ...(process.getuid() === 0 ? ['--no-sandbox'] : [])];

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export class Chromium {
    static async start(program = process.env.CHROMIUM ?? PROGRAMS[0]) {
        const self = new Chromium();

        self.profile = mkdtempSync(join(tmpdir(), 'aisp-browser-'));
        self.process = spawn(program, [...OPTIONS, `--user-data-dir=${self.profile}`, 'about:blank'],
            { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
        self.process.on('error', (error) => self.fail(error));
        self.process.on('exit', () => self.fail(new Error('Chromium ended')));
        self.waiting = new Map();
        self.listeners = new Map();
        self.n = 0;
        self.rest = '';
        self.process.stdio[4].setEncoding('utf8').on('data', (text) => self.take(text));
        await self.send('Browser.getVersion');
        return self;
    }

    fail(error) {
        for (const { reject } of this.waiting?.values() ?? [])
            reject(error);
    }

    take(text) {
        const messages = (this.rest + text).split('\0');

        this.rest = messages.pop();
        for (const one of messages.map((message) => JSON.parse(message))) {
            if (one.id) {
                const { resolve, reject, method } = this.waiting.get(one.id);
                this.waiting.delete(one.id);
                if (one.error)
                    reject(new Error(`${method}: ${one.error.message}`));
                else
                    resolve(one.result);
            } else {
                this.listeners.get(one.sessionId)?.(one.method, one.params);
            }
        }
    }

    send(method, params = {}, sessionId = undefined) {
        const id = ++this.n;

        this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, method }));
    }

    async page(width = 1280, height = 900) {
        const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
        const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
        const page = new Page(this, sessionId, targetId);

        this.listeners.set(sessionId, (method, params) => page.event(method, params));
        for (const domain of ['Page', 'Runtime', 'Log', 'Network'])
            await page.send(`${domain}.enable`);
        await page.size(width, height);
        return page;
    }

    async stop() {
        const ended = new Promise((done) => this.process.once('exit', done));

        this.process.removeAllListeners('exit');
        this.process.once('exit', () => {});
        this.send('Browser.close').catch(() => {});
        if (await Promise.race([ended.then(() => false), sleep(3000).then(() => true)]))
            this.process.kill('SIGKILL');
        rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
    }
}

class Page {
    constructor(browser, session, target) {
        Object.assign(this, { browser, session, target, errors: [], requests: [] });
    }

    send(method, params) {
        return this.browser.send(method, params, this.session);
    }

    close() {
        return this.browser.send('Target.closeTarget', { targetId: this.target });
    }

    /* What a console shows in red, and every address that was asked for. */
    event(method, params) {
        if (method === 'Runtime.exceptionThrown')
            this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        else if (method === 'Runtime.consoleAPICalled' && ['error', 'assert', 'warning'].includes(params.type))
            this.errors.push(params.args.map((arg) => arg.value ?? arg.description).join(' '));
        else if (method === 'Log.entryAdded' && params.entry.level === 'error')
            this.errors.push(`${params.entry.text} ${params.entry.url ?? ''}`);
        else if (method === 'Network.requestWillBeSent')
            this.requests.push(params.request.url);
    }

    size(width, height) {
        return this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    }

    scheme(name) {
        return this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: name }] });
    }

    /* A new document, whatever was there before. */
    async open(url) {
        await this.send('Page.navigate', { url: 'about:blank' });
        await this.send('Page.navigate', { url });
        await this.until(() => document.readyState === 'complete' && location.href !== 'about:blank');
    }

    /* A function of the page, with arguments that JSON can say. */
    async run(f, ...args) {
        const expression = `(${f})(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;
        const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true,
            returnByValue: true });

        if (exceptionDetails)
            throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    /* The first true value of a function; what it saw last is in the error. */
    async until(f, ...args) {
        const end = Date.now() + PATIENCE_MS;

        for (;;) {
            const value = await this.run(f, ...args).catch(() => null);
            if (value)
                return value;
            if (Date.now() > end)
                throw new Error(`waited in vain for ${f} ${JSON.stringify(args)}`);
            await sleep(30);
        }
    }

    seen(text) {
        return this.until((needle) => document.body?.innerText.includes(needle), text);
    }

    /* As a user does: where the element is, with the mouse. */
    async click(selector) {
        const at = await this.until((s) => {
            const element = document.querySelector(s);
            element?.scrollIntoView({ block: 'center' });
            const box = element?.getBoundingClientRect();
            return box?.width > 0 && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        }, selector);

        for (const type of ['mousePressed', 'mouseReleased'])
            await this.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 });
    }

    async type(selector, text) {
        await this.click(selector);
        await this.run((s) => document.querySelector(s).select?.(), selector);
        await this.send('Input.insertText', { text });
    }

    async press(key, code = key, modifiers = 0) {
        const windowsVirtualKeyCode = { Tab: 9, Enter: 13, Escape: 27, ' ': 32, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39,
            ArrowDown: 40, Home: 36, End: 35 }[key];
        const text = key === 'Enter' ? '\r' : key === ' ' ? ' ' : undefined;

        await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, modifiers, windowsVirtualKeyCode, text });
        await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, modifiers, windowsVirtualKeyCode });
    }

    /* A choice in a list, or a slider's place, as its own events tell it. */
    set(selector, value) {
        return this.until((s, v) => {
            const element = document.querySelector(s);
            if (!element || element.disabled)
                return false;
            Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value').set.call(element, v);
            element.dispatchEvent(new Event('input', { bubbles: true }));
            element.dispatchEvent(new Event('change', { bubbles: true }));
            return true;
        }, selector, value);
    }

    async screenshot(isWhole = false) {
        const { data } = await this.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: isWhole });
        return Buffer.from(data, 'base64');
    }
}
