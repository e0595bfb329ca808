import type { CaseMessage, MobileCase } from 'dermagate-client';
import { dateAndTime } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { askedWords } from './asked-words.ts';

interface Entry {
  at: string;
  title: string;
  message?: CaseMessage;
}

/** What is known of a case's way, the oldest first. */
export function CaseHistory({ shown }: { shown: MobileCase }) {
  const { cases } = texts.value;
  return (
    <section class="part" aria-labelledby="history">
      <h2 id="history">{cases.history}</h2>
      <ol class="timeline">
        {entriesOf(shown).map(({ at, title, message }) => (
          <li key={message?.uuid ?? title}>
            <p>
              <strong>{title}</strong> <time dateTime={at}>{dateAndTime(new Date(at))}</time>{' '}
              {message !== undefined && <ReadTag message={message} />}
            </p>
            {message !== undefined && <MessageText message={message} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A message of the patient is not new to them: until it is read it has no tag. */
function ReadTag({ message: { direction, read_at: readAt } }: { message: CaseMessage }) {
  const { cases } = texts.value;
  if (readAt !== null) return <span class="tag">{cases.read}</span>;
  return direction === 'to_patient' ? <span class="tag">{cases.unread}</span> : null;
}

export function MessageText({ message: { codes, text } }: { message: CaseMessage }) {
  return (
    <>
      {askedWords(codes).map((words) => (
        <p key={words}>{words}</p>
      ))}
      {text !== null && (
        <p class="message" dir="auto">
          {text}
        </p>
      )}
    </>
  );
}

function entriesOf({ created_at: created, submitted_at: submitted, messages }: MobileCase): Entry[] {
  const { cases } = texts.value;
  const entries: Entry[] = [
    { at: created, title: cases.created },
    ...(submitted === null ? [] : [{ at: submitted, title: cases.submitted }]),
    ...messages.map((message) => ({
      at: message.created_at,
      title: message.direction === 'to_patient' ? cases.fromService : cases.fromYou,
      message,
    })),
  ];
  return entries.toSorted((a, b) => a.at.localeCompare(b.at));
}
