import { useEffect } from 'preact/hooks';
import { readConsent } from '../../gateway/case-calls.ts';
import type { Failure } from '../../gateway/failure.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ConsentBox } from './consent-box.tsx';
import { useLoaded } from '../../query/use-loaded.ts';

interface CurrentConsentProps {
  /** Version of the text that the patient has agreed to here. */
  accepted: string | undefined;
  onChange: (version: string | undefined) => void;
  /** Why sending was refused here. */
  error: string | undefined;
  /** Why the gateway refused it: `consent_outdated` loads the text again, without the agreement. */
  failure: Failure | undefined;
}

/** The consent that counts now. */
export function CurrentConsent({ accepted, onChange, error, failure }: CurrentConsentProps) {
  const { outcome, again } = useLoaded(readConsent, 'consent');
  useEffect(() => {
    if (failure?.code !== 'consent_outdated') return;
    onChange(undefined);
    again();
  }, [failure]);
  if (outcome === undefined) return <Loading />;
  if (!outcome.ok) return <FailureNotice failure={outcome.failure} onRetry={again} />;
  const { version } = outcome.value;
  return (
    <ConsentBox
      consent={outcome.value}
      accepted={accepted === version}
      onChange={(yes) => onChange(yes ? version : undefined)}
      error={error}
    />
  );
}
