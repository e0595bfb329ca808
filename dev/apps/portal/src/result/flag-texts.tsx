import type { RedFlags } from 'dermagate-client';
import { texts } from '../i18n/language.ts';
import { CallLink } from '../ui/call-link.tsx';
import { bareFlags, flagsInOrder, isOpen } from './assessment.ts';

/** The flag that a crisis line helps with; the number is shown beside it and nowhere else. */
const SELF_HARM = 'self_harm_risk';

/**
 * Each with its urgency in words; one that answers leave open is a step less urgent than its text, so that its urgency
 * would contradict it. The codes of flags that came without a text are for professionals.
 */
export function FlagTexts({ redFlags }: { redFlags: RedFlags }) {
  const { result } = texts.value;
  const { crisisLine } = redFlags;
  const bare = bareFlags(redFlags);
  return (
    <ul class="flags">
      {flagsInOrder(redFlags).map((flag) => (
        <li key={flag.code}>
          {isOpen(flag) ? (
            <span class="tag">{result.notExcluded}</span>
          ) : (
            <span class={`tag ${flag.urgency}`}>{result.urgency[flag.urgency]}</span>
          )}{' '}
          {flag.text}
          {flag.code === SELF_HARM && crisisLine !== undefined && (
            <CallLink number={crisisLine} label={result.callCrisisLine} />
          )}
        </li>
      ))}
      {bare.length > 0 && <li>{result.unnamedFlag}</li>}
    </ul>
  );
}
