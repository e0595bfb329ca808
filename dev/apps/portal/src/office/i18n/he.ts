import type { OfficeTexts } from './en.ts';

export const he: OfficeTexts = {
  title: 'לוח בקרה',
};
