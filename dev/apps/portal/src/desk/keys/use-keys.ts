import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type KeybindingsMap, tinykeys } from 'tinykeys';

export interface Key {
  /** As tinykeys writes it; a single letter works on every keyboard layout. */
  press: string;
  /** What it does, for the list of keys. */
  label: string;
  run: () => void;
  /** Also while a field has the focus; only for keys with a modifier. */
  inFields?: boolean;
}

const SWITCH = 'dermagate.single-keys';

/** Off for people whose speech input or trembling hand presses letters by accident (WCAG 2.1.4). */
export const singleKeys = signal(localStorage.getItem(SWITCH) !== 'off');

export function switchSingleKeys(on: boolean): void {
  singleKeys.value = on;
  if (on) localStorage.removeItem(SWITCH);
  else localStorage.setItem(SWITCH, 'off');
}

/** What works at the moment, in the order in which it appeared; the list of keys shows it. */
export const activeKeys = signal<readonly (readonly Key[])[]>([]);

interface Options {
  /** For keys of a dialog. All others rest while one is open. */
  inDialog?: boolean;
}

/** Binds keys while the component is on the screen. None fires in a text field. */
export function useKeys(keys: readonly Key[], { inDialog = false }: Options = {}): void {
  const latest = useRef(keys);
  latest.current = keys;
  const presses = keys.map(({ press, label }) => `${press}\t${label}`).join('\n');
  // With the drawing: a key pressed as soon as its page is seen must not be lost.
  useLayoutEffect(() => {
    const group = latest.current;
    activeKeys.value = [...activeKeys.peek(), group];
    const bindings: KeybindingsMap = {};
    for (const { press, inFields = false } of group) {
      const fire = (event: KeyboardEvent) => {
        // With an open list the text of its field is not picked yet: signing would leave it out.
        if (isModalOpen() !== inDialog || event.isComposing || isListOpen(event.target)) return;
        if (isSign(press) && event.ctrlKey && !event.getModifierState('AltGraph')) return;
        const isSingle = isSign(press) || !press.includes('+');
        if (!inFields && (isTyping(event.target) || (isSingle && !singleKeys.peek()))) return;
        event.preventDefault();
        latest.current.find((key) => key.press === press)?.run();
      };
      bindings[isSign(press) ? `[Shift]+[Alt]+[Control]+${press}` : press] = fire;
      if (/^[a-z]$/.test(press))
        bindings[`Key${press.toUpperCase()}`] = (event) => (isLatin(event.key) ? undefined : fire(event));
    }
    const unbind = tinykeys(window, bindings, { ignore: () => false });
    return () => {
      unbind();
      activeKeys.value = activeKeys.peek().filter((other) => other !== group);
    };
  }, [presses, inDialog]);
}

/** A digit or a sign: many layouts have it with Shift or, which browsers report as Ctrl and Alt, with AltGr. */
const isSign = (press: string) => /^[^a-z]$/i.test(press);

/** On layouts of other scripts the place of the key counts, not its letter. */
const isLatin = (key: string) => /^[\u0020-\u024f]/.test(key);

const isListOpen = (target: EventTarget | null) =>
  target instanceof Element && target.getAttribute('aria-expanded') === 'true';

const isModalOpen = () => document.querySelector('dialog:modal') !== null;

const untyped = ['checkbox', 'radio', 'button', 'submit', 'range'];

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !untyped.includes(target.type);
  return (
    target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

/** Moves the focus by `step` among the links of a list, from its start where none has it. */
export function moveInList(list: Element | null, step: 1 | -1): void {
  const links = [...(list?.querySelectorAll<HTMLElement>('a.case-row') ?? [])];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step;
  links[Math.max(0, Math.min(links.length - 1, next))]?.focus();
}
