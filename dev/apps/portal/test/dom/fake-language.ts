import { computed, signal } from '@preact/signals';
import { dictionaries, type Language } from '../../src/i18n/texts.ts';

// Stands for i18n/language.ts, which reads the address bar and the storage of a browser.
export const language = signal<Language>('en');
export const texts = computed(() => dictionaries[language.value]);
