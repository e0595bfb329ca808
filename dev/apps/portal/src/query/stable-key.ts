import { useRef } from 'preact/hooks';

/** An idempotency key that stays the same until the content changes: a lost reply does nothing twice. */
export function useStableKey(): (content: unknown) => string {
  const last = useRef<{ content: string; key: string } | undefined>(undefined);
  return (content) => {
    const text = JSON.stringify(content);
    if (last.current?.content !== text) last.current = { content: text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
