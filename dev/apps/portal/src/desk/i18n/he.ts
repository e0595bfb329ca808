import type { DeskTexts } from './en.ts';

export const he: DeskTexts = {
  title: 'השולחן שלי',
};
