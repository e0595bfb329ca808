/**
 * Actions in `event_logs`, named after OWASP's logging vocabulary where it has a word. The use case writes `success`
 * inside the transaction of what it did; serve() writes `refusal` when the use case throws.
 */
export interface Audit {
  category: 'auth' | 'access' | 'case' | 'ai' | 'admin' | 'system';
  success: string;
  refusal: string;
}

const event = (category: Audit['category'], action: string): Audit => ({
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
  outboxMessageRetried: event('admin', 'outbox_message_retried'),
} as const;
