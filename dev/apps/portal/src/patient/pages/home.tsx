import type { ListedCase } from 'dermagate-client';
import { CaseRow } from '../cases/case-row.tsx';
import { CasesUnknown } from '../cases/cases-unknown.tsx';
import { takesCases } from '../cases/features.ts';
import { needsAttention, useCases } from '../cases/own-cases.ts';
import { DraftNote } from '../draft/draft-note.tsx';
import { ReplaceNotice } from '../draft/replace-notice.tsx';
import { storeFirst } from '../draft/stored-first.ts';
import { type Intake, isAnswered } from '../intake/intake.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { FlagBox } from '../result/red-flags-part.tsx';
import { urgentFlagsOf } from '../result/urgent-flags.tsx';
import { number } from '../../i18n/format.ts';
import { texts } from '../../i18n/language.ts';
import { fill } from '../../i18n/texts.ts';
import { useOnce } from '../../query/use-once.ts';
import { onThisPage } from '../../session/on-this-page.ts';
import { go } from '../../session/route.ts';
import { EmergencyNotice } from '../../ui/emergency-notice.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { CameraIcon, ClockIcon, SunIcon } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** More are on the page of all cases. */
const RECENT = 3;

/** The patient's folder: urgent signs first, then what waits, then what was begun, then a new start, then the cases. */
export function HomePage({ intake, email }: { intake: IntakeSession; email: string }) {
  const { account, cases, folder, home } = texts.value;
  const takes = takesCases.value;
  const { value, failure, again } = useCases(takes);
  const items = value?.items ?? [];
  const { steps, case: ownCase } = intake.intake.value;
  // Without a step `IntakeHere` shows nothing, and the draft would be on this page nowhere.
  const own = steps.length > 0 ? ownCase?.uuid : undefined;
  // Of answers that no doctor has; a case that is sent calls for help itself.
  const flags = steps.length > 0 && ownCase?.sent !== true ? urgentFlagsOf(intake) : undefined;
  const waiting = items.filter(needsAttention);
  const drafts = items.filter((item) => item.patient_status === 'draft' && item.uuid !== own);
  const others = items.filter((item) => item.patient_status !== 'draft' && !needsAttention(item));
  return (
    <section class="card">
      <PageTitle about="home">{home.title}</PageTitle>
      {flags !== undefined && <FlagBox redFlags={flags} title={texts.value.intake.flagTitle} />}
      <Lead takes={takes} />
      {flags?.urgency !== 'emergency' && <EmergencyNotice text={home.emergency} />}
      {failure !== undefined && <FailureNotice failure={failure} onRetry={again} />}
      <CasesUnknown />
      <CaseSection id="attention" title={folder.attention} items={waiting} />
      <IntakeHere intake={intake} />
      <CaseSection id="drafts" title={folder.continue} items={drafts} />
      <NewStart intake={intake} />
      <CaseSection id="recent" title={folder.recent} items={others.slice(0, RECENT)} />
      {takes && items.length > 0 && (
        <p class="after">
          <Link to="/cases">{cases.backToList}</Link>
        </p>
      )}
      <p class="small after">{fill(account.signedInAs, { email })}</p>
    </section>
  );
}

/** Takes the room of the longer text, so that nothing moves once it is known whether the clinic takes cases. */
function Lead({ takes }: { takes: boolean }) {
  const { cases, home } = texts.value;
  return (
    <p class="lead either">
      <span class={takes ? 'unseen' : undefined}>{home.lead}</span>
      <span class={takes ? undefined : 'unseen'}>{cases.homeLead}</span>
    </p>
  );
}

function CaseSection({ id, title, items }: { id: string; title: string; items: readonly ListedCase[] }) {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="case-list">
        {items.map((item) => (
          <CaseRow key={item.uuid} item={item} />
        ))}
      </ul>
    </section>
  );
}

/** The intake of this tab, finished or not. */
function IntakeHere({ intake }: { intake: IntakeSession }) {
  const { folder, home } = texts.value;
  const { steps, submitted = false, case: known } = intake.intake.value;
  if (steps.length === 0 || known?.sent === true) return null;
  const answered = number(steps.filter(isAnswered).length);
  const lead = submitted ? home.finishedLead : fill(home.unfinishedLead, { count: answered });
  const startAgain = () => {
    intake.apply({ type: 'started-again' });
    go('/intake');
  };
  return (
    <div class="resume">
      <h2>{submitted ? home.finished : home.unfinished}</h2>
      <p>{takesCases.value ? fill(folder.here, { count: answered }) : lead}</p>
      <DraftNote intake={intake} />
      <div class="actions">
        {!takesCases.value && (
          <button type="button" class="secondary outline" onClick={startAgain}>
            {home.startAgain}
          </button>
        )}
        <button type="button" onClick={() => go(submitted ? '/result' : '/intake')}>
          {submitted ? home.show : home.goOn}
        </button>
      </div>
    </div>
  );
}

/** Whether new answers would be on their own: without steps there may still be answers of a case, and the case itself. */
const isNew = ({ steps, drafts: _offered, ...others }: Intake): boolean =>
  steps.length === 0 && Object.values(others).every((part) => part === undefined);

/** Where drafts are stored at the clinic a new start leaves the answers so far among them. */
function NewStart({ intake }: { intake: IntakeSession }) {
  const { folder, home } = texts.value;
  const { busy, failure, run } = useOnce();
  const { steps, case: known } = intake.intake.value;
  const isHereOnly = steps.length > 0 && known?.sent !== true;
  const startAgain = () => {
    intake.apply({ type: 'started-again' });
    go('/intake');
  };
  const start = () => {
    if (isNew(intake.intake.value)) return go('/intake');
    void run(() => storeFirst(intake), onThisPage(startAgain));
  };
  return (
    <>
      <h2>{isHereOnly ? folder.newTitle : home.needTitle}</h2>
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
      {failure !== undefined && (
        <ReplaceNotice failure={failure} label={home.startAgain} onReplace={startAgain} />
      )}
      {(!isHereOnly || takesCases.value) && (
        <button
          type="button"
          class={isHereOnly ? 'large secondary outline' : 'large'}
          aria-busy={busy}
          onClick={start}
        >
          {isHereOnly ? folder.newStart : home.start}
        </button>
      )}
    </>
  );
}
