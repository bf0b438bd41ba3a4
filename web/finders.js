// Menus and forms that write an expression: examples, a swizzle for a tile, matrix and copy instructions, a
// distribution, a tensor map. Their lists are the library's tables.
'use strict';
(() => {
  const {element, options, change, nothing} = app;

  function examples() {
    const {gallery, operations, labels} = engine.table, groups = new Map(), rows = [];
    const add = (section, caption, parts) => {
      if (!groups.has(section)) groups.set(section, element('optgroup', {label: section}));
      groups.get(section).append(element('option', {value: rows.push(parts) - 1}, caption));
    };
    for (const {section, caption, expression, option} of gallery) {
      const extra = labels.includes(option) ? {l: option} : /^\d/.test(option) ? {t: option} : {d: option};
      add(section, caption, {...nothing, e: expression, ...extra});
    }
    for (const op of operations) add('Operations', op.call, {...nothing, e: op.example});
    byId('examples').append(...groups.values());
    byId('examples').addEventListener('change', event => {
      if (event.target.value !== '') change(rows[event.target.value]);
    });
  }

  function swizzles() {
    const part = byId('swizzles'), form = part.querySelector('form'), said = part.querySelector('pre');
    options(form.elements.type, engine.table.types);
    form.elements.type.value = 'f16';
    form.querySelector('fieldset').append(...engine.table.accesses.map((name, i) => element('label', {},
      element('input', {type: 'checkbox', name: 'access', value: name, checked: i === 0}), ' ' + name + ' ')));
    form.addEventListener('submit', event => {
      event.preventDefault();
      const accesses = [...form.querySelectorAll('[name=access]:checked')].map(box => box.value).join(',');
      const tile = form.elements.tile.value, type = form.elements.type.value;
      const {text} = engine.say('swizzle', tile, app.flags(), type, accesses || ' ');
      said.textContent = text;
      const found = /^tile +(.*) of \w+, as[^]*^swizzle +(Sw<[^>]*>)/m.exec(text);
      if (found) change({...nothing, e: found[2] + ' o _0 o ' + found[1], l: 'bank', b: type});
    });
  }

  /** The instructions that a form finds, as buttons. */
  function instructions(id, find) {
    const part = byId(id), form = part.querySelector('form');
    const list = () => {
      const {names, count} = find(form.elements);
      const first = count > names.length ? ', the first ' + names.length : '';
      part.querySelector('p').textContent = count + ' instructions' + first;
      part.querySelector('ul').replaceChildren(...names.map(name => element('li', {},
        element('button', {type: 'button', onclick: () => change({...nothing, e: name})}, name))));
    };
    form.addEventListener('input', list);
    form.addEventListener('submit', event => event.preventDefault());
    part.addEventListener('toggle', () => { if (part.open) list(); });
  }

  function atoms() {
    const {arch} = byId('atoms').querySelector('form').elements;
    arch.append(...engine.table.architectures.map(([number, name]) => element('option', {value: number}, name)));
    instructions('atoms', ({arch, part}) => engine.atoms(Number(arch.value), part.value));
    instructions('copies', ({part}) => engine.copies(part.value));
  }

  function distribution() {
    const form = byId('distribution').querySelector('form'), {r, h, p, y} = form.elements;
    const write = event => {
      event.preventDefault();
      change({...nothing, e: `dist{R=(${r.value});H=(${h.value});P=(${p.value});Y=(${y.value})}`});
    };
    for (const name of ['input', 'submit']) form.addEventListener(name, write);
  }

  function tensorMap() {
    const form = byId('tensor-map').querySelector('form'), field = form.elements;
    options(field.type, engine.table.tma_types);
    field.type.value = 'f16';
    field.swizzle.append(...engine.table.tma_swizzles.map((name, i) => element('option', {value: i}, name)));
    const write = event => {
      event.preventDefault();
      const lists = ['extents', 'strides', 'box', 'steps'].map(name => field[name].value).join(', ');
      change({...nothing, e: `tma_tiled<${field.type.value},${field.swizzle.value}>(${lists})`});
    };
    for (const name of ['input', 'submit']) form.addEventListener(name, write);
  }

  app.listeners.push(Object.assign(() => {}, {ready() {
    for (const part of [examples, swizzles, atoms, distribution, tensorMap]) part();
  }}));
})();
