// A page in chromium, without a window: run() evaluates in it, open() goes to an address, send() speaks the protocol of the
// browser's tools, events are what it says by itself.
import {spawn, execFileSync} from 'node:child_process';
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {remove} from './remove.mjs';

const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(name => {
  try { execFileSync(name, ['--version'], {stdio: 'ignore'}); return true; } catch { return false; }
});
if (!browser) {
  console.log('no chromium, the pages are not tried');
  process.exit(77);
}
export const scratch = mkdtempSync(join(tmpdir(), 'tessera-'));

// The protocol of the browser's tools over two pipes, messages ended by a zero.
const child = spawn(browser, ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe',
  '--user-data-dir=' + join(scratch, 'profile'), '--window-size=1400,1000'],
  {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
const waiting = new Map();
export const events = [];
let rest = '', last = 0;
child.stdio[4].on('data', data => {
  const parts = (rest + data).split('\0');
  rest = parts.pop();
  for (const part of parts) {
    const message = JSON.parse(part);
    if (message.id) {
      const {resolve, reject} = waiting.get(message.id);
      message.error ? reject(new Error(message.error.message)) : resolve(message.result);
    } else events.push(message);
  }
});
let session;
export const send = (method, params = {}) => new Promise((resolve, reject) => {
  waiting.set(++last, {resolve, reject});
  child.stdio[3].write(JSON.stringify({id: last, method, params, sessionId: session}) + '\0');
});

export const run = async expression => {
  const r = await send('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
  if (r.exceptionDetails) throw new Error(r.exceptionDetails.exception?.description ?? r.exceptionDetails.text);
  return r.result.value;
};
export const open = async url => {
  await send('Page.navigate', {url});
  for (let i = 0; i < 100 && await run('document.readyState') !== 'complete'; ++i) await new Promise(r => setTimeout(r, 20));
};

/** Runs the checks of a test in a page, and ends the browser. */
export async function withPage(checks) {
  try {
    const {targetInfos} = await send('Target.getTargets');
    const target = targetInfos.find(t => t.type === 'page') ?? await send('Target.createTarget', {url: 'about:blank'});
    session = (await send('Target.attachToTarget', {targetId: target.targetId, flatten: true})).sessionId;
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await send(domain + '.enable');
    await checks();
  } finally {
    child.kill();
    await new Promise(r => child.on('exit', r));
    await remove(scratch);
  }
}
