// The numbers of the expression as handles: a key or dragging changes one, and the picture follows.
'use strict';
(() => {
  const number = /(?<![\w.])(_?)(-?\d{1,15})(?![\w.])/g;
  const line = byId('numbers');
  let skeleton = '';

  function set(index, value) {
    let i = 0;
    app.change({e: app.state.e.replace(number, (all, fixed) => i++ === index ? fixed + value : all)});
  }
  function handle(index) {
    const span = app.element('span', {tabIndex: 0, role: 'spinbutton', className: 'number'});
    const value = () => Number(span.getAttribute('aria-valuenow'));
    span.addEventListener('keydown', event => {
      const v = value(), keys = {ArrowUp: v + 1, ArrowDown: v - 1, PageUp: v * 2, PageDown: Math.trunc(v / 2)};
      const next = keys[event.key];
      if (next === undefined) return;
      event.preventDefault();
      set(index, next);
    });
    span.addEventListener('pointerdown', event => {
      const from = event.clientX, begin = value();
      span.setPointerCapture(event.pointerId);
      span.onpointermove = move => {
        const now = Math.max(Math.min(0, begin), begin + Math.round((move.clientX - from) / 12));
        if (now !== value()) set(index, now);
      };
      span.onpointerup = span.onpointercancel = () => { span.onpointermove = null; };
    });
    return span;
  }

  /** The handles stay while only numbers change, so that one that is dragged is not lost. */
  app.listeners.push(state => {
    const found = [...state.e.matchAll(number)], now = state.e.replace(number, '#');
    if (now !== skeleton) {
      const parts = now.split('#');
      line.replaceChildren(...found.length > 0 && found.length + 1 === parts.length
        ? parts.flatMap((text, i) => i < found.length ? [text, handle(i)] : [text]) : []);
      skeleton = now;
    }
    line.querySelectorAll('.number').forEach((span, i) => {
      span.textContent = found[i][0];
      span.setAttribute('aria-valuenow', found[i][2]);
      span.setAttribute('aria-label', 'number ' + (i + 1) + ' of ' + found.length);
    });
  });
})();
