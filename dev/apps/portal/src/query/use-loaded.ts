import { useEffect, useState } from 'preact/hooks';
import type { Outcome } from '../gateway/attempt.ts';
import { language } from '../i18n/language.ts';

/**
 * What `load` returns, again for another `about` and another language; what was loaded before stays meanwhile.
 * @returns the outcome, undefined until there is one; a function that loads again; one that sets the value.
 */
export function useLoaded<Value>(load: (signal: AbortSignal) => Promise<Outcome<Value>>, about: unknown) {
  const [outcome, setOutcome] = useState<Outcome<Value>>();
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    load(leaving.signal).then(setOutcome, (reason: unknown) => {
      if (!leaving.signal.aborted) throw reason;
    });
    return () => leaving.abort();
  }, [about, language.value, attempts]);
  const again = () => setAttempts((before) => before + 1);
  return { outcome, again, set: (value: Value) => setOutcome({ ok: true, value }) };
}
