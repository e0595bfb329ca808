import type { User } from 'dermagate-client';
import type { ComponentType } from 'preact';
import { lazy, Suspense } from 'preact/compat';
import { useEffect } from 'preact/hooks';
import { AcceptInvitationPage } from './account/accept-invitation.tsx';
import { ForgotPasswordPage } from './account/forgot-password.tsx';
import { readPushMarker } from './account/push/push-marker.ts';
import { RegisterPage } from './account/register.tsx';
import { ResetPasswordPage } from './account/reset-password.tsx';
import { SignInPage } from './account/sign-in.tsx';
import { VerifyEmailPage } from './account/verify-email.tsx';
import { path } from './session/route.ts';
import { openSession, session } from './session/session.ts';
import { FailureNotice } from './ui/failure-notice.tsx';
import { Frame } from './ui/frame.tsx';
import { LoadBoundary } from './ui/load-boundary.tsx';
import { Loading } from './ui/loading.tsx';

/** Pages that need no session; links in mails lead to the last three. */
const publicPages: Readonly<Record<string, ComponentType>> = {
  '/register': RegisterPage,
  '/forgot-password': ForgotPasswordPage,
  '/reset-password': ResetPasswordPage,
  '/accept-invitation': AcceptInvitationPage,
  '/verify-email': VerifyEmailPage,
};

/** Each loaded when the first user with its role arrives. */
const areas: Readonly<Record<User['role'], ComponentType<{ user: User }>>> = {
  patient: lazy(() => import('./patient/patient.tsx')),
  physician: lazy(() => import('./desk/desk.tsx')),
  admin: lazy(() => import('./office/office.tsx')),
};

export function App() {
  const PublicPage = publicPages[path.value];
  if (PublicPage === undefined) return <SessionPage />;
  return (
    <Frame>
      <PublicPage />
    </Frame>
  );
}

function SessionPage() {
  const now = session.value;
  switch (now.state) {
    case 'opening':
      return (
        <Frame>
          <Loading />
        </Frame>
      );
    case 'unreachable':
      return (
        <Frame>
          <FailureNotice failure={now.failure} onRetry={() => void openSession()} />
        </Frame>
      );
    case 'signed-out':
      return (
        <Frame>
          <SignInPage />
        </Frame>
      );
    case 'signed-in':
      return <UserArea user={now.user} />;
  }
}

/** Admins read cases where physicians do. */
const isOfDesk = (at: string) => at === '/search' || at.startsWith('/cases/');

/** Each area has a frame of its own: what leads where differs. */
function UserArea({ user }: { user: User }) {
  const Area = areas[user.role === 'admin' && isOfDesk(path.value) ? 'physician' : user.role];
  useEffect(() => {
    if (readPushMarker() === user.uuid)
      void import('./account/push/browser-push.ts').then(({ renewPush }) => renewPush(user.uuid));
  }, [user.uuid]);
  const waiting = (
    <Frame>
      <Loading />
    </Frame>
  );
  return (
    <LoadBoundary key={user.uuid}>
      <Suspense fallback={waiting}>
        <Area key={user.uuid} user={user} />
      </Suspense>
    </LoadBoundary>
  );
}
