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
import { v1BackofficeCancelAnnotation } from './functions/v1/backoffice/annotations/cancel-annotation.ts';
import { v1BackofficeCreateAnnotation } from './functions/v1/backoffice/annotations/create-annotation.ts';
import { v1BackofficeGetAnnotations } from './functions/v1/backoffice/annotations/get-annotations.ts';
import { v1BackofficeListAnnotations } from './functions/v1/backoffice/annotations/list-annotations.ts';
import { v1BackofficeNotifyPatient } from './functions/v1/backoffice/annotations/notify-patient.ts';
import { v1BackofficeUpdateAnnotation } from './functions/v1/backoffice/annotations/update-annotation.ts';
import { v1BackofficeExportAuditTrail } from './functions/v1/backoffice/audit-trail/export-audit-trail.ts';
import { v1BackofficeGetAuditTrail } from './functions/v1/backoffice/audit-trail/get-audit-trail.ts';
import { v1BackofficeChangeCaseStatus } from './functions/v1/backoffice/cases/change-case-status.ts';
import { v1BackofficeChangePendingStatuses } from './functions/v1/backoffice/cases/change-pending-statuses.ts';
import { v1BackofficeCheckBatch } from './functions/v1/backoffice/cases/check-batch.ts';
import { v1BackofficeGetBatch } from './functions/v1/backoffice/cases/get-batch.ts';
import { v1BackofficeGetCase } from './functions/v1/backoffice/cases/get-case.ts';
import { v1BackofficeNotifyPatients } from './functions/v1/backoffice/cases/notify-patients.ts';
import { v1BackofficeSearchCases } from './functions/v1/backoffice/cases/search-cases.ts';
import { v1BackofficeTakeNextCase } from './functions/v1/backoffice/cases/take-next-case.ts';
import { v1BackofficeTriggerEligibility } from './functions/v1/backoffice/cases/trigger-eligibility.ts';
import { v1BackofficeUpdateRecord } from './functions/v1/backoffice/cases/update-record.ts';
import { v1BackofficeListDiseases } from './functions/v1/backoffice/diseases/list-diseases.ts';
import { v1BackofficeFormatDiagnoses } from './functions/v1/backoffice/format-diagnoses.ts';
import { v1BackofficeGetAnalytics } from './functions/v1/backoffice/get-analytics.ts';
import { v1BackofficeChangeGroupMembers } from './functions/v1/backoffice/groups/change-group-members.ts';
import { v1BackofficeCreateGroup } from './functions/v1/backoffice/groups/create-group.ts';
import { v1BackofficeDeleteGroup } from './functions/v1/backoffice/groups/delete-group.ts';
import { v1BackofficeGetGroup } from './functions/v1/backoffice/groups/get-group.ts';
import { v1BackofficeListGroups } from './functions/v1/backoffice/groups/list-groups.ts';
import { v1BackofficeUpdateGroup } from './functions/v1/backoffice/groups/update-group.ts';
import { v1BackofficeGetHistory } from './functions/v1/backoffice/history/get-history.ts';
import { v1BackofficeGetImage } from './functions/v1/backoffice/images/get-image.ts';
import { v1BackofficeSearchImages } from './functions/v1/backoffice/images/search-images.ts';
import { v1BackofficeListInvitations } from './functions/v1/backoffice/invitations/list-invitations.ts';
import { v1BackofficeResendInvitation } from './functions/v1/backoffice/invitations/resend-invitation.ts';
import { v1BackofficeRevokeInvitation } from './functions/v1/backoffice/invitations/revoke-invitation.ts';
import { v1BackofficeGetParameters } from './functions/v1/backoffice/parameters/get-parameters.ts';
import { v1BackofficeListParameters } from './functions/v1/backoffice/parameters/list-parameters.ts';
import { v1BackofficeReplaceParameters } from './functions/v1/backoffice/parameters/replace-parameters.ts';
import { v1BackofficeUpdatePatient } from './functions/v1/backoffice/patients/update-patient.ts';
import { v1BackofficeChangeActivity } from './functions/v1/backoffice/physicians/change-activity.ts';
import { v1BackofficeCreatePhysician } from './functions/v1/backoffice/physicians/create-physician.ts';
import { v1BackofficeListPhysicians } from './functions/v1/backoffice/physicians/list-physicians.ts';
import { v1BackofficeUpdatePhysicianSettings } from './functions/v1/backoffice/physicians/update-physician-settings.ts';
import { v1BackofficeSetLanguage } from './functions/v1/backoffice/set-language.ts';
import { v1BackofficeSubscribeAnalytics } from './functions/v1/backoffice/subscribe-analytics.ts';
import { v1BackofficeCreateTemplate } from './functions/v1/backoffice/templates/create-template.ts';
import { v1BackofficeDeleteTemplate } from './functions/v1/backoffice/templates/delete-template.ts';
import { v1BackofficeListDiseaseTemplates } from './functions/v1/backoffice/templates/list-disease-templates.ts';
import { v1BackofficeListPhysicianTemplates } from './functions/v1/backoffice/templates/list-physician-templates.ts';
import { v1BackofficeListTemplates } from './functions/v1/backoffice/templates/list-templates.ts';
import { v1BackofficeUpdateTemplate } from './functions/v1/backoffice/templates/update-template.ts';
import { v1BackofficeConnectSession } from './functions/v1/backoffice/unique-sessions/connect-session.ts';
import { v1BackofficeChangeUser } from './functions/v1/backoffice/users/change-user.ts';
import { v1BackofficeEndUserSessions } from './functions/v1/backoffice/users/end-user-sessions.ts';
import { v1BackofficeGetUser } from './functions/v1/backoffice/users/get-user.ts';
import { v1BackofficeSearchUsers } from './functions/v1/backoffice/users/search-users.ts';
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
import { v1MobileGetPushKey } from './functions/v1/mobile/config/get-push-key.ts';
import { v1MobileListParameters } from './functions/v1/mobile/config/list-parameters.ts';
import { v1MobileRegisterDevice } from './functions/v1/mobile/devices/register-device.ts';
import { v1MobileRemoveDevice } from './functions/v1/mobile/devices/remove-device.ts';
import { v1MobileDeleteImage } from './functions/v1/mobile/images/delete-image.ts';
import { v1MobileUploadImages } from './functions/v1/mobile/images/upload-images.ts';
import { v1MobileSendEmail } from './functions/v1/mobile/send-email.ts';
import { v1MobileAddOffspring } from './functions/v1/mobile/users/add-offspring.ts';
import { v1MobileChangeNotificationSettings } from './functions/v1/mobile/users/change-notification-settings.ts';
import { v1MobileGetNotificationSettings } from './functions/v1/mobile/users/get-notification-settings.ts';
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
  v1BackofficeCancelAnnotation,
  v1BackofficeCreateAnnotation,
  v1BackofficeGetAnnotations,
  v1BackofficeListAnnotations,
  v1BackofficeNotifyPatient,
  v1BackofficeUpdateAnnotation,
  v1BackofficeExportAuditTrail,
  v1BackofficeGetAuditTrail,
  v1BackofficeChangeCaseStatus,
  v1BackofficeChangePendingStatuses,
  v1BackofficeCheckBatch,
  v1BackofficeGetBatch,
  v1BackofficeGetCase,
  v1BackofficeNotifyPatients,
  v1BackofficeSearchCases,
  v1BackofficeTakeNextCase,
  v1BackofficeTriggerEligibility,
  v1BackofficeUpdateRecord,
  v1BackofficeListDiseases,
  v1BackofficeFormatDiagnoses,
  v1BackofficeGetAnalytics,
  v1BackofficeChangeGroupMembers,
  v1BackofficeCreateGroup,
  v1BackofficeDeleteGroup,
  v1BackofficeGetGroup,
  v1BackofficeListGroups,
  v1BackofficeUpdateGroup,
  v1BackofficeGetHistory,
  v1BackofficeGetImage,
  v1BackofficeSearchImages,
  v1BackofficeListInvitations,
  v1BackofficeResendInvitation,
  v1BackofficeRevokeInvitation,
  v1BackofficeGetParameters,
  v1BackofficeListParameters,
  v1BackofficeReplaceParameters,
  v1BackofficeUpdatePatient,
  v1BackofficeChangeActivity,
  v1BackofficeCreatePhysician,
  v1BackofficeListPhysicians,
  v1BackofficeUpdatePhysicianSettings,
  v1BackofficeSetLanguage,
  v1BackofficeSubscribeAnalytics,
  v1BackofficeCreateTemplate,
  v1BackofficeDeleteTemplate,
  v1BackofficeListDiseaseTemplates,
  v1BackofficeListPhysicianTemplates,
  v1BackofficeListTemplates,
  v1BackofficeUpdateTemplate,
  v1BackofficeConnectSession,
  v1BackofficeChangeUser,
  v1BackofficeEndUserSessions,
  v1BackofficeGetUser,
  v1BackofficeSearchUsers,
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
  v1MobileGetPushKey,
  v1MobileListParameters,
  v1MobileRegisterDevice,
  v1MobileRemoveDevice,
  v1MobileDeleteImage,
  v1MobileUploadImages,
  v1MobileSendEmail,
  v1MobileAddOffspring,
  v1MobileChangeNotificationSettings,
  v1MobileGetNotificationSettings,
  v1MobileListProfiles,
  v1MobileSyncOffsprings,
  v1MobileUpdateProfile,
];
