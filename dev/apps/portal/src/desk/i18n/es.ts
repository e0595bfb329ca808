import type { DeskTexts } from './en.ts';
import { en } from './en.ts';

export const es: DeskTexts = en;
