// Generated from the files below src/functions/: `npm run generate`. Explicit, so that one bundled file can deploy.
import { checkImage } from './functions/ai/check-image.ts';
import { checkRedFlags } from './functions/ai/check-red-flags.ts';
import { getNextQuestion } from './functions/ai/get-next-question.ts';
import { predictDiagnosis } from './functions/ai/predict-diagnosis.ts';
import { triageCase } from './functions/ai/triage-case.ts';
import { changePassword } from './functions/auth/change-password.ts';
import { endSession } from './functions/auth/end-session.ts';
import { getMe } from './functions/auth/get-me.ts';
import { inviteUser } from './functions/auth/invite-user.ts';
import { listInvitations } from './functions/auth/list-invitations.ts';
import { listSessions } from './functions/auth/list-sessions.ts';
import { logIn } from './functions/auth/log-in.ts';
import { logOutEverywhere } from './functions/auth/log-out-everywhere.ts';
import { logOut } from './functions/auth/log-out.ts';
import { refreshSession } from './functions/auth/refresh-session.ts';
import { registerUser } from './functions/auth/register-user.ts';
import { requestPasswordReset } from './functions/auth/request-password-reset.ts';
import { resendVerification } from './functions/auth/resend-verification.ts';
import { resetPassword } from './functions/auth/reset-password.ts';
import { revokeInvitation } from './functions/auth/revoke-invitation.ts';
import { verifyEmail } from './functions/auth/verify-email.ts';
import { getImage } from './functions/common/get-image.ts';
import { storeImages } from './functions/common/store-images.ts';
import { createDiagnosis } from './functions/diagnosis/create-diagnosis.ts';
import { getDocsAsset } from './functions/discovery/get-docs-asset.ts';
import { getDocsPage } from './functions/discovery/get-docs-page.ts';
import { getOpenApiDocument } from './functions/discovery/get-openapi-document.ts';
import { getHealth } from './functions/health/get-health.ts';
import { getHealthy } from './functions/health/get-healthy.ts';
import type { AnyEndpoint } from './lib/http/endpoint.ts';

/** Every endpoint of the app, in the order of the paths of their files. */
export const endpoints: readonly AnyEndpoint[] = [
  checkImage,
  checkRedFlags,
  getNextQuestion,
  predictDiagnosis,
  triageCase,
  changePassword,
  endSession,
  getMe,
  inviteUser,
  listInvitations,
  listSessions,
  logIn,
  logOutEverywhere,
  logOut,
  refreshSession,
  registerUser,
  requestPasswordReset,
  resendVerification,
  resetPassword,
  revokeInvitation,
  verifyEmail,
  getImage,
  storeImages,
  createDiagnosis,
  getDocsAsset,
  getDocsPage,
  getOpenApiDocument,
  getHealth,
  getHealthy,
];
