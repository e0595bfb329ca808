import type { Language } from '../../../i18n/texts.ts';
import { ar } from './ar.ts';
import { en, type SheetTexts } from './en.ts';
import { es } from './es.ts';
import { he } from './he.ts';

/** The page for a doctor has a language of its own. */
export const sheetDictionaries: Readonly<Record<Language, SheetTexts>> = { en, he, ar, es };

export type SheetField = keyof SheetTexts;
