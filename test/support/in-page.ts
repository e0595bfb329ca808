// Functions that run inside of a page: they may use nothing but their arguments, and of a browser only what is named
// here, because the project's types know no browser.

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Node {
  textContent: string;
  nextElementSibling: Node | null;
  parentElement: Node;
  ownerDocument: { elementFromPoint(x: number, y: number): Node | null };
  closest(selector: string): Node | null;
  matches(selector: string): boolean;
  contains(other: Node | null): boolean;
  checkVisibility(): boolean;
  focus(): void;
  getBoundingClientRect(): Box;
  getClientRects(): ArrayLike<Box>;
}

/** All that can be tapped and tabbed to. */
export const focusable = ':is(a, button, input, select, textarea, summary):not(:disabled, .skip-link)';

/** Targets smaller than 44 by 44 pixels. Links within a sentence are left out, as WCAG 2.5.5 does. */
export function smallTargets(elements: Node[]): string[] {
  return elements
    .filter((element) => element.checkVisibility())
    .map(
      (element) =>
        (element.matches('[type=file]') ? element.nextElementSibling : element.closest('label')) ?? element,
    )
    .filter((target) => !target.matches('a') || target.parentElement.textContent === target.textContent)
    .map((target) => ({ name: target.textContent.trim(), box: target.getBoundingClientRect() }))
    .filter(({ box }) => Math.round(box.width) < 44 || Math.round(box.height) < 44)
    .map(({ name, box }) => `${name} (${Math.round(box.width)} by ${Math.round(box.height)})`);
}

/** Targets that something else covers in the middle once they have the focus. */
export function coveredTargets(elements: Node[]): string[] {
  return elements
    .filter((element) => element.checkVisibility())
    .map((element) => {
      element.focus();
      const target =
        (element.matches('[type=file]') ? element.nextElementSibling : element.closest('label')) ?? element;
      // Of a link that goes on in the next line, the first part.
      const { x, y, width, height } = target.getClientRects()[0] ?? target.getBoundingClientRect();
      const onTop = target.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
      return { name: target.textContent.trim(), isCovered: !target.contains(onTop) };
    })
    .flatMap(({ name, isCovered }) => (isCovered ? [name] : []));
}
