import type { Failure } from '../gateway/failure.ts';
import { duration } from '../i18n/format.ts';
import { texts } from '../i18n/language.ts';
import { fill } from '../i18n/texts.ts';
import { Link } from './link.tsx';
import { WarningIcon } from './icons.tsx';
import { useCountdown } from './use-countdown.ts';

interface FailureNoticeProps {
  failure: Failure;
  /** Instead of the text of its code. */
  text?: string | undefined;
  /** A reassuring addition, such as that the answers are safe. */
  note?: string;
  /** Undefined when the call cannot be repeated. */
  onRetry?: () => void;
}

/** What went wrong, in the user's language, and a retry as soon as the gateway allows one. */
export function FailureNotice({ failure, text, note, onRetry }: FailureNoticeProps) {
  const { account, common, problems } = texts.value;
  const { code, requestId, retryAfter = 0 } = failure;
  return (
    <div class="notice failure" role="alert">
      <WarningIcon />
      <div>
        <p>
          {text ?? problems[code]} {note}
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
  // Off, because the alert has announced the wait; a screen reader must not repeat it every second.
  if (left > 0) return <p aria-live="off">{fill(tryAgainIn, { wait: duration(left) })}</p>;
  if (onRetry === undefined) return null;
  return (
    <button type="button" class="outline" onClick={onRetry}>
      {tryAgain}
    </button>
  );
}
