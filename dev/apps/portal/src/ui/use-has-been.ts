import { useRef } from 'preact/hooks';

/**
 * Whether `value` is true, or has been since the component is on the screen. A part that folds while it is worked in loses
 * the focus, and the next letters are keys of the page.
 */
export function useHasBeen(value: boolean): boolean {
  const hasBeen = useRef(value);
  hasBeen.current ||= value;
  return hasBeen.current;
}
