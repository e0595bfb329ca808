import type { ComponentChildren } from 'preact';
import { go } from '../session/route.ts';

interface LinkProps {
  to: string;
  children: ComponentChildren;
  class?: string;
  /** Whether it leads to the page on the screen or to the place that contains it. */
  current?: boolean;
}

/** A link to another page of the portal. With a modifier key it opens a tab, as any link does. */
export function Link({ to, children, class: className, current = false }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} class={className} aria-current={current ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
