import { useEffect, useState } from 'preact/hooks';

/** The seconds left of `seconds`; restarts when `subject` changes. */
export function useCountdown(seconds: number, subject: unknown): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = Date.now() + seconds * 1000;
    const tick = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [seconds, subject]);
  return left;
}
