import type { ComponentChildren } from 'preact';
import { go } from '../session/route.ts';

/** A link to another page of the portal. With a modifier key it opens a tab, as any link does. */
export function Link({ to, children }: { to: string; children: ComponentChildren }) {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={to} onClick={follow}>
      {children}
    </a>
  );
}
