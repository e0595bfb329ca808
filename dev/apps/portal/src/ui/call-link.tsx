import { fill } from '../i18n/texts.ts';
import { dialString } from './dial-string.ts';
import { PhoneIcon } from './icons.tsx';

interface CallLinkProps {
  /** As written for people, such as `+972 4 000 0000`; undefined until it is known. */
  number: string | undefined;
  /** With a placeholder `{number}`. */
  label: string;
}

/** A telephone number that one tap dials. It has its room before it is known: nothing below it moves under a finger. */
export function CallLink({ number, label }: CallLinkProps) {
  if (number === undefined) {
    return (
      <span class="call unknown" aria-hidden="true">
        <PhoneIcon />
        <span>{'\u00a0'}</span>
      </span>
    );
  }
  return (
    <a class="call" href={`tel:${dialString(number)}`}>
      <PhoneIcon />
      <span>{fill(label, { number: `\u2066${number}\u2069` })}</span>
    </a>
  );
}
