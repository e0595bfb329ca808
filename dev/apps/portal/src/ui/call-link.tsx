import { fill } from '../i18n/texts.ts';
import { dialString } from './dial-string.ts';
import { PhoneIcon } from './icons.tsx';

interface CallLinkProps {
  /** As written for people, such as `+972 4 000 0000`. */
  number: string;
  /** With a placeholder `{number}`. */
  label: string;
}

/** The room of a link whose number is not known yet: what stands below does not move under a finger. */
export const CallPlace = () => (
  <span class="call unknown" aria-hidden="true">
    <PhoneIcon />
    <span>{'\u00a0'}</span>
  </span>
);

/** A telephone number that one tap dials. */
export function CallLink({ number, label }: CallLinkProps) {
  return (
    <a class="call" href={`tel:${dialString(number)}`}>
      <PhoneIcon />
      <span>{fill(label, { number: `\u2066${number}\u2069` })}</span>
    </a>
  );
}
