import { z } from 'zod';

export const EventCategory = z.enum(['auth', 'access', 'case', 'ai', 'admin', 'system']).meta({
  id: 'EventCategory',
  description: 'The category of an event, which determines its retention.',
});
export type EventCategory = z.infer<typeof EventCategory>;

/**
 * Actions in `event_logs`, named after OWASP's logging vocabulary where it has a word. The use case writes `success`
 * inside the transaction of what it did; serve() writes `refusal` when the use case throws.
 */
export interface Audit {
  category: EventCategory;
  success: string;
  refusal: string;
}

const event = (category: EventCategory, action: string): Audit => ({
  category,
  success: action,
  refusal: action,
});

/**
 * Events that are not one endpoint's own: those that a use case writes beside the declared one, and those of commands
 * and of the outbox's consumers.
 */
export const auditEvents = {
  /** A caller reaches for what they may not do or see, on any endpoint. */
  authorizationFailed: event('auth', 'authz_fail'),
  /** A used refresh token is presented again: its session ends although the request is refused. */
  refreshTokenReused: event('auth', 'authn_token_reuse'),
  userCreated: event('auth', 'user_created'),
  /** An account that never verified its address loses it to the person who proved to receive its mail. */
  userRetired: event('auth', 'user_retired'),
  passwordResetRequested: event('auth', 'authn_password_reset_requested'),
  emailVerificationRequested: event('auth', 'email_verification_requested'),
  /** Someone other than its owner reads an image, by whichever endpoint. */
  imageRead: event('access', 'image_read'),
  userActivated: event('admin', 'user_activated'),
  userDeactivated: event('admin', 'user_deactivated'),
  userErased: event('admin', 'user_erased'),
  userRoleChanged: event('admin', 'user_role_changed'),
  groupMemberAdded: event('admin', 'group_member_added'),
  groupMemberRemoved: event('admin', 'group_member_removed'),
  caseCreated: event('case', 'case_created'),
  caseUpdated: event('case', 'case_updated'),
  caseSubmitted: event('case', 'case_submitted'),
  /** The AI service is asked about a case, while its patient waits or later. */
  caseAiAsked: event('ai', 'case_ai_asked'),
  caseAnalysed: event('case', 'case_analysed'),
  /** The first emergency that is found in a case. */
  caseEmergency: event('case', 'case_emergency'),
  caseQueued: event('case', 'case_queued'),
  caseHeld: event('case', 'case_on_hold'),
  caseIneligible: event('case', 'case_ineligible'),
  caseTaken: event('case', 'case_taken'),
  caseAssigned: event('case', 'case_assigned'),
  caseLeaseRenewed: event('case', 'case_lease_renewed'),
  caseReleased: event('case', 'case_released'),
  caseLeaseExpired: event('case', 'case_lease_expired'),
  /** The lease on a case has run out for the third time: admins should ask why. */
  caseLeasesWasted: event('case', 'case_leases_wasted'),
  /** A queued case is offered to other physicians than before. */
  caseLaneChanged: event('case', 'case_lane_changed'),
  casePendingChanged: event('case', 'case_pending_changed'),
  caseReplied: event('case', 'case_replied'),
  caseAnswered: event('case', 'case_answered'),
  caseAnswerWithdrawn: event('case', 'case_answer_withdrawn'),
  caseClosed: event('case', 'case_closed'),
  caseCancelled: event('case', 'case_cancelled'),
  /** Beside the cancellation: someone should ask the patient. */
  caseCancelledWithRedFlag: event('case', 'case_cancelled_with_red_flag'),
  caseReopened: event('case', 'case_reopened'),
  /** Its patient has not replied for days, and is due a reminder. */
  caseReminded: event('case', 'case_reminded'),
  caseExpired: event('case', 'case_expired'),
  caseEligibilityChecked: event('case', 'case_eligibility_checked'),
  caseAmended: event('case', 'case_amended'),
  caseErased: event('case', 'case_erased'),
  /** Staff have the patient told again of an answer. */
  caseNotified: event('case', 'case_notified'),
  /** A message about a case was given up, by one channel and to one person or device. */
  notificationFailed: event('case', 'notification_failed'),
  /** Its patient has seen the answer. */
  caseAcknowledged: event('case', 'case_acknowledged'),
  /** The refusals of what a patient does with a case; what is done has an event of its own. */
  caseActed: event('case', 'case_acted'),
  annotationRead: event('access', 'annotation_read'),
  caseRead: event('access', 'case_read'),
  caseSearched: event('access', 'case_searched'),
  batchRead: event('access', 'case_batch_read'),
  /** What can be done with cases, and nothing of their content. */
  casesChecked: event('access', 'cases_checked'),
  historyRead: event('access', 'patient_history_read'),
  annotationCreated: event('case', 'annotation_created'),
  annotationUpdated: event('case', 'annotation_updated'),
  annotationSigned: event('case', 'annotation_signed'),
  annotationCancelled: event('case', 'annotation_cancelled'),
  /** An auditor asks the physician who has signed an answer to correct it. */
  correctionRequired: event('case', 'audit_correction_required'),
  /** The refusals of what staff do with a case; what is done has an event of its own. */
  caseHandled: event('case', 'case_handled'),
  caseRecordUpdated: event('case', 'case_record_updated'),
  physicianActivity: event('admin', 'physician_activity'),
  parameterSet: event('admin', 'parameter_set'),
  outboxMessageRetried: event('admin', 'outbox_message_retried'),
} as const;
