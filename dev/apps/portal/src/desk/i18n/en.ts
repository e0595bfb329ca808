/** The texts of the physicians’ pages; the other languages have the same members. `fill` replaces `{name}`. */
export const en = {
  title: 'My desk',
};

export type DeskTexts = typeof en;
