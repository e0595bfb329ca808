import { h } from 'preact';
import { expect, test, vi } from 'vitest';
import { openPage } from './fake-page.ts';

vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
const { Modal } = await import('../../src/desk/parts/modal.tsx');

test('a dialog is closed while it is still in the page, so that the focus returns to where it was', async () => {
  const page = openPage();
  await page.show(h('main', {}, h(Modal, { title: 'Photo viewer', onClose: () => {}, children: null })));
  expect(page.closed).toEqual([]);
  await page.show(h('main', {}));
  expect(page.closed).toEqual([{ isConnected: true }]);
});
