import type { CaseDetail } from 'dermagate-client';
import { deskTexts } from '../i18n/texts.ts';
import { shortMoment } from '../parts/format.ts';

/** What patient and clinic have written to each other, and what has happened to the case. */
export function Messages({ shown }: { shown: CaseDetail }) {
  const { case: words } = deskTexts.value;
  return (
    <section class="panel" aria-labelledby="messages">
      <h2 id="messages">{words.messages}</h2>
      {shown.messages.length === 0 && <p class="small">{words.noMessages}</p>}
      <ol class="messages">
        {shown.messages.map(({ uuid, direction, codes, text, created_at: at, read_at: read }) => (
          <li key={uuid} class={direction}>
            <p class="small">
              {direction === 'to_patient' ? words.fromClinic : words.fromPatient} ·{' '}
              <time dateTime={at}>{shortMoment(at)}</time>
              {read === null && ` · ${words.notRead}`}
            </p>
            {codes.length > 0 && <p class="code">{codes.join(', ').replaceAll('_', ' ')}</p>}
            {text !== null && (
              <p class="message" dir="auto">
                {text}
              </p>
            )}
          </li>
        ))}
      </ol>
      {shown.eligibility.reasons.length > 0 && (
        <>
          <h3>{words.eligibility}</h3>
          <ul>
            {/* Several missing answers have one text. */}
            {[...new Set(shown.eligibility.reasons.map(({ text }) => text))].map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
      <details>
        <summary>{words.timeline}</summary>
        <ol class="events">
          {shown.timeline.map(({ at, action, actor }, index) => (
            <li key={index}>
              <time dateTime={at}>{shortMoment(at)}</time>{' '}
              <span dir="ltr">{action.replaceAll('_', ' ')}</span>
              {' · '}
              {actor.display_name ?? actorWord(actor.kind)}
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}

function actorWord(kind: 'patient' | 'staff' | 'system'): string {
  const { byPatient, byStaff, bySystem } = deskTexts.value.case;
  return { patient: byPatient, staff: byStaff, system: bySystem }[kind];
}
