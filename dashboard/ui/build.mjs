/* build.mjs - src/ -> dist/index.html, one file that needs nothing else, and dist/SHA256SUMS, by which tests/lint/ui_dist.sh sees
 * that somebody forgot to build it again.
 *   npm install && npm run build
 * The result is committed: building aisp needs no Node. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const LIMIT_GZIP_BYTES = 200 * 1024;
const here = new URL('.', import.meta.url).pathname;

async function bundle(entry, loader) {
    const made = await build({ entryPoints: [here + entry], bundle: true, minify: true, write: false, legalComments: 'none',
        target: ['chrome109', 'firefox115', 'safari16'], format: loader === 'js' ? 'iife' : undefined, logLevel: 'warning',
        absWorkingDir: here });

    return made.outputFiles[0].text.trim();
}

const script = await bundle('src/main.js', 'js');
const style = await bundle('src/style.css', 'css');
if (/<\/script/i.test(script) || /<\/style/i.test(style))
    throw new Error('the bundle would end its own element');

/* Functions, for a `$&` in the text must not be taken for a pattern. */
const page = readFileSync(here + 'src/index.html', 'utf8')
    .replace('/*STYLE*/', () => style)
    .replace('/*SCRIPT*/', () => script);
const size = gzipSync(page, { level: 9 }).length;
if (size > LIMIT_GZIP_BYTES)
    throw new Error(`dist/index.html is ${size} bytes in gzip; ${LIMIT_GZIP_BYTES} are allowed`);
writeFileSync(here + 'dist/index.html', page);

const sources = readdirSync(here + 'src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.replace(/\/+/g, '/').slice(here.length))
    .concat('build.mjs', 'package.json', 'dist/index.html')
    .sort();
const sum = (file) => createHash('sha256').update(readFileSync(here + file)).digest('hex');
writeFileSync(here + 'dist/SHA256SUMS', sources.map((file) => `${sum(file)}  ${file}\n`).join(''));
console.log(`dist/index.html: ${page.length} bytes, ${size} in gzip`);
