// What the book's pages open in the playground are expressions and exercises of it.
// usage: node book.mjs SITE_FOLDER
import {readFileSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';

const site = resolve(process.argv[2]), page = join(site, 'playground');
globalThis.loadTessera = createRequire(import.meta.url)(join(page, 'tessera.js'));
const engine = createRequire(import.meta.url)(join(page, 'engine.js'));
const {exercises} = new Function(readFileSync(join(page, 'exercises.js'), 'utf8') + 'return {exercises};')();
await engine.start();

let links = 0, wrong = 0;
for (const folder of ['docs', 'docs/book']) {
  for (const name of readdirSync(join(site, folder)).filter(name => name.endsWith('.html'))) {
    const text = readFileSync(join(site, folder, name), 'utf8');
    for (const [, address] of text.matchAll(/playground\/index\.html#([^"]*)"/g)) {
      const state = new URLSearchParams(address.replaceAll('&amp;', '&')), e = state.get('e'), x = state.get('x');
      const good = x ? exercises[x] : engine.evaluate(e, engine.SHAPES | (state.get('s') === '0' ? 0 : engine.STATIC)).at < 0;
      ++links;
      if (good) continue;
      ++wrong;
      console.log(`${folder}/${name} opens ${e ?? 'exercise ' + x}, which is none`);
    }
  }
}
console.log(`${links} links, ${wrong} wrong`);
process.exit(wrong > 0 || links < 200 ? 1 : 0);
