// The library, compiled: the functions of playground.c by name. What it prints goes to `printed`. Where a computation
// ends it (no stack or memory left), it is loaded anew.
'use strict';
const engine = (() => {
  let module, printed = [];
  const load = async () => {
    module = await loadTessera({print: line => printed.push(line), printErr: line => printed.push(line)});
  };
  /** Calls playground_NAME: whether it did, and its text. */
  function call(name, ...args) {
    if (!module) return {ok: false, text: 'the library is being loaded again'};
    try {
      const types = args.map(a => typeof a === 'string' ? 'string' : 'number');
      const ok = module.ccall('playground_' + name, 'number', types, args) !== 0;
      return {ok, text: module.UTF8ToString(module.ccall('playground_text', 'number', [], []))};
    } catch (error) {
      module = undefined;
      load();
      return {ok: false, text: 'this takes more memory than the page has: ' + error.message};
    }
  }
  function json(name, ...args) {
    const {text} = call(name, ...args);
    const nothing = {ok: false, text, at: -1, kind: '', steps: [], sources: [], names: [], count: 0, written: [],
      code: []};
    return text.startsWith('{') ? JSON.parse(text) : nothing;
  }
  const table = {};
  return {
    SHAPES: 2, STATIC: 1, table,
    async start() {
      await load();
      Object.assign(table, json('table'));
    },
    evaluate: (expression, flags) => json('evaluate', expression, flags),
    convert: (text, flags, shape, type) => json('convert', text, flags, shape, type),
    given: (expression, guards) => json('given', expression, guards),
    atoms: (arch, part) => json('atoms', arch, part),
    copies: part => json('copies', part),
    draw: (expression, other, flags, label, type, format) =>
      call('draw', expression, other, flags, table.labels.indexOf(label), type, table.formats.indexOf(format)),
    /** The lines that a command of the program prints. */
    say(command, expression, flags, type = '', accesses = '') {
      printed = [];
      const {ok, text} = call('say', command, expression, flags, type, accesses);
      return {ok, text: printed.join('\n') || text};
    },
  };
})();
if (typeof module !== 'undefined') module.exports = engine;
