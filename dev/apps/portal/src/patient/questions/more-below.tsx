import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { DownIcon } from '../../ui/icons.tsx';

type Form = RefObject<HTMLFormElement | null>;

/** The number of options below the visible area, as a button that scrolls to them. */
export function MoreBelow({ form }: { form: Form }) {
  const hidden = useHiddenOptions(form);
  const [wasNeeded, setNeeded] = useState(false);
  useLayoutEffect(() => {
    if (hidden.length > 0) setNeeded(true);
  }, [hidden]);
  const [first] = hidden;
  // Its space stays reserved, so that no option moves under a finger.
  if (first === undefined) return wasNeeded ? <div class="more-place" /> : null;
  return (
    <button type="button" class="more" onClick={() => first.scrollIntoView({ block: 'start' })}>
      {fill(texts.value.intake.moreBelow, { count: number(hidden.length) })} <DownIcon />
    </button>
  );
}

function useHiddenOptions(form: Form): readonly Element[] {
  const [hidden, setHidden] = useState<readonly Element[]>([]);
  useLayoutEffect(() => {
    const measure = () => setHidden((before) => sameOr(before, hiddenOptions(form.current)));
    measure();
    const resized = new ResizeObserver(measure);
    if (form.current !== null) resized.observe(form.current);
    addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      resized.disconnect();
      removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, []);
  return hidden;
}

/** The options that are not fully visible. */
function hiddenOptions(form: HTMLFormElement | null): Element[] {
  const bar = form?.querySelector('.sticky')?.getBoundingClientRect();
  if (form === null || bar === undefined) return [];
  const end = Math.min(bar.top, innerHeight) + 1;
  return [...form.querySelectorAll('.options > li')].filter(
    (option) => option.getBoundingClientRect().bottom > end,
  );
}

const sameOr = (before: readonly Element[], now: readonly Element[]) =>
  before.length === now.length && before[0] === now[0] ? before : now;
