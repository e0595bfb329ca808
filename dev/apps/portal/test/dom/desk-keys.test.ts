import { h } from 'preact';
import { afterAll, expect, test, vi } from 'vitest';
import { openPage } from './fake-page.ts';

let handle: (event: object) => void = () => {};
const switches = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (name: string) => switches.get(name) ?? null,
  setItem: (name: string, value: string) => switches.set(name, value),
  removeItem: (name: string) => switches.delete(name),
});
vi.stubGlobal('window', {
  addEventListener: (_name: string, listener: typeof handle) => (handle = listener),
  removeEventListener: () => {},
});
vi.stubGlobal('document', { querySelector: () => null });
for (const name of ['Element', 'HTMLElement']) vi.stubGlobal(name, Object);
afterAll(() => void vi.unstubAllGlobals());
const { switchSingleKeys, useKeys } = await import('../../src/desk/keys/use-keys.ts');

const pressed: string[] = [];
const bound = ['+', '[', '/', '0', '?', 'n'].map((press) => ({
  press,
  label: press,
  run: () => void pressed.push(press),
}));
function Keys() {
  useKeys(bound);
  return null;
}

/** What a keyboard reports, with the modifiers that its layout needs for this key or that were pressed besides. */
async function press(key: string, code: string, ...modifiers: string[]): Promise<string[]> {
  const page = openPage();
  await page.show(h(Keys, {}));
  pressed.length = 0;
  handle({
    key,
    code,
    ctrlKey: modifiers.includes('Control'),
    target: null,
    getModifierState: (name: string) => modifiers.includes(name),
    preventDefault: () => {},
  });
  await page.show(null);
  return [...pressed];
}

test.each([
  ['+', 'NumpadAdd', []],
  ['+', 'Equal', ['Shift']],
  ['[', 'BracketLeft', []],
  ['[', 'Digit8', ['Control', 'Alt', 'AltGraph']],
  ['[', 'Digit5', ['Alt']],
  ['/', 'Digit7', ['Shift']],
  ['0', 'Digit0', ['Shift']],
  ['?', 'Minus', ['Shift']],
  ['n', 'KeyN', []],
])('the key %s works by %s with %j, as a layout has it', async (key, code, modifiers) => {
  expect(await press(key, code, ...modifiers)).toEqual([key]);
});

test('keys of the browser stay those of the browser', async () => {
  expect(await press('+', 'Equal', 'Control')).toEqual([]);
  expect(await press('0', 'Digit0', 'Control')).toEqual([]);
  expect(await press('+', 'Equal', 'Meta')).toEqual([]);
  expect(await press('n', 'KeyN', 'Shift')).toEqual([]);
});

test('keys without Ctrl can be switched off, signs too', async () => {
  switchSingleKeys(false);
  expect(await press('+', 'NumpadAdd')).toEqual([]);
  expect(await press('n', 'KeyN')).toEqual([]);
  switchSingleKeys(true);
  expect(await press('+', 'NumpadAdd')).toEqual(['+']);
});
