// The calls of the account pages, which every role has.
import type { Channel, Language, ProfileChange, Session } from 'dermagate-client';
import { language } from '../i18n/language.ts';
import { attempt, dermagate } from './gateway.ts';

const { profiles, devices, config } = dermagate;

/** @param version that was read: where another device has changed the profile since, the call is refused. */
export const changeProfile = (uuid: string, change: ProfileChange & { version: number }) =>
  attempt((signal) => profiles.update(uuid, change, { signal }));

/** The language of the mails and messages that a member of staff gets. */
export const chooseStaffLanguage = (choice: Language) =>
  attempt((signal) =>
    dermagate.POST('/api/v1/backoffice/set-language', { body: { language: choice }, signal }),
  );

export const changePassword = (current: string, next: string) =>
  attempt((signal) =>
    dermagate.POST('/api/auth/change-password', {
      body: { current_password: current, new_password: next },
      params: { query: { lang: language.value } },
      signal,
    }),
  );

export type { Session };

export const listSessions = (given: AbortSignal) =>
  attempt((signal) => dermagate.GET('/api/auth/sessions', { signal }), given);

export const endSession = (id: string) =>
  attempt((signal) => dermagate.DELETE('/api/auth/sessions/{id}', { params: { path: { id } }, signal }));

export const endAllSessions = () => attempt((signal) => dermagate.POST('/api/auth/logout-all', { signal }));

export const readNotifications = (given: AbortSignal) =>
  attempt((signal) => dermagate.GET('/api/v1/mobile/users/notifications', { signal }), given);

export const chooseChannels = (channels: readonly Channel[]) =>
  attempt((signal) =>
    dermagate.PATCH('/api/v1/mobile/users/notifications', { body: { channels: [...channels] }, signal }),
  );

/** Null where browsers get no messages. */
export const readPushKey = (given?: AbortSignal) =>
  attempt((signal) => dermagate.GET('/api/v1/mobile/config/push-key', { signal }), given);

export const registerDevice = (token: string) =>
  attempt((signal) => devices.register({ platform: 'web', token, app_version: '1.0.0' }, { signal }));

export const removeDevice = (uuid: string) => attempt((signal) => devices.remove(uuid, { signal }));

export interface LegalText {
  version: string;
  text: string;
}

/** The text that counts now, in the current language. */
export async function readLegalText(name: 'consent' | 'privacy', given: AbortSignal) {
  const current = await attempt((signal) => config.parameters('legal', name, { signal }), given);
  if (!current.ok) return current;
  const version = String(current.value.parameters['version']);
  const text = await attempt((signal) => {
    const params = { path: { name }, query: { lang: language.value, version } };
    return dermagate.GET('/api/v1/frontend/download_resource/{name}', { params, parseAs: 'text', signal });
  }, given);
  return text.ok ? ({ ok: true, value: { version, text: text.value } satisfies LegalText } as const) : text;
}

/** To the clinic's support, which replies by mail. @param caseUuid the case that it is about. */
export const writeToSupport = (message: string, caseUuid?: string) =>
  attempt((signal) =>
    dermagate.POST('/api/v1/mobile/send-email', {
      body: { template: 'support_request', message, ...(caseUuid !== undefined && { case_uuid: caseUuid }) },
      params: { query: { lang: language.value } },
      signal,
    }),
  );
