import type { User } from 'dermagate-client';
import { useEffect, useMemo } from 'preact/hooks';
import { AccountArea, isAccountPath } from '../account/account-area.tsx';
import { askNextQuestion, findRedFlags } from '../gateway/gateway.ts';
import { texts } from '../i18n/language.ts';
import { leaveQuestions, matchPath, onQuestionsBack, path } from '../session/route.ts';
import { onUserGone } from '../session/session.ts';
import '../styles/intake.css';
import '../styles/folder.css';
import '../styles/result.css';
import { Frame } from '../ui/frame.tsx';
import { LinkPage } from '../ui/link-page.tsx';
import { useWhileShown } from '../ui/use-while-shown.ts';
import { takesCases, watchFeatures } from './cases/features.ts';
import { needsAttention, useCases } from './cases/own-cases.ts';
import { useDraftSaver } from './draft/use-draft-saver.ts';
import { type IntakeSession, openIntake } from './intake/intake-session.ts';
import { loadIntake, saveIntake } from './intake/intake-storage.ts';
import { CasePage } from './pages/case.tsx';
import { CaseSheetPage, IntakeSheetPage } from './pages/sheet.tsx';
import { CasesPage } from './pages/cases.tsx';
import { HomePage } from './pages/home.tsx';
import { IntakePage } from './pages/intake.tsx';
import { SendCasePage } from './pages/send-case.tsx';

watchFeatures();

/** Everything that a patient, or who acts for one, sees once signed in. */
export default function Patient({ user }: { user: User }) {
  const { cases, folder } = texts.value;
  const takes = takesCases.value;
  const { value: own } = useCases(takes);
  const waiting = own?.items.filter(needsAttention).length;
  const links = [
    { to: '/', label: folder.home },
    ...(takes ? [{ to: '/cases', label: cases.title, ...(waiting !== 0 && { count: waiting }) }] : []),
  ];
  return (
    <Frame links={links}>
      {isAccountPath(path.value) ? <AccountArea user={user} /> : <PatientPage user={user} />}
    </Frame>
  );
}

function PatientPage({ user: { uuid, email } }: { user: User }) {
  const intake = useMemo(() => {
    const save = saveIntake.bind(null, uuid);
    return openIntake(loadIntake(uuid), { askNextQuestion, findRedFlags, save });
  }, [uuid]);
  useDraftSaver(intake, uuid);
  useWhileShown(() => onUserGone((except) => except?.uuid !== uuid && intake.abandon()), [intake, uuid]);
  useWhileShown(() => intake.stop, [intake]);
  useEffect(() => onQuestionsBack((questions) => goBackBy(questions, intake)), [intake]);
  const printedCase = matchPath<'uuid'>('/cases/:uuid/for-my-doctor');
  if (printedCase !== undefined) return <CaseSheetPage key={printedCase.uuid} uuid={printedCase.uuid} />;
  const shownCase = matchPath<'uuid'>('/cases/:uuid');
  if (shownCase !== undefined) return <CasePage key={shownCase.uuid} uuid={shownCase.uuid} intake={intake} />;
  switch (path.value) {
    case '/cases':
      return <CasesPage intake={intake} />;
    case '/send':
      return canSend(intake) ? <SendCasePage intake={intake} /> : <HomePage intake={intake} email={email} />;
    case '/result/for-my-doctor':
      return intake.intake.value.steps.length > 0 ? (
        <IntakeSheetPage intake={intake} />
      ) : (
        <HomePage intake={intake} email={email} />
      );
    case '/':
      return <HomePage intake={intake} email={email} />;
    case '/intake':
    case '/result':
      return <IntakePage intake={intake} showsResult={path.value === '/result'} />;
    default:
      return <LinkPage title={texts.value.common.pageNotFound} />;
  }
}

/** An intake becomes one case, once its questions are over. */
const canSend = ({ intake: { value } }: IntakeSession): boolean =>
  takesCases.value && value.steps.length > 0 && value.case?.sent !== true;

function goBackBy(questions: number, { intake, back }: IntakeSession): void {
  const { steps, before } = intake.value;
  if (steps.length === 0 && before === undefined) leaveQuestions();
  else for (let gone = 0; gone < questions; gone++) back();
}
