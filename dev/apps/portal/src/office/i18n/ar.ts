import type { OfficeTexts } from './en.ts';

export const ar: OfficeTexts = {
  title: 'لوحة المتابعة',
};
