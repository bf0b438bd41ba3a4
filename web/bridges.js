// Layouts in the words of other systems, and of sizes with names.
'use strict';
(() => {
  const {element, change, nothing, flags} = app;

  /** A list of names and texts: code, or why there is none. */
  function show(list, rows) {
    list.replaceChildren(...rows.flatMap(({name, text, why}) => [element('dt', {}, name),
      element('dd', {}, why === undefined ? element('pre', {tabindex: '0', 'aria-label': name}, text)
        : element('span', {className: 'soft'}, why))]));
  }

  /** The text in the form, else the expression of the page. */
  function bridges() {
    const part = byId('bridges'), form = part.querySelector('form'), {text, shape} = form.elements;
    let value = '';
    const convert = () => {
      if (!part.open) return;
      const given = text.value.trim() || app.state.e, type = app.state.b;
      const r = engine.convert(given, flags(), shape.value, type);
      const from = r.system ? r.system + ': ' : '', at = r.ok || !r.at ? '' : ` (at character ${r.at})`;
      value = r.ok ? r.text : '';
      part.querySelector('p[role=status]').textContent = from + r.text + at;
      show(part.querySelector('dl'), r.written);
    };
    form.addEventListener('input', convert);
    form.addEventListener('submit', event => {
      event.preventDefault();
      convert();
      if (value) change({...nothing, e: value});
    });
    part.addEventListener('toggle', convert);
    app.listeners.push(convert);
  }

  function named() {
    const part = byId('named'), form = part.querySelector('form'), {expression, guards} = form.elements;
    const read = () => {
      const r = engine.given(expression.value, guards.value);
      const when = r.guards && r.guards !== '1' ? ' if ' + r.guards : '', at = r.ok ? '' : ` (at character ${r.at})`;
      part.querySelector('p[role=status]').textContent = r.text + when + at;
      show(part.querySelector('dl'), r.code);
    };
    form.addEventListener('input', read);
    form.addEventListener('submit', event => event.preventDefault());
    part.addEventListener('toggle', () => { if (part.open) read(); });
  }

  app.listeners.push(Object.assign(() => {}, {ready() { bridges(); named(); }}));
})();
