// Light, dark, or what the system says. The styles ask the system; here their question gets another answer, in the
// picture, too.
'use strict';
(() => {
  const choice = byId('theme'), system = '(prefers-color-scheme: dark)', dark = new WeakSet();
  const remember = act => { try { return act(localStorage); } catch { return undefined; } }; // it may be forbidden
  function apply() {
    const asked = {auto: system, light: 'not all', dark: 'all'}[choice.value];
    document.documentElement.style.colorScheme = choice.value === 'auto' ? '' : choice.value;
    for (const sheet of document.styleSheets) {
      if (sheet.href) continue;
      for (const rule of sheet.cssRules) {
        if (rule.media && rule.media.mediaText.includes('prefers-color-scheme')) dark.add(rule);
        if (dark.has(rule)) rule.media.mediaText = asked;
      }
    }
  }
  const said = remember(storage => storage.getItem('theme'));
  if ([...choice.options].some(option => option.value === said)) choice.value = said;
  choice.addEventListener('change', () => {
    remember(storage => storage.setItem('theme', choice.value));
    apply();
  });
  app.listeners.push(apply);
})();
