import { computed, effect, signal } from '@preact/signals';
import { chooseLanguage, dictionaries, directionOf, type Language } from './texts.ts';

const KEY = 'dermagate.language';

/** `?lang=` in the address, then the choice of an earlier visit, then the browser's languages. */
const wanted = [
  new URLSearchParams(location.search).get('lang'),
  localStorage.getItem(KEY),
  ...navigator.languages,
].filter((tag) => tag !== null);

export const language = signal<Language>(chooseLanguage(wanted));

/** The texts in the current language; components that read it re-render on a change. */
export const texts = computed(() => dictionaries[language.value]);

export function speak(choice: Language): void {
  localStorage.setItem(KEY, choice);
  language.value = choice;
  // A reload must use this choice, not `?lang=`.
  const address = new URL(location.href);
  address.searchParams.delete('lang');
  history.replaceState(history.state, '', address);
}

/** Sets `lang` and `dir` of the page, which screen readers and the layout depend on, on every language change. */
export function followLanguage(): void {
  effect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dir = directionOf(language.value);
  });
}
