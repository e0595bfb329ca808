import { useEffect, useState } from 'preact/hooks';

interface TargetStateOptions {
  /** Of the record, as it was read last. */
  state: boolean;
  /** Whether a call is in flight: its own reply then closes the dialog. */
  busy: boolean;
  /** Called when the record has the state without this dialog, which is closed then. */
  onReached: (state: boolean) => void;
}

/**
 * The state that a confirmation dialog sets, fixed while it is open: when a read meanwhile changes the record, the question
 * must not turn into its opposite before it is confirmed.
 */
export function useTargetState({ state, busy, onReached }: TargetStateOptions) {
  const [target, setTarget] = useState<boolean>();
  useEffect(() => {
    if (busy || target === undefined || target !== state) return;
    setTarget(undefined);
    onReached(target);
  }, [target, state, busy]);
  return {
    /** Undefined while the dialog is closed. */
    target,
    open: () => setTarget(!state),
    close: () => setTarget(undefined),
  };
}
