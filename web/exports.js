// What can be taken along: the picture as a file, the value as source, the address.
'use strict';
(() => {
  function save(blob, name) {
    const link = app.element('a', {href: URL.createObjectURL(blob), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
  /** The pixels of a drawing, twice as many each way. */
  async function pixels(svg) {
    const image = new Image();
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg);
    await image.decode();
    const canvas = app.element('canvas', {width: 2 * image.width, height: 2 * image.height});
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise(done => canvas.toBlob(done, 'image/png'));
  }
  const tell = text => { byId('status').textContent = text; };
  const copy = text => navigator.clipboard.writeText(text)
    .then(() => tell('copied'), () => tell('the browser does not let this page copy'));

  byId('export').addEventListener('click', async event => {
    const as = event.target.dataset.as;
    if (!as) return;
    if (as === 'link') return copy(location.href);
    const {ok, text} = app.draw(as === 'png' ? 'svg' : as), ending = {unicode: 'txt'}[as] || as;
    if (!ok) return tell(text);
    save(as === 'png' ? await pixels(text) : new Blob([text]), 'tessera.' + ending);
    tell('tessera.' + ending + ' is saved');
  });

  app.listeners.push((state, result) => {
    byId('sources').replaceChildren(...engine.table.languages.flatMap((name, i) => {
      const text = result.sources[i], button = {type: 'button', onclick: () => copy(text)};
      const line = text ? [app.element('code', {}, text), ' ', app.element('button', button, 'copy')]
        : [app.element('span', {className: 'soft'}, 'no words for this kind of value')];
      return [app.element('dt', {}, name), app.element('dd', {}, ...line)];
    }));
  });
})();
