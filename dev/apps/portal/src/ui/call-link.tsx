import { fill } from '../i18n/texts.ts';
import { dialString } from './dial-string.ts';
import { PhoneIcon } from './icons.tsx';

interface CallLinkProps {
  /** As people write it, such as `+972 4 000 0000`. */
  number: string;
  /** With a place `{number}`. */
  label: string;
}

/** A telephone number that is dialled with one tap. */
export function CallLink({ number, label }: CallLinkProps) {
  return (
    <a class="call" href={`tel:${dialString(number)}`}>
      <PhoneIcon />
      <span>{fill(label, { number: `\u2066${number}\u2069` })}</span>
    </a>
  );
}
