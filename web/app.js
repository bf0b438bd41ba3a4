// The page: its state, which the address holds, and what is shown of it.
'use strict';
const app = (() => {
  // e: expression, d: the layout it is compared with, l: what cells show, b: element type, s: integers are static (1, 0),
  // p: a step of the evaluation that is drawn, t: thread, n: step of the picture, x: exercise of the book
  const nothing = {e: '', d: '', l: 'own', b: '', s: '1', p: '', t: '', n: '', x: ''};
  const first = 'zipped_divide((_8,_8):(_8,_1), <_2,_4>)';
  const state = {...nothing};
  let result, quiet = false;

  const element = (tag, properties, ...children) => {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) name in e ? e[name] = value : e.setAttribute(name, value);
    e.append(...children);
    return e;
  };
  const flags = () => engine.SHAPES | (state.s === '1' ? engine.STATIC : 0);
  /** What is drawn: the expression, or one of its steps. */
  const drawn = () => {
    const step = result && state.p !== '' && result.steps[Number(state.p)];
    return step ? step[0] + '(' + step[1] + ')' : state.e;
  };
  const draw = format => engine.draw(drawn(), state.d, flags(), state.l, state.b, format);

  function address() {
    const said = Object.entries(state).filter(([key, value]) => value !== nothing[key]);
    return '#' + new URLSearchParams(said).toString();
  }
  function read() {
    const said = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    Object.assign(state, nothing, said.x ? {} : {e: first}, said);
    if (!engine.table.labels.includes(state.l)) state.l = nothing.l;
    if (!engine.table.types.includes(state.b)) state.b = '';
  }

  /** The place of an error counts bytes. */
  function place(at) {
    const bytes = new TextEncoder().encode(state.e);
    return new TextDecoder().decode(bytes.slice(0, at)).length;
  }
  function sayError(text) {
    const said = [element('p', {className: 'error'}, text)];
    if (result.at >= 0) {
      const at = place(result.at), width = 60, from = Math.max(0, at - width / 2), line = state.e.replace(/\s/g, ' ');
      said.push(element('pre', {className: 'caret', 'aria-hidden': 'true'},
        line.slice(from, from + width) + '\n' + ' '.repeat(at - from) + '^'));
      const meant = /did you mean `?([^`?, ]+)/.exec(text), word = /^[\w:]+/.exec(state.e.slice(at));
      if (meant && word) {
        const repair = () => change({e: state.e.slice(0, at) + meant[1] + state.e.slice(at + word[0].length)});
        said.push(element('button', {type: 'button', onclick: repair}, 'use ' + meant[1]));
      }
    }
    return said;
  }
  function say() {
    const kind = element('span', {className: 'kind'}, result.kind.replace(/^an? /, '') + ' ');
    const value = element('p', {className: 'value'}, kind, element('output', {}, result.text));
    byId('said').replaceChildren(...result.ok ? [value] : state.e ? sayError(result.text) : []);
  }

  let large = false, waiting;
  function readCells() {
    const {text} = draw('json'), number = text => text === '' ? -1 : Number(text);
    quiet = true;
    explorer.open(byId('figure').firstChild, JSON.parse(text), number(state.t), number(state.n));
    quiet = false;
    large = text.length > 2e6;
  }
  function showPicture() {
    const svg = draw('svg'), figure = byId('figure');
    clearTimeout(waiting);
    figure.classList.toggle('stale', !svg.ok && !result.ok);
    if (svg.ok) {
      const drawing = new DOMParser().parseFromString(svg.text, 'image/svg+xml').documentElement;
      figure.replaceChildren(document.importNode(drawing, true));
      if (large) waiting = setTimeout(readCells, 200); // cells by the ten thousand wait for a pause
      else readCells();
    } else if (result.ok) {
      figure.replaceChildren(element('p', {className: 'soft'}, svg.text));
    }
    figure.parentElement.classList.toggle('bare', !figure.querySelector('svg'));
  }
  function showTrace() {
    const line = ([name, args, value], i) => {
      const now = state.p === String(i);
      const toggle = () => {
        change({p: now ? '' : String(i)});
        byId('trace').children[i].firstChild.focus();
      };
      const button = {type: 'button', onclick: toggle, 'aria-pressed': String(now)};
      return element('li', {}, element('button', button, name + '(' + args + ')'), ' = ' + value);
    };
    byId('trace').replaceChildren(...result.steps.slice(0, 64).map(line));
  }
  function showExplained() {
    if (!byId('explain').open) return;
    const map = /TMA|tensor map/.test(result.kind);
    byId('explained').textContent = engine.say(map ? 'tma' : 'explain', state.e, flags()).text;
  }

  /** The operation whose parentheses stand around the caret, or the outermost. */
  function operationAt(text, caret) {
    let depth = 0;
    for (let i = caret - 1; i >= 0; --i) {
      if (text[i] === ')') ++depth;
      const name = text[i] === '(' && depth-- === 0 && /([A-Za-z]\w*)(<[^()]*>)?$/.exec(text.slice(0, i));
      if (name) return name[1];
      if (depth < 0) depth = 0;
    }
    return (/^\s*([A-Za-z]\w*)/.exec(text) || [])[1];
  }
  function showHelp() {
    const name = operationAt(state.e, byId('expression').selectionStart ?? 0);
    const rows = engine.table.operations.filter(op => op.name === name), kinds = engine.table.kinds;
    const words = call => [...new Set(call.replace(/^\w+/, '').match(/\b[A-Za-z]\b/g))].filter(k => kinds[k])
      .map(k => k + ' ' + kinds[k].replace(/^an? /, '')).join(', ');
    const lines = rows.flatMap(op => [
      element('dt', {}, op.call, element('span', {}, ' → ' + (kinds[op.result] || '').replace(/^an? /, ''))),
      element('dd', {}, op.help + (words(op.call) ? ' (' + words(op.call) + ')' : ''), ' ',
        element('button', {type: 'button', className: 'example', onclick: () => change({...nothing, e: op.example})},
          op.example))]);
    if (rows.length && rows[0].law)
      lines.unshift(element('dt', {}, 'law: ' + rows[0].law), element('dd', {}, 'condition: ' + rows[0].condition));
    const none = element('p', {className: 'soft'}, 'put the cursor into a call to see what it does');
    byId('help').replaceChildren(lines.length ? element('dl', {}, ...lines) : none);
  }

  const listeners = [];
  function show() {
    result = engine.evaluate(state.e, flags());
    say();
    showPicture();
    showTrace();
    showExplained();
    showHelp();
    for (const listener of listeners) listener(state, result);
  }
  /** Sets parts of the state, then shows it. What belonged to another expression goes. */
  function change(parts) {
    if ('e' in parts && parts.e !== state.e) Object.assign(state, {p: '', n: ''});
    Object.assign(state, parts);
    history.replaceState(null, '', address());
    fill();
    show();
  }
  function fill() {
    const field = byId('expression');
    if (field.value !== state.e) field.value = state.e;
    field.style.height = 'auto';
    field.style.height = field.scrollHeight + 2 + 'px';
    byId('other').value = state.d;
    byId('label').value = state.l;
    byId('type').value = state.b;
    byId('static').checked = state.s === '1';
  }
  const options = (select, names, words = names) =>
    select.append(...names.map((name, i) => element('option', {value: name}, words[i])));

  async function start() {
    await engine.start();
    options(byId('label'), engine.table.labels, engine.table.label_words);
    options(byId('type'), engine.table.types);
    for (const listener of listeners) listener.ready?.();
    explorer.changed = () => {
      if (quiet) return;
      const text = number => number < 0 ? '' : String(number);
      Object.assign(state, {t: text(explorer.thread), n: text(explorer.step)});
      history.replaceState(null, '', address());
    };
    byId('expression').addEventListener('input', event => change({e: event.target.value.replace(/\n/g, ' ')}));
    for (const name of ['keyup', 'click']) byId('expression').addEventListener(name, showHelp);
    byId('other').addEventListener('input', event => change({d: event.target.value}));
    byId('label').addEventListener('change', event => change({l: event.target.value}));
    byId('type').addEventListener('change', event => change({b: event.target.value}));
    byId('static').addEventListener('change', event => change({s: event.target.checked ? '1' : '0'}));
    byId('entry').addEventListener('submit', event => event.preventDefault());
    byId('explain').addEventListener('toggle', showExplained);
    addEventListener('resize', fill);
    addEventListener('hashchange', () => { read(); fill(); show(); });
    read();
    fill();
    show();
    byId('status').textContent = '';
    document.body.dataset.ready = Math.round(performance.now()); // since the page was asked for
  }
  return {state, nothing, element, options, change, draw, flags, listeners, start, get result() { return result; }};
})();
addEventListener('load', app.start);
