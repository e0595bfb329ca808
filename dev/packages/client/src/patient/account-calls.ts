import type { CallOptions, TextOptions } from '../call-options.ts';
import type { NamedCalls } from '../named-calls.ts';
import type { Language, NotificationChoice, PasswordChange, PasswordReset } from '../schema.ts';

/** The account: password, address, messages. */
export function accountCalls({ get, post, patch, inLanguage }: NamedCalls) {
  return {
    /** Ends all other sessions of the user. */
    changePassword: (body: PasswordChange, options: TextOptions = {}) =>
      post('/api/auth/change-password', { body, params: { query: inLanguage(options) } }, options),
    /** Sends a link for a new password; the reply is the same for an unknown address. */
    requestPasswordReset: (email: string, options: TextOptions = {}) =>
      post('/api/auth/request-reset', { body: { email }, params: { query: inLanguage(options) } }, options),
    /** `token` is the one of the link. */
    resetPassword: (body: PasswordReset, options: TextOptions = {}) =>
      post('/api/auth/reset-password', { body, params: { query: inLanguage(options) } }, options),
    /** @param token of the link. */
    verifyEmail: (token: string, options: CallOptions = {}) =>
      post('/api/auth/verify-email', { body: { token } }, options),
    resendVerification: (email: string, options: TextOptions = {}) =>
      post(
        '/api/auth/verify-email/resend',
        { body: { email }, params: { query: inLanguage(options) } },
        options,
      ),
    /** The language of mails to physicians and admins. */
    setLanguage: (language: Language, options: CallOptions = {}) =>
      post('/api/v1/backoffice/set-language', { body: { language } }, options),
    /** By which channels the account gets messages, and which of them the clinic uses. */
    notifications: (options: CallOptions = {}) => get('/api/v1/mobile/users/notifications', {}, options),
    changeNotifications: (body: NotificationChoice, options: CallOptions = {}) =>
      patch('/api/v1/mobile/users/notifications', { body }, options),
  };
}
