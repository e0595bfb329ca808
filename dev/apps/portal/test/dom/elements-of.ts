import type { VNode } from 'preact';

export type Element = VNode<Record<string, unknown>> & { type: string };

/** The elements of a page as it is first drawn, without a browser. The hooks must be those of `firstDrawing`. */
export function elementsOf(node: unknown): Element[] {
  if (Array.isArray(node)) return node.flatMap(elementsOf);
  if (typeof node !== 'object' || node === null || !('type' in node)) return [];
  const { type, props } = node as VNode<Record<string, unknown>>;
  if (typeof type === 'function') return elementsOf((type as (given: unknown) => unknown)(props));
  return [...(type === '' ? [] : [node as Element]), ...elementsOf(props['children'])];
}

export const textOf = (node: unknown): string => {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (typeof node !== 'object' || node === null || !('props' in node)) return '';
  return textOf((node as VNode<{ children?: unknown }>).props.children);
};

export function press(elements: readonly Element[], label: string): void {
  const isNamed = ({ type, props }: Element) => type === 'button' && textOf(props['children']) === label;
  const pressed = elements.find(isNamed)?.props['onClick'];
  if (pressed === undefined) throw new Error(`There is no button "${label}".`);
  (pressed as () => void)();
}

/** In place of `preact/hooks`, where nothing is drawn a second time. */
export const firstDrawing = () => ({
  useEffect: () => {},
  useLayoutEffect: () => {},
  useMemo: <Value>(make: () => Value) => make(),
  useRef: <Value>(current: Value) => ({ current }),
  useState: <Value>(start: Value | (() => Value)) => [
    typeof start === 'function' ? (start as () => Value)() : start,
    () => {},
  ],
});
