import type { DeskTexts } from './en.ts';
import { en } from './en.ts';

export const ar: DeskTexts = en;
