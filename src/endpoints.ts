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
import { v1BackofficeUpdatePatient } from './functions/v1/backoffice/patients/update-patient.ts';
import { v1FrontendDownloadResource } from './functions/v1/frontend/download-resource.ts';
import { v1ImagesGetImage } from './functions/v1/images/get-image.ts';
import { v1ImagesUploadImages } from './functions/v1/images/upload-images.ts';
import { v1MobileChangeCaseStatus } from './functions/v1/mobile/cases/change-case-status.ts';
import { v1MobileCreateCase } from './functions/v1/mobile/cases/create-case.ts';
import { v1MobileGetCase } from './functions/v1/mobile/cases/get-case.ts';
import { v1MobileListCaseAnnotations } from './functions/v1/mobile/cases/list-case-annotations.ts';
import { v1MobileListCases } from './functions/v1/mobile/cases/list-cases.ts';
import { v1MobileUpdateCase } from './functions/v1/mobile/cases/update-case.ts';
import { v1MobileCheckConnectivity } from './functions/v1/mobile/config/check-connectivity.ts';
import { v1MobileListParameters } from './functions/v1/mobile/config/list-parameters.ts';
import { v1MobileRegisterDevice } from './functions/v1/mobile/devices/register-device.ts';
import { v1MobileRemoveDevice } from './functions/v1/mobile/devices/remove-device.ts';
import { v1MobileDeleteImage } from './functions/v1/mobile/images/delete-image.ts';
import { v1MobileUploadImages } from './functions/v1/mobile/images/upload-images.ts';
import { v1MobileAddOffspring } from './functions/v1/mobile/users/add-offspring.ts';
import { v1MobileListProfiles } from './functions/v1/mobile/users/list-profiles.ts';
import { v1MobileSyncOffsprings } from './functions/v1/mobile/users/sync-offsprings.ts';
import { v1MobileUpdateProfile } from './functions/v1/mobile/users/update-profile.ts';
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
  v1BackofficeUpdatePatient,
  v1FrontendDownloadResource,
  v1ImagesGetImage,
  v1ImagesUploadImages,
  v1MobileChangeCaseStatus,
  v1MobileCreateCase,
  v1MobileGetCase,
  v1MobileListCaseAnnotations,
  v1MobileListCases,
  v1MobileUpdateCase,
  v1MobileCheckConnectivity,
  v1MobileListParameters,
  v1MobileRegisterDevice,
  v1MobileRemoveDevice,
  v1MobileDeleteImage,
  v1MobileUploadImages,
  v1MobileAddOffspring,
  v1MobileListProfiles,
  v1MobileSyncOffsprings,
  v1MobileUpdateProfile,
];
