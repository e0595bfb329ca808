import type { User } from 'dermagate-client';
import type { ComponentType } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { askNextQuestion, findRedFlags } from './gateway/gateway.ts';
import { texts } from './i18n/language.ts';
import { saveIntake, loadIntake } from './intake/intake-storage.ts';
import { type IntakeSession, openIntake } from './intake/intake-session.ts';
import { takesCases } from './cases/features.ts';
import { AcceptInvitationPage } from './pages/accept-invitation.tsx';
import { CasePage } from './pages/case.tsx';
import { CasesPage } from './pages/cases.tsx';
import { ForgotPasswordPage } from './pages/forgot-password.tsx';
import { HomePage } from './pages/home.tsx';
import { IntakePage } from './pages/intake.tsx';
import { LinkPage } from './pages/link-page.tsx';
import { RegisterPage } from './pages/register.tsx';
import { ResetPasswordPage } from './pages/reset-password.tsx';
import { SendCasePage } from './pages/send-case.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { VerifyEmailPage } from './pages/verify-email.tsx';
import { leaveQuestions, onQuestionsBack, path } from './session/route.ts';
import { openSession, session } from './session/session.ts';
import { FailureNotice } from './ui/failure-notice.tsx';
import { Frame } from './ui/frame.tsx';
import { Loading } from './ui/loading.tsx';

/** Pages that need no session; links in mails lead to the last three. */
const publicPages: Readonly<Record<string, ComponentType>> = {
  '/register': RegisterPage,
  '/forgot-password': ForgotPasswordPage,
  '/reset-password': ResetPasswordPage,
  '/accept-invitation': AcceptInvitationPage,
  '/verify-email': VerifyEmailPage,
};

export function App() {
  const PublicPage = publicPages[path.value];
  return <Frame>{PublicPage === undefined ? <SessionPage /> : <PublicPage />}</Frame>;
}

function SessionPage() {
  const now = session.value;
  switch (now.state) {
    case 'opening':
      return <Loading />;
    case 'unreachable':
      return <FailureNotice failure={now.failure} onRetry={() => void openSession()} />;
    case 'signed-out':
      return <SignInPage />;
    case 'signed-in':
      return <UserPage user={now.user} />;
  }
}

function UserPage({ user: { uuid, email } }: { user: User }) {
  const intake = useMemo(() => {
    const save = saveIntake.bind(null, uuid);
    return openIntake(loadIntake(uuid), { askNextQuestion, findRedFlags, save });
  }, [uuid]);
  useEffect(() => onQuestionsBack((questions) => goBackBy(questions, intake)), [intake]);
  const [, caseUuid] = /^\/cases\/([\w-]+)$/.exec(path.value) ?? [];
  if (caseUuid !== undefined) return <CasePage key={caseUuid} uuid={caseUuid} intake={intake} />;
  switch (path.value) {
    case '/cases':
      return <CasesPage />;
    case '/send':
      return canSend(intake) ? <SendCasePage intake={intake} /> : <HomePage intake={intake} email={email} />;
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
