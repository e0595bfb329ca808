import type { OfficeTexts } from './en.ts';

export const es: OfficeTexts = {
  title: 'Panel',
};
