import { takesCases } from '../cases/features.ts';
import { emergencyNumber } from '../../gateway/help-lines.ts';
import { isAnswered } from '../intake/intake.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { go } from '../../session/route.ts';
import { CallLink } from '../../ui/call-link.tsx';
import { Link } from '../../ui/link.tsx';
import { CameraIcon, ClockIcon, SunIcon, WarningIcon } from '../../ui/icons.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

export function HomePage({ intake: { intake, apply }, email }: { intake: IntakeSession; email: string }) {
  const { account, cases, home, result } = texts.value;
  const { steps, submitted = false } = intake.value;
  const answered = steps.filter(isAnswered).length;
  const startAgain = () => {
    apply({ type: 'started-again' });
    go('/intake');
  };
  return (
    <section class="card">
      <PageTitle about="home">{home.title}</PageTitle>
      <p class="lead">{takesCases.value ? cases.homeLead : home.lead}</p>
      <div class="notice urgent">
        <WarningIcon />
        <div>
          <p>{home.emergency}</p>
          {emergencyNumber.value !== undefined && (
            <CallLink number={emergencyNumber.value} label={result.call} />
          )}
        </div>
      </div>
      {steps.length > 0 && (
        <div class="resume">
          <h2>{submitted ? home.finished : home.unfinished}</h2>
          <p>{submitted ? home.finishedLead : fill(home.unfinishedLead, { count: number(answered) })}</p>
          <div class="actions">
            <button type="button" class="secondary outline" onClick={startAgain}>
              {home.startAgain}
            </button>
            <button type="button" onClick={() => go(submitted ? '/result' : '/intake')}>
              {submitted ? home.show : home.goOn}
            </button>
          </div>
        </div>
      )}
      {takesCases.value && (
        <p>
          <Link to="/cases">{cases.title}</Link>
        </p>
      )}
      <h2>{home.needTitle}</h2>
      <ul class="needs">
        <li>
          <CameraIcon /> {home.needPhoto}
        </li>
        <li>
          <SunIcon /> {home.needLight}
        </li>
        <li>
          <ClockIcon /> {home.needTime}
        </li>
      </ul>
      {steps.length === 0 && (
        <button type="button" class="large" onClick={() => go('/intake')}>
          {home.start}
        </button>
      )}
      <p class="small after">{fill(account.signedInAs, { email })}</p>
    </section>
  );
}
