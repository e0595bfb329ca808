import { computed, effect, signal } from '@preact/signals';
import { chooseLanguage, dictionaries, directionOf, type Language } from './texts.ts';

const KEY = 'dermagate.language';

/** `?lang=` of the address, then the choice of an earlier visit, then what the browser asks for. */
const wanted = [
  new URLSearchParams(location.search).get('lang'),
  localStorage.getItem(KEY),
  ...navigator.languages,
].filter((tag) => tag !== null);

export const language = signal<Language>(chooseLanguage(wanted));

/** The texts in the language of the moment: components that read it follow a change. */
export const texts = computed(() => dictionaries[language.value]);

export function speak(choice: Language): void {
  localStorage.setItem(KEY, choice);
  language.value = choice;
  // The address had its say; a reload goes by the choice.
  const address = new URL(location.href);
  address.searchParams.delete('lang');
  history.replaceState(history.state, '', address);
}

/** Keeps `lang` and `dir` of the page as the language says; screen readers and the layout go by them. */
export function followLanguage(): void {
  effect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dir = directionOf(language.value);
  });
}
