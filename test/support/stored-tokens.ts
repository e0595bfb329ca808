import type { TokenPair } from '../../dev/packages/client/src/index.ts';
import type { Page } from 'playwright-core';

/** A request on the entry where the client's `inIndexedDb()` keeps the tokens, as a script for the page. */
const onStore = (mode: 'readonly' | 'readwrite', request: string) => `new Promise((resolve, reject) => {
  const opening = indexedDB.open('keyval-store');
  opening.onupgradeneeded = () => opening.result.createObjectStore('keyval');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const request = opening.result.transaction('keyval', '${mode}').objectStore('keyval').${request};
    request.onerror = () => reject(request.error);
    request.onsuccess = () => resolve(request.result);
    opening.result.close();
  };
})`;

export const storedTokens = async (page: Page): Promise<TokenPair> =>
  await page.evaluate<TokenPair>(onStore('readonly', `get('dermagate.tokens')`));

export async function storeTokens(page: Page, tokens: TokenPair): Promise<void> {
  await page.evaluate(onStore('readwrite', `put(${JSON.stringify(tokens)}, 'dermagate.tokens')`));
}
