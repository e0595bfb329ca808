interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** All pages of a list to choose from: what a first page has no room for would look as if it did not exist. */
export async function everyItem<Item>(
  read: (cursor: { cursor?: string }) => Promise<Page<Item>>,
): Promise<{ items: Item[] }> {
  const items: Item[] = [];
  let cursor: string | null | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- Each page names the next one.
    const page: Page<Item> = await read(cursor == null ? {} : { cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return { items };
}
