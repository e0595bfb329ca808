import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../i18n/language.ts';

/**
 * The heading of a page or a question. It takes the focus when it appears, so that screen readers read it and the
 * keyboard continues from there; a new `about` does so again within the same component.
 */
export function PageTitle({ about, children }: { about: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [about]);
  useEffect(() => {
    document.title = `${heading.current?.textContent} – ${texts.value.common.product}`;
  });
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
