import { texts } from '../../i18n/language.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { go } from '../../session/route.ts';
import { Link } from '../../ui/link.tsx';

/** The way from the assessment to a doctor, or to the case that it has become. */
export function SendPart({ intake, isEmergency }: { intake: IntakeSession; isEmergency: boolean }) {
  const { cases } = texts.value;
  const { case: known } = intake.intake.value;
  return (
    <section class="part" aria-labelledby="send">
      <h2 id="send">{cases.sendTitle}</h2>
      {known?.sent === true ? (
        <p>
          {cases.sent} <Link to={`/cases/${known.uuid}`}>{cases.show}</Link>
        </p>
      ) : (
        <>
          <p>{isEmergency ? cases.sendEmergency : cases.sendLead}</p>
          <button type="button" class="large" onClick={() => go('/send')}>
            {cases.send}
          </button>
        </>
      )}
    </section>
  );
}
