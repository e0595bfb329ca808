import type { RedFlags } from 'dermagate-client';
import { number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { CheckIcon, InfoIcon, WarningIcon } from '../../ui/icons.tsx';
import { CallLink } from '../../ui/call-link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { flagsInOrder, isOpen, type Part, splitByEmergency, type Unknowns } from './assessment.ts';
import { FlagTexts } from './flag-texts.tsx';

interface RedFlagsPartProps {
  part: Part<RedFlags>;
  /** Whether "none found" may have a tick. */
  reassuring: boolean;
  unknowns: Unknowns;
}

/** The first part of every result: warning signs, "none found", or "not known". */
export function RedFlagsPart({ part, reassuring, unknowns }: RedFlagsPartProps) {
  const { result } = texts.value;
  if (part.state === 'waiting') return <Loading>{result.checkingFlags}</Loading>;
  if (part.state === 'failed') {
    return (
      <p class="notice urgent" role="alert">
        <WarningIcon />
        <strong>{result.flagsMissing}</strong>
      </p>
    );
  }
  if (part.value.hasRedFlags) return <FlagBox redFlags={part.value} />;
  return (
    <p class={reassuring ? 'notice success' : 'notice'} role="status">
      {reassuring ? <CheckIcon /> : <InfoIcon />}
      <span>{[result.noFlags, ...unknownTexts(unknowns)].join(' ')}</span>
    </p>
  );
}

function unknownTexts({ openQuestions, unsureAnswers }: Unknowns): string[] {
  const { result } = texts.value;
  return [
    ...(openQuestions > 0 ? [fill(result.safetyOpen, { count: number(openQuestions) })] : []),
    ...(unsureAnswers > 0 ? [fill(result.unsureAnswers, { count: number(unsureAnswers) })] : []),
  ];
}

/** An emergency alone, with the number to call; otherwise every flag, the most urgent first. */
export function FlagBox({ redFlags, title }: { redFlags: RedFlags; title?: string }) {
  const { result } = texts.value;
  const { emergency, others } = splitByEmergency(redFlags);
  const { urgency, emergencyNumber, flagDetails = [] } = redFlags;
  const allOpen = flagDetails.length > 0 && flagDetails.every(isOpen);
  const lead = allOpen ? result.flagsOpenLead : result.flagsLead;
  return (
    <section class={`red-flags ${urgency}`} role="alert" aria-labelledby="red-flags">
      <h2 id="red-flags">
        <WarningIcon />
        {emergency === undefined ? (title ?? result.flagsTitle) : result.emergencyTitle}
      </h2>
      <p>
        <strong>{emergency === undefined ? lead : result.callNow}</strong>
      </p>
      {emergency !== undefined && emergencyNumber !== undefined && (
        <CallLink number={emergencyNumber} label={result.call} />
      )}
      <FlagTexts redFlags={emergency ?? others} />
    </section>
  );
}

/** The flags less urgent than the emergency above them. */
export function OtherFlags({ redFlags }: { redFlags: RedFlags }) {
  const { emergency, others } = splitByEmergency(redFlags);
  if (emergency === undefined || others.flags.length + flagsInOrder(others).length === 0) return null;
  return (
    <section class="part" aria-labelledby="other-flags">
      <h2 id="other-flags">{texts.value.result.otherFlagsTitle}</h2>
      <FlagTexts redFlags={others} />
    </section>
  );
}
