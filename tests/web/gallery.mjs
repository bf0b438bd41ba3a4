// What a browser evaluates in the playground: every picture of the gallery and every example of the table of operations.
export const gallery = `(() => {
  const {gallery, operations} = engine.table, seen = {gallery: 0, pictures: 0, wrong: []};
  const rows = [...gallery, ...operations.map(op => ({expression: op.example, option: '', operation: true}))];
  for (const {expression, option, operation} of rows) {
    const extra = engine.table.labels.includes(option) ? {l: option} : /^\\d/.test(option) ? {t: option} : {d: option};
    app.change({...app.nothing, e: expression, ...extra});
    const drawn = document.querySelector('#figure svg text') !== null;
    if (!app.result.ok || (!operation && !drawn)) seen.wrong.push(expression);
    if (option && /^\\d/.test(option) && !document.querySelector('#veil rect')) seen.wrong.push('thread of ' + expression);
    seen.pictures += drawn;
    seen.gallery += !operation;
  }
  return seen; })()`;

/** What it says of that, where something is wrong. */
export const galleryFault = seen =>
  seen.gallery > 40 && seen.pictures > 200 && seen.wrong.length === 0 ? '' : 'the gallery: ' + seen.wrong.join('; ');
