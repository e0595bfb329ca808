// The calls of the account pages, which every role has.
import type { Channel, Language, ProfileChange, Session } from 'dermagate-client';
import { attempt as attemptCall } from './attempt.ts';
import { attempt, dermagate } from './gateway.ts';

const { session, account, profiles, devices, config, support } = dermagate;

/** @param version that was read: where another device has changed the profile since, the call is refused. */
export const changeProfile = (uuid: string, change: ProfileChange & { version: number }) =>
  attempt(() => profiles.update(uuid, change));

/** The language of the mails and messages that a member of staff gets. */
export const chooseStaffLanguage = (choice: Language) => attempt(() => account.setLanguage(choice));

export const changePassword = (current: string, next: string) =>
  attempt(() => account.changePassword({ current_password: current, new_password: next }));

export type { Session };

export const listSessions = (given: AbortSignal) => attempt((signal) => session.list({ signal }), given);

export const endSession = (id: string) => attempt(() => session.end(id));

/** The user leaves by it, so it does not end with the visit. */
export const endAllSessions = () => attemptCall(() => session.logOutEverywhere());

export const readNotifications = (given: AbortSignal) =>
  attempt((signal) => account.notifications({ signal }), given);

export const chooseChannels = (channels: readonly Channel[]) =>
  attempt(() => account.changeNotifications({ channels: [...channels] }));

/** Null where browsers get no messages. */
export const readPushKey = (given?: AbortSignal) => attempt((signal) => config.pushKey({ signal }), given);

export const registerDevice = (token: string) =>
  attempt(() => devices.register({ platform: 'web', token, app_version: '1.0.0' }));

export const removeDevice = (uuid: string) => attempt(() => devices.remove(uuid));

export interface LegalText {
  version: string;
  text: string;
}

/** The text that counts now, in the current language. */
export async function readLegalText(name: 'consent' | 'privacy', given: AbortSignal) {
  const current = await attempt((signal) => config.parameters('legal', name, { signal }), given);
  if (!current.ok) return current;
  const version = String(current.value.parameters['version']);
  const text = await attempt((signal) => config.text(name, { version, signal }), given);
  return text.ok ? ({ ok: true, value: { version, text: text.value } satisfies LegalText } as const) : text;
}

/** To the clinic's support, which replies by mail. @param caseUuid the case that it is about. */
export const writeToSupport = (message: string, caseUuid?: string) =>
  attempt(() =>
    support.sendEmail({
      template: 'support_request',
      message,
      ...(caseUuid !== undefined && { case_uuid: caseUuid }),
    }),
  );
