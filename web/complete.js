// Names while they are typed: of operations, and of matrix instructions of an architecture.
'use strict';
(() => {
  const field = byId('expression'), list = byId('names'), MOST = 10;
  let names = [], at = -1;

  const word = () => (/[A-Za-z][\w:]*$/.exec(field.value.slice(0, field.selectionStart)) || [''])[0];
  function candidates(part) {
    const help = new Map([...engine.table.operations].reverse().map(op => [op.name, op.help]));
    const all = [...help.keys()].sort(), begin = all.filter(name => name.startsWith(part));
    const inside = all.filter(name => !name.startsWith(part) && name.includes(part));
    const found = begin.concat(part.length > 2 ? inside : []).map(name => ({name, help: help.get(name), open: '('}));
    const arch = engine.table.architectures.find(([, name]) => part.toUpperCase().startsWith(name));
    const atoms = arch ? engine.atoms(arch[0], part).names : [];
    return found.concat(atoms.map(name => ({name, help: 'matrix instruction', open: ''})))
      .filter(c => c.name !== part).slice(0, MOST);
  }
  function close() {
    names = [];
    at = -1;
    list.hidden = true;
    field.setAttribute('aria-expanded', 'false');
    field.removeAttribute('aria-activedescendant');
  }
  function choose(to) {
    at = to;
    [...list.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === at)));
    field.setAttribute('aria-activedescendant', 'name-' + at);
    list.children[at].scrollIntoView({block: 'nearest'});
  }
  function accept(index) {
    const part = word(), end = field.selectionStart, {name, open} = names[index];
    const text = name + ('(<'.includes(field.value[end] || ' ') ? '' : open), caret = end - part.length + text.length;
    app.change({e: field.value.slice(0, end - part.length) + text + field.value.slice(end)});
    field.focus();
    field.setSelectionRange(caret, caret);
    close();
  }
  function offer() {
    const part = word();
    names = part.length > 1 ? candidates(part) : [];
    if (names.length === 0) return close();
    list.replaceChildren(...names.map(({name, help}, i) => app.element('li', {
      id: 'name-' + i, role: 'option', onpointerdown: event => { event.preventDefault(); accept(i); },
    }, name, app.element('small', {}, ' ' + help))));
    list.hidden = false;
    at = -1;
    field.setAttribute('aria-expanded', 'true');
  }
  field.addEventListener('input', offer);
  field.addEventListener('blur', close);
  field.addEventListener('keydown', event => {
    if (event.key === 'Enter') event.preventDefault();
    if (names.length === 0) return;
    if (event.key === 'ArrowDown') choose((at + 1) % names.length);
    else if (event.key === 'ArrowUp') choose((at < 1 ? names.length : at) - 1);
    else if (event.key === 'Tab' || (event.key === 'Enter' && at >= 0)) accept(Math.max(at, 0));
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
})();
