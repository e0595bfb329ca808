import { computed, effect, signal } from '@preact/signals';
import { chooseLanguage, dictionaries, directionOf, type Language } from './texts.ts';

const KEY = 'dermagate.language';

/** Null where none is stored, and where the browser lets nothing be stored. */
function storedChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** `?lang=` in the address, then the choice of an earlier visit, then the browser's languages. */
const wanted = [
  new URLSearchParams(location.search).get('lang'),
  storedChoice(),
  ...navigator.languages,
].filter((tag) => tag !== null);

export const language = signal<Language>(chooseLanguage(wanted));

/** The texts in the current language; components that read it re-render on a change. */
export const texts = computed(() => dictionaries[language.value]);

export function speak(choice: Language): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // It counts until the next reload.
  }
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
