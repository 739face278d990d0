/* server.mjs - a real `aisp dashboard serve` over a store of its own: the recorded runs of tests/recorded, and, for who asks, one
 * in whose texts somebody left markup. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const MARKUP = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
const RECORDED_RUN = '20261128T140156Z-4d9837', MARKED_RUN = '20261128T150000Z-bad000';

/* A recorded run again, an hour later, with markup wherever a text is free. */
function marked(source) {
    const lines = readFileSync(source, 'utf8').trim().split('\n').map((line) => JSON.parse(line))
        .filter((line) => line.kind === 'aisp-export' || (line.run ?? line.manifest?.run) === RECORDED_RUN)
        .map((line) => JSON.parse(JSON.stringify(line).replaceAll(RECORDED_RUN, MARKED_RUN)));

    for (const { kind, manifest, result } of lines) {
        if (kind === 'run')
            manifest.environment.cpu_model = MARKUP;
        if (kind !== 'result')
            continue;
        Object.assign(result, { variant: `optimized_${MARKUP}`, idea: MARKUP, reason: MARKUP, reasons: [MARKUP] });
        result.findings = result.findings.map((finding) => ({ ...finding, text: MARKUP, check: MARKUP }));
    }
    return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/* The targets of the screen's tests, with a source where one of them was built from one; and markup in it. */
function copyTargets(build, source, folder, withMarkup) {
    const sources = join(folder, 'sources'), text = readFileSync(join(source, 'tests/tui/targets/variant.c'), 'utf8');

    cpSync(join(build, 'tui-targets'), join(folder, 'targets'), { recursive: true });
    mkdirSync(sources);
    writeFileSync(join(sources, 'optimized_vector.c'), withMarkup ? `/* ${MARKUP}</pre></details>${MARKUP} */\n${text}` : text);
    writeFileSync(join(folder, 'targets/ch01/double/SOURCE'), `${sources}\n${join(source, 'include')}\n`);
}

export class Server {
    static async start(build, source, { withMarkup = false, isEmpty = false, listen = [] } = {}) {
        const self = new Server();

        self.folder = mkdtempSync(join(tmpdir(), 'aisp-ui-'));
        self.aisp = join(build, 'aisp');
        copyTargets(build, source, self.folder, withMarkup);
        self.options = ['--artifacts-dir', join(self.folder, 'artifacts'), '--bench-root', join(self.folder, 'targets')];
        for (const name of isEmpty ? [] : ['screen', 'analysis'])
            self.call('store', 'import', join(source, 'tests/recorded', name, 'store.jsonl'));
        if (withMarkup) {
            writeFileSync(join(self.folder, 'marked.jsonl'), marked(join(source, 'tests/recorded/screen/store.jsonl')));
            self.call('store', 'import', join(self.folder, 'marked.jsonl'));
        }
        await self.serve(listen);
        return self;
    }

    call(...words) {
        return execFileSync(this.aisp, [...words, ...this.options], { encoding: 'utf8', env: environment() });
    }

    /* The address stands in what it says first, with the token behind it. */
    serve(listen) {
        this.process = spawn(this.aisp, ['dashboard', 'serve', '--port', '0', ...listen, ...this.options], { stdio: ['ignore',
            'pipe',
            'pipe'], env: environment() });
        return new Promise((resolve, reject) => {
            let said = '';
            const listen = (text) => {
                const m = /(http:\/\/\S+?)\/#token=(\S+)/.exec(said += text);
                if (m) {
                    [, this.url, this.token] = m;
                    resolve();
                }
            };
            this.process.stdout.setEncoding('utf8').on('data', listen);
            this.process.stderr.setEncoding('utf8').on('data', listen);
            this.process.on('exit', (code) => reject(new Error(`dashboard serve ended with ${code}: ${said}`)));
        });
    }

    async stop() {
        this.process.removeAllListeners('exit');
        const ended = new Promise((done) => this.process.once('exit', done));
        this.process.kill('SIGTERM');
        const code = await ended;
        rmSync(this.folder, { recursive: true, force: true });
        return code;
    }
}

/* A test's store is its own, wherever the user keeps theirs. */
function environment() {
    const { AISP_STORE, ...rest } = process.env;
    return rest;
}
