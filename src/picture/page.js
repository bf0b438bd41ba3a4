// A picture that is looked at: pointing at a cell, or going to it by the arrow keys, tells what it is and frames the
// cells that belong to it; a click or Enter isolates its thread; a step frames the cells of one link after the other.
// The SVG and the JSON of one picture say where a cell stands and what it is. explorer.open() takes another picture.
'use strict';
const byId = name => document.getElementById(name);
const explorer = (() => {
  let svg, picture, cells, links, layers, cursor;
  const state = {svg, picture, thread: -1, step: -1, changed() {}};

  const layer = name => {
    const g = document.createElementNS(svg.namespaceURI, 'g');
    g.id = name;
    g.style.pointerEvents = 'none';
    svg.append(g);
    return g;
  };
  const rectangles = (list, kind) => list.map(cell => {
    const r = document.createElementNS(svg.namespaceURI, 'rect'), w = picture.cell_width, h = picture.cell_height;
    const box = {x: cell.panel.x + cell.column * w, y: cell.panel.y + cell.row * h, width: w, height: h, class: kind};
    for (const [name, value] of Object.entries(box)) r.setAttribute(name, value);
    return r;
  });
  const linked = link => cells.filter(cell => cell.link === link);

  function coordinate(cell) {
    const row = cell.panel.rows.coords[cell.row], column = cell.panel.columns.coords[cell.column];
    if (cell.panel.one_mode) return cell.panel.rows.count === 1 ? column : row;
    return '(' + row + ',' + column + (cell.panel.rest || '') + ')';
  }
  function tell(cell) {
    const rows = [];
    if (cell) {
      if (cell.panel.name) rows.push(['panel', cell.panel.name]);
      rows.push(['coordinate', coordinate(cell)]);
      if ('index' in cell) rows.push(['index', cell.index]);
      if ('offset' in cell) {
        rows.push(['offset', cell.offset], ['bits', '0b' + BigInt.asUintN(32, BigInt(cell.offset)).toString(2)]);
        const word = Math.floor(cell.offset * picture.element_bits / 32);
        rows.push(['bank', ((word % 32) + 32) % 32]);
      }
      const owners = cell.owners.slice(0, 8).map(o => picture.owners === 'ranks' ? 'R' + o[0] + ' +' + o[1]
        : 'T' + o[0] + ' V' + o[1]).join(', ');
      const more = cell.owners.length > 8 ? ', and ' + (cell.owners.length - 8) + ' more' : '';
      if (owners) rows.push(['held by', owners + more]);
      for (const mark of cell.marks || []) rows.push(['mark', mark]);
    }
    byId('cell').replaceChildren(...rows.flatMap(([name, text]) => [['dt', name], ['dd', text]].map(([tag, t]) => {
      const e = document.createElement(tag);
      e.textContent = t;
      return e;
    })));
  }

  function point(cell) {
    cursor = cell;
    tell(cell);
    const group = !cell ? [] : cell.link === undefined ? [cell] : linked(cell.link);
    layers.hot.replaceChildren(...rectangles(group, 'hot'));
  }
  function under(event) {
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    for (const panel of picture.panels) {
      const column = Math.floor((p.x - panel.x) / picture.cell_width);
      const row = Math.floor((p.y - panel.y) / picture.cell_height);
      if (row >= 0 && column >= 0 && row < panel.rows.count && column < panel.columns.count)
        return panel.cells[row * panel.columns.count + column];
    }
  }
  /** The next cell that way; at an end of the panel, of the next panel. */
  function walk(key) {
    const [down, right] = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[key];
    const {panel, row, column} = cursor, r = row + down, c = column + right;
    if (r >= 0 && c >= 0 && r < panel.rows.count && c < panel.columns.count)
      return panel.cells[r * panel.columns.count + c];
    const beside = picture.panels[picture.panels.indexOf(panel) + (down || right)];
    return beside ? beside.cells[0] : cursor;
  }
  function press(event) {
    if (event.key.startsWith('Arrow') && cells.length) point(cursor ? walk(event.key) : cells[0]);
    else if (event.key === 'Enter' && cursor && cursor.owners.length) isolate(cursor.owners[0][0]);
    else if (event.key === 'Escape') isolate(-1);
    else return;
    event.preventDefault();
  }

  function isolate(thread) {
    state.thread = Number.isInteger(thread) && thread >= 0 ? thread : -1;
    byId('thread').value = state.thread < 0 ? '' : state.thread;
    const others = state.thread < 0 ? [] : cells.filter(c => !c.owners.some(o => o[0] === state.thread));
    layers.veil.replaceChildren(...rectangles(others, 'veil'));
    state.changed();
  }
  function step(at) {
    state.step = Math.max(-1, Math.min(links.length - 1, at));
    byId('step').value = state.step;
    byId('at').textContent = (state.step < 0 ? '' : state.step + 1 + ' ') + 'of ' + links.length;
    const now = state.step < 0 ? [] : linked(links[state.step]);
    layers.steps.replaceChildren(...rectangles(now, 'hot'));
    if (now.length) tell(now[now.length - 1]);
    state.changed();
  }

  /** Begins with a drawing and its cells, a thread isolated and a step taken where they are there. */
  function open(drawing, model, thread = -1, at = -1) {
    svg = state.svg = drawing;
    picture = state.picture = model;
    cells = picture.panels.flatMap(panel => panel.cells.map(cell => Object.assign(cell, {panel, owners: []})));
    for (const cell of cells) if ('thread' in cell) cell.owners.push([cell.thread, cell.value]);
    for (const [cell, owner, value] of picture.more_owners) cells[cell].owners.push([owner, value]);
    links = [...new Set(cells.map(cell => cell.link).filter(link => link !== undefined))].sort((a, b) => a - b);
    const threads = cells.reduce((most, cell) => cell.owners.reduce((m, o) => Math.max(m, o[0]), most), -1);
    layers = {veil: layer('veil'), steps: layer('steps'), hot: layer('hot')};
    cursor = undefined;
    svg.tabIndex = 0;
    svg.addEventListener('pointermove', event => point(under(event)));
    svg.addEventListener('pointerleave', () => layers.hot.replaceChildren());
    svg.addEventListener('click', event => {
      const cell = under(event);
      if (cell && cell.owners.length) isolate(cell.owners[0][0]);
    });
    svg.addEventListener('keydown', press);
    byId('step').max = links.length - 1;
    byId('thread').max = threads;
    byId('thread').disabled = byId('all').disabled = threads < 0;
    tell();
    isolate(thread <= threads ? thread : -1);
    step(at);
  }

  byId('thread').addEventListener('input', event =>
    isolate(event.target.value === '' ? -1 : Number(event.target.value)));
  byId('all').addEventListener('click', () => isolate(-1));
  byId('step').addEventListener('input', event => step(Number(event.target.value)));
  byId('back').addEventListener('click', () => step(state.step - 1));
  byId('next').addEventListener('click', () => step(state.step + 1));
  return Object.assign(state, {open});
})();
