// What both browsers evaluate in the playground: every picture of the gallery and every example of the table of operations;
// the exercises, the theme, the lists and forms.
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

/** What is wrong with the exercises, the theme, the lists of instructions and the form of a distribution. */
export const features = `(() => {
  const wrong = [], say = (ok, what) => { if (!ok) wrong.push(what); };
  const verdict = () => document.querySelector('.verdict').textContent;
  const checked = Object.entries(exercises).filter(([, {answer}]) => answer);
  say(checked.length >= 30 && checked.length === Object.keys(exercises).length, checked.length + ' exercises are checked');
  for (const [x, {answer}] of checked) {
    app.change({...app.nothing, x, e: answer});
    say(verdict().startsWith('right'), 'exercise ' + x + ' by its answer: ' + verdict());
    app.change({e: '(3,5,7):(1,9,2)'});
    say(verdict().startsWith('not yet'), 'exercise ' + x + ' by another layout: ' + verdict());
    app.change({e: '(3,'});
    say(verdict() === '', 'exercise ' + x + ' by no expression: ' + verdict());
  }
  app.change({...app.nothing, x: '5.1', e: 'complement((2,4):(1,4), 32)'});
  say(verdict().startsWith('right'), 'an operation may be the answer: ' + verdict());
  app.change({...app.nothing, x: '5.1', e: '4:2'});
  say(/not yet: at .* it gives/.test(verdict()), 'the first value that differs: ' + verdict());
  app.change({...app.nothing, e: '(4,8):(8,1)'});
  say(document.getElementById('exercise').hidden, 'an exercise is left');

  const theme = document.getElementById('theme'), seen = {};
  for (const name of ['dark', 'light', 'auto']) {
    theme.value = name;
    theme.dispatchEvent(new Event('change'));
    app.change({e: '(4,8):(8,1)'});
    const ground = e => getComputedStyle(e)[e.tagName === 'BODY' ? 'backgroundColor' : 'fill'];
    seen[name] = [ground(document.body), ground(document.querySelector('#figure svg path'))].join(' ');
  }
  say(seen.dark !== seen.light && [seen.dark, seen.light].includes(seen.auto), 'the themes: ' + JSON.stringify(seen));

  const part = id => document.getElementById(id);
  part('copies').open = true;
  part('copies').dispatchEvent(new Event('toggle'));
  const names = [...part('copies').querySelectorAll('li button')];
  say(names.length > 100, names.length + ' copy instructions');
  for (const button of names) {
    button.click();
    say(app.result.ok && /copy atom/.test(app.result.kind), 'the copy instruction ' + button.textContent);
  }
  part('distribution').querySelector('form').requestSubmit();
  say(/^dist/.test(app.state.e) && app.result.ok && document.querySelector('#figure svg text'), 'a distribution: ' + app.state.e);
  return wrong; })()`;
