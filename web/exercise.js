// An exercise of the book: its question, and what the library says of the expression as its answer.
'use strict';
(() => {
  const part = byId('exercise'), select = byId('exercises'), flags = engine.SHAPES | engine.STATIC;

  /** Right are the value of the answer, and a layout that is the same function. */
  function judge(given, answer) {
    const wanted = engine.evaluate(answer, flags), value = engine.evaluate(given, flags);
    if (!value.ok) return '';
    if (value.text === wanted.text) return 'right';
    const same = engine.evaluate(`same_function(${given}, ${answer})`, flags);
    if (same.ok && same.text === 'yes') return 'right: the same function as ' + wanted.text;
    const differs = /^no: (at .*) the first gives (.*), the second/.exec(same.text);
    return 'not yet' + (same.ok && differs ? `: ${differs[1]} it gives ${differs[2]}` : '');
  }
  function show(state) {
    const exercise = exercises[state.x];
    part.hidden = !exercise;
    select.value = exercise ? state.x : '';
    if (!exercise) return;
    const verdict = state.e === '' ? '' : exercise.answer ? judge(state.e, exercise.answer) : 'the book has an answer';
    part.querySelector('h2').textContent = 'Exercise ' + state.x + ', ' + exercise.chapter.replace(/^\d+\. /, '');
    part.querySelector('.question').textContent = exercise.question.replace(/`/g, '');
    part.querySelector('.verdict').textContent = verdict;
    part.classList.toggle('right', verdict.startsWith('right'));
  }
  function ready() {
    const groups = new Map();
    for (const [number, {chapter}] of Object.entries(exercises)) {
      if (!groups.has(chapter)) groups.set(chapter, app.element('optgroup', {label: chapter}));
      groups.get(chapter).append(app.element('option', {value: number}, 'Exercise ' + number));
    }
    select.append(...groups.values());
    select.addEventListener('change', () => {
      if (select.value) app.change({...app.nothing, x: select.value});
      byId('expression').focus();
    });
  }
  app.listeners.push(Object.assign(show, {ready}));
})();
