import type { Failure } from '../gateway/failure.ts';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { staffTexts } from './i18n/texts.ts';

interface StaffFailureProps {
  failure: Failure;
  /** Undefined when the call cannot be repeated. */
  onRetry?: (() => void) | undefined;
}

/** What went wrong, in the words of staff where they differ from those of patients. */
export function StaffFailure({ failure, onRetry }: StaffFailureProps) {
  return (
    <FailureNotice
      failure={failure}
      text={staffReason(failure)}
      {...(onRetry !== undefined && { onRetry })}
    />
  );
}

/** The text for staff; undefined where the one for everybody fits. */
export function staffReason({ reason }: Failure): string | undefined {
  const { problems } = staffTexts.value;
  return reason !== undefined && Object.hasOwn(problems, reason)
    ? problems[reason as keyof typeof problems]
    : undefined;
}
