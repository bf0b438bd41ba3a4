// The compiled library answers as the program does: the same text for every expression of the table of operations, of the
// recorded answers and of these with other numbers in them, COUNT in all. The page takes less than 1.1 MB over the wire.
// usage: node parity.mjs TESSERA PLAYGROUND TESTS COUNT
import {execFileSync} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {gzipSync} from 'node:zlib';

const [tessera, page, tests, count] = process.argv.slice(2);
const require = createRequire(import.meta.url);
globalThis.loadTessera = require(join(resolve(page), 'tessera.js'));
const engine = require(join(resolve(page), 'engine.js'));
await engine.start();

const all = new Set([...engine.table.operations.map(op => op.example), ...engine.table.gallery.map(row => row.expression)]);
const recorded = ['conformance', 'tile'].flatMap(folder => readdirSync(join(tests, folder)).filter(name => name.endsWith('.tsv'))
  .flatMap(name => readFileSync(join(tests, folder, name), 'utf8').split('\n').map(line => line.split('\t')[0])
    .filter(text => text.trim() && text.trim()[0] !== '#')));
// Every n-th line, and the same with its k-th number another one, from a generator with a fixed seed.
let seed = 17;
const random = n => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 8) % n;
const every = Math.max(1, Math.floor(2 * recorded.length / count));
for (let i = 0; i < recorded.length && all.size < count; i += every) all.add(recorded[i]);
for (let tries = 0; all.size < count && tries < 20 * count; ++tries) {
  const text = recorded[random(recorded.length)], numbers = [...text.matchAll(/(?<!\w|\w:)_?\d+(?!\w)/g)];
  if (numbers.length === 0) continue;
  const at = numbers[random(numbers.length)], now = (at[0][0] === '_' ? '_' : '') + random(9);
  all.add(text.slice(0, at.index) + now + text.slice(at.index + at[0].length));
}

const expressions = [...all];
const said = ['', '--static'].map(option => {
  let text;
  try {
    text = execFileSync(tessera, ['eval', ...(option ? [option] : []), '-'],
      {input: expressions.join('\n') + '\n', maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'ignore']});
  } catch (error) { // the status 1 says that some were refused
    text = error.stdout;
  }
  return text.toString().split('\n');
});
let failed = 0, refused = 0, lines = 0;
said.forEach((answers, flags) => {
  let at = 0;
  for (const expression of expressions) {
    const {ok, text} = engine.evaluate(expression, flags), wanted = (ok ? '' : 'error: ') + text, n = wanted.split('\n').length;
    const program = answers.slice(at, at + n).join('\n');
    at += n;
    ++lines;
    refused += !ok;
    if (program !== wanted && ++failed < 10) console.log(`${expression}\n  program ${program}\n  page    ${wanted}`);
    if (failed) break; // lines no longer stand side by side
  }
});
const wire = readdirSync(page).reduce((sum, name) => sum + gzipSync(readFileSync(join(page, name))).length, 0);
console.log(`${expressions.length} expressions, ${lines} answers, ${refused} refusals, ${failed} differ; ${wire} bytes over the wire`);
process.exit(failed || expressions.length < count || wire > 1.1e6 ? 1 : 0);
