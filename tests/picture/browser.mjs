// The pictures in a real browser: hovering, isolating and stepping on a page, and the texts of every picture of the
// gallery, by the boxes that the browser gives them. Needs chromium; exits with 77 without.
// usage: node browser.mjs TESSERA DOCS [EVERY]: one of EVERY pictures is measured
import {execFileSync} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {events, open, run, scratch, send, withPage} from './chromium.mjs';

const [tessera, docs, every = 1] = process.argv.slice(2);

let checks = 0, failed = 0;
const check = (ok, what) => { ++checks; if (!ok) { ++failed; console.log(what); } };
const file = path => open(pathToFileURL(path).href);
const mouse = (type, x, y) => send('Input.dispatchMouseEvent', {type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', clickCount: 1});
// The middle of a cell in the window.
const middle = (panel, row, column) => run(`(() => { const {picture, svg} = explorer, p = picture.panels[${panel}], m = svg.getScreenCTM();
  const q = new DOMPoint(p.x + (${column} + .5) * picture.cell_width, p.y + (${row} + .5) * picture.cell_height).matrixTransform(m);
  return [q.x, q.y]; })()`);

async function pages() {
  const page = (name, ...expression) => {
    const path = join(scratch, name);
    execFileSync(tessera, ['show', '-o', path, ...expression]);
    return path;
  };
  await file(page('mma.html', 'SM80_16x8x8_F32F16F16F32_TN'));
  let [x, y] = await middle(2, 1, 2);
  await mouse('mouseMoved', x, y);
  let text = await run("document.getElementById('cell').innerText");
  check(/coordinate\s*\(1,2\)/.test(text) && /T5 V0/.test(text), 'hover tells coordinate and owner: ' + text);
  check(await run("document.querySelectorAll('#hot rect').length") === 10, 'hover frames all that thread 5 holds: 4 of A, 2 of B, 4 of C');
  await mouse('mousePressed', x, y);
  await mouse('mouseReleased', x, y);
  check(await run("document.getElementById('thread').value") === '5', 'a click isolates the thread');
  check(await run("document.querySelectorAll('#veil rect').length") === 128 + 64 + 128 - 10, 'all other cells are veiled');
  await run("document.getElementById('all').click()");
  check(await run("document.querySelectorAll('#veil rect').length") === 0, 'all threads again');
  await run("explorer.svg.focus()");
  for (const key of ['ArrowLeft', 'ArrowDown', 'Enter'])
    await send('Input.dispatchKeyEvent', {type: 'keyDown', key, ...(key === 'Enter' ? {windowsVirtualKeyCode: 13} : {})});
  text = await run("document.getElementById('cell').innerText");
  check(/coordinate\s*\(2,1\)/.test(text), 'arrow keys go from cell to cell: ' + text);
  check(await run("document.getElementById('thread').value") === '8', 'Enter isolates the thread');

  await file(page('composition.html', 'composition((6,2):(8,2), (4,3):(3,1))'));
  await run("document.getElementById('next').click(); document.getElementById('next').click()");
  check(await run("document.getElementById('at').textContent") === '2 of 12', 'two steps');
  check(await run("document.querySelectorAll('#steps rect').length") === 3, 'a step frames the cell of A, of B and of the result');
  text = await run("document.getElementById('cell').innerText");
  check(/offset\s*8/.test(text) && /bits\s*0b1000/.test(text) && /bank\s*8/.test(text), 'a step tells offset, bits and bank: ' + text);
  await run("document.getElementById('back').click()");
  check(await run("document.getElementById('at').textContent") === '1 of 12', 'a step back');
  check(await run("document.getElementById('thread').disabled"), 'nothing to isolate without threads');

  await file(page('brackets.html', 'upcast<4>((_32,_8):(_1,_32))'));
  check(await run('document.title') === 'upcast<4>((_32,_8):(_1,_32))', 'a title with angle brackets is text');
}

// Texts inside the drawing, and no two on each other, by the browser's own boxes.
const measure = `(() => {
  const svg = document.documentElement, view = svg.viewBox.baseVal, wrong = [];
  const boxes = [...svg.querySelectorAll('text')].map(t => { const b = t.getBBox(), m = t.getCTM().translate(0, 0);
    const o = svg.getCTM().inverse().multiply(m); const h = b.height * .5;
    return {l: b.x + o.e, r: b.x + o.e + b.width, t: b.y + o.f + b.height * .25, b: b.y + o.f + b.height * .25 + h, s: t.textContent}; });
  for (const b of boxes) if (b.l < -1 || b.r > view.width + 1 || b.t < -1 || b.b > view.height + 1) wrong.push('clipped: ' + b.s);
  boxes.sort((a, b) => a.l - b.l);
  for (let i = 0; i < boxes.length; ++i)
    for (let k = i + 1; k < boxes.length && boxes[k].l < boxes[i].r - 1; ++k)
      if (boxes[k].t < boxes[i].b && boxes[i].t < boxes[k].b) wrong.push('overlap: ' + boxes[i].s + ' and ' + boxes[k].s);
  return [boxes.length, wrong.slice(0, 3)];
})()`;

async function gallery() {
  let texts = 0;
  const files = readdirSync(join(docs, 'gallery')).filter((name, i) => name.endsWith('.svg') && i % every === 0);
  for (const name of files) {
    await file(join(resolve(docs), 'gallery', name));
    const [n, wrong] = await run(measure);
    texts += n;
    check(n > 0 && wrong.length === 0, name + ': ' + wrong.join('; '));
  }
  return [files.length, texts];
}

await withPage(async () => {
  await pages();
  const [pictures, texts] = await gallery();
  check(!events.some(e => e.method === 'Runtime.exceptionThrown'), 'a script failed');
  const loaded = events.filter(e => e.method === 'Network.requestWillBeSent').map(e => e.params.request.url);
  check(!loaded.some(url => /^(http|ws)/.test(url)), 'something was loaded from elsewhere');
  console.log(`${pictures} pictures with ${texts} texts, ${checks} checks, ${failed} failed`);
});
process.exit(failed ? 1 : 0);
