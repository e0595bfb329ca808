import { useEffect, useState } from 'preact/hooks';
import { texts } from '../i18n/language.ts';

/** Milliseconds after which a patient starts to wonder. */
const SLOW = 4000;

/** Shows that work is in progress, and after some seconds that it takes longer than usual. */
export function Loading({ children }: { children?: string }) {
  const { common, result } = texts.value;
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="loading" role="status">
      <p aria-busy="true">{children ?? common.loading}</p>
      {slow && <p>{result.slow}</p>}
    </div>
  );
}
