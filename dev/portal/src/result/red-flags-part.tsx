import type { RedFlags } from 'dermagate-client';
import { texts } from '../i18n/language.ts';
import { CheckIcon, WarningIcon } from '../ui/icons.tsx';
import { Loading } from '../ui/loading.tsx';
import { flagsInOrder, type Part } from './assessment.ts';

/** The first thing of every result: warning signs, or that there are none, or that nobody knows. */
export function RedFlagsPart({ part }: { part: Part<RedFlags> }) {
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
  if (part.value.hasRedFlags) return <RedFlagList redFlags={part.value} />;
  return (
    <p class="notice" role="status">
      <CheckIcon />
      <span>{result.noFlags}</span>
    </p>
  );
}

function RedFlagList({ redFlags }: { redFlags: RedFlags }) {
  const { result } = texts.value;
  const isEmergency = redFlags.urgency === 'emergency';
  return (
    <section class={`red-flags ${redFlags.urgency}`} role="alert" aria-labelledby="red-flags">
      <h2 id="red-flags">
        <WarningIcon />
        {isEmergency ? result.emergencyTitle : result.flagsTitle}
      </h2>
      <p>
        <strong>{isEmergency ? result.callNow : result.flagsLead}</strong>
      </p>
      <FlagTexts redFlags={redFlags} />
    </section>
  );
}

/** Each with its urgency in words; flags that came without a text are shown by their code. */
export function FlagTexts({ redFlags }: { redFlags: RedFlags }) {
  const { urgency } = texts.value.result;
  const details = flagsInOrder(redFlags);
  const bare = redFlags.flags.filter((flag) => !details.some(({ code }) => code === flag));
  return (
    <ul class="flags">
      {details.map((flag) => (
        <li key={flag.code}>
          <span class={`tag ${flag.urgency}`}>{urgency[flag.urgency]}</span> {flag.text}
        </li>
      ))}
      {bare.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
  );
}
