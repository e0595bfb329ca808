import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * A ref for the element that takes the focus when `isOpen` becomes true. Once only: the next render, such as after a poll,
 * must not pull the focus out of another field.
 */
export function useFocusWhen<Target extends HTMLElement>(isOpen: boolean): RefObject<Target | null> {
  const target = useRef<Target>(null);
  useEffect(() => {
    if (isOpen) target.current?.focus();
  }, [isOpen]);
  return target;
}
