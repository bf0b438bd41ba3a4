// The playground in a real browser: every picture of the gallery and every example of the table, typing, completing, repairing,
// dragging, stepping, the address, the finders, and its look in ten states. Needs chromium; exits with 77 without.
// usage: node browser.mjs PLAYGROUND [FOLDER]: where screenshots of the states go
import {readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {features, gallery, galleryFault} from './gallery.mjs';
import {events, open, run, scratch, send, withPage} from '../picture/chromium.mjs';

const [folder, shots] = process.argv.slice(2);
const page = pathToFileURL(join(resolve(folder), 'index.html')).href;
let checks = 0, failed = 0, shot = 0;
const check = (ok, what) => { ++checks; if (!ok) { ++failed; console.log(what); } };
const text = selector => run(`document.querySelector(${JSON.stringify(selector)}).innerText`);
const value = id => run(`document.getElementById('${id}').value`);
const key = (key, code = 0) => send('Input.dispatchKeyEvent', {type: 'keyDown', key, windowsVirtualKeyCode: code})
  .then(() => send('Input.dispatchKeyEvent', {type: 'keyUp', key, windowsVirtualKeyCode: code}));
const insert = text => send('Input.insertText', {text});

/** The page at an address, ready. */
async function visit(state) {
  await open('about:blank');
  await open(page + '#' + new URLSearchParams(state));
  for (let i = 0; i < 200 && !await run('document.body.dataset.ready'); ++i) await new Promise(r => setTimeout(r, 20));
  return Number(await run('document.body.dataset.ready'));
}
/** Nothing stands out of the window; a screenshot, where they are wanted. */
async function look(name, {dark = false, width = 1280, height = 900} = {}) {
  await send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: width < 600});
  await send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]});
  const wide = await run('document.documentElement.scrollWidth');
  check(wide <= width, `${name}: ${wide} pixels wide in a window of ${width}`);
  const names = await run(`[...document.querySelectorAll('input,select,textarea,button,[role=spinbutton]')].filter(e =>
    !(e.labels && e.labels.length) && !e.getAttribute('aria-label') && !e.textContent.trim()).map(e => e.outerHTML)`);
  check(names.length === 0, `${name}: controls without a name: ${names.join(' ')}`);
  if (!shots) return;
  const {data} = await send('Page.captureScreenshot', {format: 'png', captureBeyondViewport: false});
  writeFileSync(join(shots, `${String(++shot).padStart(2, '0')}_${name}.png`), Buffer.from(data, 'base64'));
}

async function typing() {
  await visit({e: 'x'});
  await run("document.getElementById('expression').select()");
  await insert('coales');
  check(await run("document.getElementById('names').children.length") > 0, 'names are offered');
  await key('ArrowDown');
  await look('completion');
  await key('Enter', 13);
  check(await value('expression') === 'coalesce(', 'a name is taken: ' + await value('expression'));
  await insert('(_2,(_1,_6)):(_1,(_6,_2)))');
  check(/layout 12:1/.test(await text('#said')), 'its value: ' + await text('#said'));
  check(await run("new URLSearchParams(location.hash.slice(1)).get('e')") === 'coalesce((_2,(_1,_6)):(_1,(_6,_2)))', 'the address');
  check(/law: R\(i\) = L\(i\)/.test(await text('#help')), 'the law of the operation');

  await run("app.change({e: 'compositon((6,2):(8,2), (4,3):(3,1))'})");
  await look('mistyped');
  check(/did you mean/.test(await text('#said')), 'a mistyped name: ' + await text('#said'));
  await run("document.querySelector('#said button').click()");
  check(await value('expression') === 'composition((6,2):(8,2), (4,3):(3,1))', 'it is repaired');
  check(/\(\(2,2\),3\):\(\(24,2\),8\)/.test(await text('#said')), 'and has a value');

  await run("document.querySelector('#numbers .number').focus()");
  await key('ArrowUp');
  check((await value('expression')).startsWith('composition((7,2)'), 'a key changes a number');
  check(await run("document.activeElement.textContent") === '7', 'and the handle keeps the focus');
  const [x, y] = await run(`(() => { const b = document.querySelectorAll('#numbers .number')[4].getBoundingClientRect();
    return [b.x + b.width / 2, b.y + b.height / 2]; })()`);
  for (const [type, dx] of [['mouseMoved', 0], ['mousePressed', 0], ['mouseMoved', 25], ['mouseReleased', 25]])
    await send('Input.dispatchMouseEvent', {type, x: x + dx, y, button: 'left', buttons: 1, clickCount: 1});
  check((await value('expression')).includes('(6,3):(3,1)'), 'dragging changes a number: ' + await value('expression'));
}

async function parts() {
  await visit({e: 'composition((6,2):(8,2), (4,3):(3,1))', n: '3', s: '0'}); // of numbers that are not known
  check(await run("document.querySelectorAll('#steps rect').length") === 3, 'a step of the address');
  await run("document.getElementById('next').click()");
  check(/n=4/.test(await run('location.hash')), 'a step goes to the address');
  await run("for (const d of document.querySelectorAll('details')) d.open = true");
  await new Promise(r => setTimeout(r, 50));
  check(/law: R\(c\) = A\(B\(c\)\)/.test(await text('#explained')), 'explained as by the program');
  check(/make_layout\(make_shape\(make_shape\(2, 2\), make_shape\(3, 1\)\)/.test(await text('#sources')), 'CuTe\'s source');
  await run("document.querySelector('#swizzles form').requestSubmit()");
  check(/^Sw<3,3,3> o _0 o /.test(await value('expression')), 'a swizzle is found: ' + await value('expression'));
  await look('swizzle');
  await run("document.querySelector('#tensor-map form').requestSubmit()");
  check(/tensor map/.test(await text('#said')), 'a tensor map: ' + await text('#said'));
  check(await run("document.querySelectorAll('#atoms li').length") > 0, 'instructions are listed');
  await run("document.querySelector('#atoms li button').click()");
  check(/MMA atom/.test(await text('#said')), 'an instruction: ' + await text('#said'));
  await visit({e: 'coalesce(flatten(((2,4),(2,2)):((1,4),(2,16))))', s: '0'});
  await run("document.getElementById('steps-part').open = true; document.querySelector('#trace button').click()");
  check(await run("document.querySelector('#figure svg title').textContent") === 'flatten(((2,4),(2,2)):((1,4),(2,16)))', 'the picture of a step');
}

/** By keys alone, and as a screen reader has it: whatever can be reached has a name and a role, and what changes is told. */
async function keyboard() {
  await visit({e: 'SM80_16x8x16_F32F16F16F32_TN'});
  await run("document.getElementById('expression').focus()");
  const at = () => run("document.activeElement.tagName");
  for (let i = 0; i < 40 && await at() !== 'svg'; ++i) await key('Tab', 9);
  check(await at() === 'svg', 'the picture is reached by Tab');
  for (let i = 0; i < 3; ++i) await key('ArrowDown', 40);
  check(/coordinate\n\(2,0\)/.test(await text('#cell')), 'arrow keys go from cell to cell: ' + await text('#cell'));
  await key('Enter', 13);
  const [, owner] = /held by\nT(\d+)/.exec(await text('#cell')) || [];
  check(owner && await value('thread') === owner && await run("document.querySelectorAll('#veil rect').length") > 100,
    `Enter isolates thread ${owner}: ${await value('thread')}`);
  await key('Escape', 27);
  check(await value('thread') === '', 'Escape shows all');
  await key('Tab', 9);
  await key('Tab', 9);
  await key('Tab', 9);
  await key('ArrowRight', 39);
  check(/n=0/.test(await run('location.hash')), 'the steps are reached by Tab');
  check(await run("['said', 'cell'].every(id => document.getElementById(id).ariaLive === 'polite')"), 'what changes is told');

  const {nodes} = await send('Accessibility.getFullAXTree'), words = node => (node.name && node.name.value) || '';
  const focusable = nodes.filter(n => !n.ignored && (n.properties || []).some(p => p.name === 'focusable' && p.value.value));
  const silent = focusable.filter(n => !words(n)).map(n => n.role.value);
  check(focusable.length > 20 && silent.length === 0, `of ${focusable.length} places these have no name: ${silent.join(' ')}`);
  const image = nodes.find(n => !n.ignored && ['image', 'img'].includes(n.role.value));
  check(image && words(image).startsWith('SM80_16x8x16'), 'the picture has a name: ' + (image && words(image)));
}

/** Texts of other systems, as an expression and in every system's words; sizes with names. */
async function bridges() {
  const triton = '#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [], block = []}>';
  const write = (form, name, value) => run(`(() => { const field = document.querySelector('#${form} form').elements['${name}'];
    field.value = ${JSON.stringify(value)}; field.dispatchEvent(new Event('input', {bubbles: true})); return 0; })()`);
  await visit({e: '(4,8):(8,1)'});
  await run("document.getElementById('bridges').open = true");
  await new Promise(r => setTimeout(r, 50));
  check(/shape=\(4, 8\), strides=\(32, 4\)/.test(await text('#bridges')), 'the expression in other words: ' + await text('#bridges'));
  await write('bridges', 'text', triton);
  check(/^ttg: linear\{register=\(\(0,1\)\)/.test(await text('#bridges [role=status]')), 'Triton is read: ' + await text('#bridges [role=status]'));
  check(/T\.Fragment\(\[2, 4\]/.test(await text('#bridges dl')), 'and written for TileLang: ' + await text('#bridges dl'));
  await run("document.querySelector('#bridges form').requestSubmit()");
  check(/^linear\{register/.test(await value('expression')), 'it is an expression: ' + await value('expression'));
  await write('bridges', 'text', 'aBcd16b');
  check(/the shape of the tensor is needed/.test(await text('#bridges [role=status]')), 'a refusal: ' + await text('#bridges [role=status]'));
  await write('bridges', 'shape', '(2,32,7,7)');
  check(/^onednn: \(2,\(16,2\),7,7\)/.test(await text('#bridges [role=status]')), 'its shape: ' + await text('#bridges [role=status]'));
  await run("document.getElementById('named').open = true");
  await new Promise(r => setTimeout(r, 50));
  check(await text('#named [role=status]') === '((128,32),(M/128,K/32)):((K,1),(128*K,32)) if M % 128 == 0 && K % 32 == 0',
    'sizes with names: ' + await text('#named [role=status]'));
  check(/static inline int guards/.test(await text('#named dl')), 'the guards as code: ' + await text('#named dl'));
  await write('named', 'expression', 'coalesce((M,');
  check(/at character 12/.test(await text('#named [role=status]')), 'an error: ' + await text('#named [role=status]'));
  await look('bridges');
}

/** Two layouts side by side, banks in the cells, and the value in other languages. */
async function views() {
  const cells = () => run("[...document.querySelectorAll('#figure svg text')].map(e => e.textContent).join(' ')");
  await visit({e: '(4,8):(8,1)', d: 'Sw<2,1,3> o _0 o (4,8):(8,1)'});
  check(/16 of 32 offsets differ/.test(await cells()), 'what differs is said: ' + await cells());
  await visit({e: '(8,32):(32,1)', l: 'bank', b: 'f32'});
  check(/31 0 1/.test(await cells()) && !/255/.test(await cells()), 'cells show banks');
  await visit({e: '(_4,(2,_3)):(_1,(12,_4))', s: '0'});
  await run("document.getElementById('export').open = true");
  const sources = await text('#sources');
  for (const [what, words] of Object.entries({C: 'tsr_make_layout(tsr_t(tsr_s(4), tsr_t(2, tsr_s(3))), tsr_t(tsr_s(1), tsr_t(12, tsr_s(4))))',
    CuTe: 'make_layout(make_shape(Int<4>{}, make_shape(2, Int<3>{})), make_stride(Int<1>{}, make_stride(12, Int<4>{})))',
    Python: 'L("(_4,(2,_3)):(_1,(12,_4))")'}))
    check(sources.includes(words), `in ${what}: ${sources}`);
}

/** Every button of the exports makes its file. */
async function exports() {
  const begins = {svg: '<svg', png: '\x89PNG', tex: '% (4,8):(8,1)\n\\documentclass', html: '<!DOCTYPE html>', json: '{"title"', unicode: ''};
  await send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: scratch});
  await visit({e: '(4,8):(8,1)', s: '0'});
  for (const [as, first] of Object.entries(begins)) {
    const path = join(scratch, 'tessera.' + (as === 'unicode' ? 'txt' : as));
    let bytes = '';
    await run(`document.querySelector('[data-as=${as}]').click()`);
    for (let i = 0; i < 150 && bytes === ''; ++i) {
      await new Promise(r => setTimeout(r, 20));
      try { bytes = readFileSync(path, 'latin1'); } catch { bytes = ''; }
    }
    check(bytes !== '' && bytes.startsWith(first), `the file ${path} begins with ${bytes.slice(0, 20)}`);
  }
}

async function states() {
  await visit({e: 'zipped_divide((_8,_8):(_8,_1), <_2,_4>)'});
  await look('divide');
  await look('divide_dark', {dark: true});
  await look('divide_phone', {width: 390, height: 844});
  await visit({e: 'SM80_16x8x16_F32F16F16F32_TN', t: '5'});
  await look('atom_dark', {dark: true});
  await visit({e: 'composition((4,6,8):(2,3,5), 6:3)'});
  await look('refused');
  await visit({e: '(4,8):(8,1)', d: 'Sw<2,1,3> o _0 o (4,8):(8,1)'});
  await look('diff');
  await visit({e: 'make_tma_copy(SM90_TMA_LOAD, half_t, (48,160):(160,_1), Sw<2,4,3> o smem_ptr[16b](unset) o (_16,_32):(_32,_1), (_16,_32), 1)'});
  await look('tma_phone_dark', {width: 390, height: 844, dark: true});
  await visit({e: 'logical_divide(((2,4),(2,2)):((1,4),(2,16)), '.repeat(8) + '(16,8'});
  await look('long_error_phone', {width: 390, height: 844});
  await visit({x: '5.1'});
  check(await value('expression') === '' && /Exercise 5.1/.test(await text('#exercise')), 'an exercise waits for an answer');
  await run("document.getElementById('expression').focus()");
  await insert('(2,2):(2,16)');
  check(/right/.test(await text('#exercise')), 'and takes it: ' + await text('#exercise'));
  await look('exercise');
  await run("document.getElementById('theme').focus()");
  await key('ArrowDown', 40); // light
  await key('ArrowDown', 40); // dark, while the system is light
  check(await value('theme') === 'dark', 'the theme by keys');
  await look('exercise_chosen_dark');
  await visit({e: 'dist{R=();H=((2,2,2),(4,2));P=((1.1,2.0));Y=(1.0,1.2,2.1)}'});
  check(await value('theme') === 'dark', 'the theme is kept');
  await run("document.getElementById('distribution').open = document.getElementById('copies').open = true");
  await look('distribution_dark');
  await run("(localStorage.clear(), 0)");
}

let loading, pictures;
await withPage(async () => {
  loading = Math.min(await visit({}), await visit({}), await visit({})); // other programs are busy, too
  check(loading < 3000, `the first picture after ${loading} ms`);
  const seen = await run(gallery);
  pictures = seen.pictures;
  check(!galleryFault(seen), galleryFault(seen));
  for (const fault of await run(features)) check(false, fault);
  await typing();
  await parts();
  await keyboard();
  await bridges();
  await views();
  await exports();
  await states();
  const errors = events.filter(e => e.method === 'Runtime.exceptionThrown' || (e.method === 'Log.entryAdded' && e.params.entry.level === 'error')
    || (e.method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(e.params.type)));
  check(errors.length === 0, 'console errors: ' + JSON.stringify(errors.slice(0, 3)));
  const loaded = events.filter(e => e.method === 'Network.requestWillBeSent').map(e => e.params.request.url);
  check(!loaded.some(url => /^(http|ws)/.test(url)), 'something was loaded from elsewhere');
});
console.log(`first picture after ${loading} ms, ${pictures} pictures, ${checks} checks, ${failed} failed`);
process.exit(failed ? 1 : 0);
