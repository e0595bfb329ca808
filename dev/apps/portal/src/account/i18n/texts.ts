import { computed } from '@preact/signals';
import { language } from '../../i18n/language.ts';
import type { Language } from '../../i18n/texts.ts';
import { ar } from './ar.ts';
import { en, type AccountTexts } from './en.ts';
import { es } from './es.ts';
import { he } from './he.ts';

export const accountDictionaries: Readonly<Record<Language, AccountTexts>> = { en, he, ar, es };

/** The texts in the current language; components that read it re-render on a change. */
export const accountTexts = computed(() => accountDictionaries[language.value]);
