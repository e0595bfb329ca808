import type { RedFlags } from 'dermagate-client';
import { texts } from '../../i18n/language.ts';
import { CallLink } from '../../ui/call-link.tsx';
import { bareFlags, flagsInOrder, isOpen } from './assessment.ts';

/** The only flag that the number of the crisis line is shown with. */
const SELF_HARM = 'self_harm_risk';

/** Whether the texts come with a number to call in a crisis. */
export const hasCrisisLine = ({ flags, crisisLine }: RedFlags): boolean =>
  crisisLine !== undefined && flags.includes(SELF_HARM);

/**
 * Each flag with its urgency in words, except open ones: those are one step less urgent than their text, which would
 * contradict it. Codes of flags without a text are for professionals.
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
