import type { MobileCase } from 'dermagate-client';
import { findRedFlags } from '../../gateway/gateway.ts';
import { texts } from '../../i18n/language.ts';
import { useRead } from '../../query/use-read.ts';
import { EmergencyNotice } from '../../ui/emergency-notice.tsx';
import { FlagBox } from '../result/red-flags-part.tsx';
import { certainOnes } from '../result/urgent-flags.tsx';

/**
 * What the answers of a draft call for. A draft has no advice, and it may have been begun on another device, so the gateway
 * is asked; when to call is there before its reply, and without it.
 */
export function DraftFlags({ shown: { uuid, version, anamnesis } }: { shown: MobileCase }) {
  const { home, intake } = texts.value;
  const { value } = useRead(['draft flags', uuid, version], (signal) => findRedFlags(anamnesis, signal), {
    survivesLanguage: true,
    unchanging: true,
  });
  const flags = value && certainOnes(value);
  return (
    <>
      {flags !== undefined && <FlagBox redFlags={flags} title={intake.flagTitle} />}
      {flags?.urgency !== 'emergency' && <EmergencyNotice text={home.emergency} />}
    </>
  );
}
