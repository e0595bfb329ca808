/** The texts of the admins’ pages; the other languages have the same members. `fill` replaces `{name}`. */
export const en = {
  title: 'Dashboard',
};

export type OfficeTexts = typeof en;
