// The playground in Firefox: the whole gallery, typing with completion, a window as wide as a phone. Needs firefox; exits with
// 77 without. Speaks Marionette, the protocol of Firefox's own tests: LENGTH:JSON over a socket.
// usage: node firefox.mjs PLAYGROUND
import {spawn, execFileSync} from 'node:child_process';
import {mkdtempSync, writeFileSync} from 'node:fs';
import {connect, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {remove} from '../picture/remove.mjs';
import {features, gallery, galleryFault} from './gallery.mjs';

const browser = ['firefox-esr', 'firefox'].find(name => {
  try { execFileSync(name, ['--version'], {stdio: 'ignore'}); return true; } catch { return false; }
});
if (!browser) {
  console.log('no firefox, the playground is not tried in it');
  process.exit(77);
}
const page = pathToFileURL(join(resolve(process.argv[2]), 'index.html')).href;
const profile = mkdtempSync(join(tmpdir(), 'tessera-'));
const sleep = ms => new Promise(r => setTimeout(r, ms));
const port = await new Promise(done => {
  const server = createServer().listen(0, '127.0.0.1', () => { const {port} = server.address(); server.close(() => done(port)); });
});
writeFileSync(join(profile, 'user.js'), `user_pref("marionette.port", ${port});\n`);
const child = spawn(browser, ['--headless', '--marionette', '--no-remote', '--profile', profile],
  {stdio: 'ignore', env: {...process.env, HOME: profile, MOZ_HEADLESS_WIDTH: '1280', MOZ_HEADLESS_HEIGHT: '900'}});

let socket, rest = Buffer.alloc(0), last = 0;
const waiting = new Map();
function take(data) {
  rest = Buffer.concat([rest, data]);
  for (let colon; (colon = rest.indexOf(':')) > 0;) {
    const end = colon + 1 + Number(rest.subarray(0, colon));
    if (rest.length < end) return;
    const message = JSON.parse(rest.subarray(colon + 1, end));
    rest = rest.subarray(end);
    if (!Array.isArray(message)) continue;
    const [, id, error, result] = message;
    error ? waiting.get(id).reject(new Error(error.message)) : waiting.get(id).resolve(result);
  }
}
async function begin() {
  for (let tries = 0; tries < 300 && !socket; ++tries) {
    socket = await new Promise(done => { const s = connect(port, '127.0.0.1', () => done(s)).on('error', () => done()); });
    if (!socket) await sleep(100);
  }
  socket.on('data', take);
}
const send = (name, parameters = {}) => new Promise((resolve, reject) => {
  const text = JSON.stringify([0, ++last, name, parameters]);
  waiting.set(last, {resolve, reject});
  socket.write(Buffer.byteLength(text) + ':' + text);
});
const run = async expression =>
  (await send('WebDriver:ExecuteScript', {script: 'return window.eval(arguments[0])', args: [expression]})).value;

let checks = 0, failed = 0;
const check = (ok, what) => { ++checks; if (!ok) { ++failed; console.log(what); } };
try {
  await begin();
  await send('WebDriver:NewSession', {capabilities: {alwaysMatch: {}}});
  let loading = Infinity; // of three times the least: other programs are busy, too
  for (let times = 0; times < 3; ++times) {
    await send('WebDriver:Navigate', {url: 'about:blank'});
    await send('WebDriver:Navigate', {url: page});
    for (let i = 0; i < 200 && !await run('document.body.dataset.ready'); ++i) await sleep(20);
    loading = Math.min(loading, Number(await run('document.body.dataset.ready')));
  }
  check(loading < 3000, `the first picture after ${loading} ms`);
  await run("(addEventListener('error', event => { document.body.dataset.failed = event.message; }), 0)");
  const seen = await run(gallery);
  check(!galleryFault(seen), galleryFault(seen));
  for (const fault of await run(features)) check(false, fault);

  await run("(document.getElementById('expression').value = '', 0)");
  const field = (await send('WebDriver:FindElement', {using: 'css selector', value: '#expression'})).value;
  await send('WebDriver:ElementSendKeys', {id: Object.values(field)[0], text: 'coales\uE015\uE007(_2,_4):(_1,_2))'});
  check(await run("document.getElementById('expression').value") === 'coalesce((_2,_4):(_1,_2))', 'a name is completed');
  check(/layout 8:1/.test(await run("document.getElementById('said').innerText")), 'and its value said');
  check(/law:/.test(await run("document.getElementById('help').innerText")), 'with its law');
  await send('WebDriver:SetWindowRect', {width: 450, height: 900});
  await sleep(200);
  const wide = await run('document.documentElement.scrollWidth - innerWidth');
  check(wide <= 0, `${wide} pixels too wide`);
  const wrong = await run("document.body.dataset.failed || ''");
  check(wrong === '', 'a script failed: ' + wrong);
  console.log(`first picture after ${loading} ms, ${seen.pictures} pictures, ${checks} checks, ${failed} failed`);
} finally {
  socket?.destroy();
  child.kill();
  await new Promise(r => child.on('exit', r));
  await remove(profile);
}
process.exit(failed ? 1 : 0);
