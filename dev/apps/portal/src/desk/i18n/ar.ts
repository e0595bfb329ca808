import type { DeskTexts } from './en.ts';

export const ar: DeskTexts = {
  title: 'مكتبي',
};
