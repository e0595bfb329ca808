import { computed } from '@preact/signals';
import { language } from '../../i18n/language.ts';
import type { Language } from '../../i18n/texts.ts';
import { ar } from './ar.ts';
import { en, type StaffTexts } from './en.ts';
import { es } from './es.ts';
import { he } from './he.ts';

export const staffDictionaries: Readonly<Record<Language, StaffTexts>> = { en, he, ar, es };

/** The texts in the current language; components that read it re-render on a change. */
export const staffTexts = computed(() => staffDictionaries[language.value]);
