import { useLayoutEffect } from 'preact/hooks';

/**
 * An effect for work that goes on by itself, such as storing, sending or following: it ends at once with its component. The
 * clean-up of `useEffect` waits for the next paint, which a tab in the background puts off; by then another user may be
 * signed in.
 */
export const useWhileShown = useLayoutEffect;
