import { emergencyNumber } from '../gateway/help-lines.ts';
import { texts } from '../i18n/language.ts';
import { CallLink } from './call-link.tsx';
import { WarningIcon } from './icons.tsx';

/** When to call instead of going on, with the number to dial. */
export function EmergencyNotice({ text }: { text: string }) {
  return (
    <div class="notice urgent">
      <WarningIcon />
      <div>
        <p>{text}</p>
        <CallLink number={emergencyNumber.value} label={texts.value.result.call} />
      </div>
    </div>
  );
}
