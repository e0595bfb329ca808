import type { DeskTexts } from './en.ts';

export const es: DeskTexts = {
  title: 'Mi escritorio',
};
