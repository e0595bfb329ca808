import type { User } from 'dermagate-client';
import { lazy, Suspense } from 'preact/compat';
import { LoadBoundary } from '../ui/load-boundary.tsx';
import { Loading } from '../ui/loading.tsx';

const Pages = lazy(() => import('./settings/account-pages.tsx'));

/** Whether the path is one of the account pages. */
export const isAccountPath = (path: string): boolean => path === '/account' || path.startsWith('/account/');

/** The pages at `/account`, for every role; they fit in the frame of any area and are loaded when they are needed. */
export function AccountArea({ user }: { user: User }) {
  return (
    <LoadBoundary>
      <Suspense fallback={<Loading />}>
        <Pages user={user} />
      </Suspense>
    </LoadBoundary>
  );
}
