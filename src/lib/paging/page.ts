import { z } from 'zod';
import { wholeNumber } from '../schema/whole-number.ts';

/** Query parameters of a list that is read page by page; an endpoint adds its filters. */
export const PageQuery = z.object({
  limit: wholeNumber(z.int().min(1).max(100)).default(25).meta({ description: 'At most so many items.' }),
  // It holds the sort keys of a row: an address of 254 characters, of three bytes each, makes over 1,024.
  cursor: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .meta({ description: '`next_cursor` of the page before, with the same filters.' }),
});

/** The same in the body of a search, whose filters must not stand in a URL. */
export const PageBody = z.strictObject({
  limit: z.int().min(1).max(100).default(25).meta({ description: 'At most so many items.' }),
  cursor: PageQuery.shape.cursor,
});

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
  count: { value: number; capped: boolean } | null;
}

/**
 * The schema of a page.
 * @param meta name and description in the OpenAPI document.
 */
export const pageOf = <Item extends z.ZodType>(item: Item, meta: { id: string; description: string }) =>
  z
    .object({
      items: z.array(item).meta({ description: 'In the order of the list.' }),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: 'For the query parameter `cursor`; null on the last page.' }),
      count: z
        .object({
          value: z.int().meta({ description: 'How many items all pages have together.' }),
          capped: z.boolean().meta({ description: 'Whether counting stopped at `value`.' }),
        })
        .nullable()
        .meta({ description: 'Null where the list is not counted.' }),
    })
    .meta(meta);

/**
 * A page from rows that were read in the order of the list, one more than `limit` where there are more.
 * @param cursorAfter of the last item of this page.
 */
export function toPage<Item>(
  rows: readonly Item[],
  limit: number,
  cursorAfter: (last: Item) => string,
): Page<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next_cursor = rows.length > limit && last !== undefined ? cursorAfter(last) : null;
  return { items, next_cursor, count: null };
}
