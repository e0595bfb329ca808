import type { TokenPair } from '../../dev/packages/client/src/index.ts';
import type { Page } from 'playwright-core';

/**
 * A request on the entry where the client's `inIndexedDb()` keeps the tokens, as a script for the page. It ends with its
 * transaction: a write that only succeeded can be lost when the page is left at once.
 */
const onStore = (mode: 'readonly' | 'readwrite', request: string) => `new Promise((resolve, reject) => {
  const opening = indexedDB.open('keyval-store');
  opening.onupgradeneeded = () => opening.result.createObjectStore('keyval');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const transaction = opening.result.transaction('keyval', '${mode}');
    const request = transaction.objectStore('keyval').${request};
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
    transaction.oncomplete = () => resolve(request.result);
    opening.result.close();
  };
})`;

export const storedTokens = async (page: Page): Promise<TokenPair> =>
  await page.evaluate<TokenPair>(onStore('readonly', `get('dermagate.tokens')`));

export async function storeTokens(page: Page, tokens: TokenPair): Promise<void> {
  await page.evaluate(onStore('readwrite', `put(${JSON.stringify(tokens)}, 'dermagate.tokens')`));
}
