import type { Failure } from '../gateway/failure.ts';
import { duration } from '../i18n/format.ts';
import { texts } from '../i18n/language.ts';
import { fill } from '../i18n/texts.ts';
import { Link } from './link.tsx';
import { WarningIcon } from './icons.tsx';
import { useCountdown } from './use-countdown.ts';

interface FailureNoticeProps {
  failure: Failure;
  /** What is reassuring to know besides, such as that the answers are kept. */
  note?: string;
  /** Without it there is nothing to repeat. */
  onRetry?: () => void;
}

/** What went wrong, in the user's words, and another attempt as soon as the gateway allows one. */
export function FailureNotice({ failure, note, onRetry }: FailureNoticeProps) {
  const { account, common, problems } = texts.value;
  const { code, requestId, retryAfter = 0 } = failure;
  return (
    <div class="notice failure" role="alert">
      <WarningIcon />
      <div>
        <p>
          {problems[code]} {note}
        </p>
        {code === 'internal_error' && requestId !== undefined && (
          <p class="small">{fill(common.reference, { id: requestId })}</p>
        )}
        {code === 'email_unverified' && (
          <p>
            <Link to="/verify-email">{account.newLinkTitle}</Link>
          </p>
        )}
        {(onRetry !== undefined || retryAfter > 0) && <Retry failure={failure} onRetry={onRetry} />}
      </div>
    </div>
  );
}

function Retry({ failure, onRetry }: { failure: Failure; onRetry: (() => void) | undefined }) {
  const { tryAgain, tryAgainIn } = texts.value.common;
  const left = useCountdown(failure.retryAfter ?? 0, failure);
  // Not announced every second: the alert has said it once.
  if (left > 0) return <p aria-live="off">{fill(tryAgainIn, { wait: duration(left) })}</p>;
  if (onRetry === undefined) return null;
  return (
    <button type="button" class="outline" onClick={onRetry}>
      {tryAgain}
    </button>
  );
}
