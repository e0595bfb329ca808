import type { Failure } from '../../gateway/failure.ts';
import { texts } from '../../i18n/language.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { deskTexts } from '../i18n/texts.ts';

/** Why a call failed, in the words of physicians where they have some. */
export function failureText({ code, reason }: Failure): string {
  const { problems } = deskTexts.value;
  return reason !== undefined && Object.hasOwn(problems, reason)
    ? problems[reason as keyof typeof problems]
    : texts.value.problems[code];
}

export function DeskFailure({ failure, onRetry }: { failure: Failure; onRetry?: (() => void) | undefined }) {
  return (
    <FailureNotice
      failure={failure}
      text={failureText(failure)}
      {...(onRetry !== undefined && { onRetry })}
    />
  );
}
