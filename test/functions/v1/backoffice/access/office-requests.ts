import { randomUUID } from 'node:crypto';
import type { AccessStage, Thing } from '../../../../support/access-stage.ts';
import { freshEmail } from '../../../../support/accounts.ts';
import { newPatients } from '../../../../support/case-rows.ts';
import { logEvents } from '../../../../support/trail-stage.ts';
import { about, get, inserted, itself, mark, nothing, plain, post, type Rows, send } from './rows.ts';

const group = (stage: AccessStage) =>
  inserted(
    stage,
    `user_groups (uuid, tenant_id, name, settings) VALUES (gen_random_uuid(), 1, $1, '{}')`,
    [],
  );
const member = (role: string) => (stage: AccessStage) =>
  inserted(
    stage,
    `users (uuid, tenant_id, email, password_hash, role)
       VALUES (gen_random_uuid(), 1, $1 || '@example.org', '!', $2)`,
    [role],
  );
const patient = async ({ app }: AccessStage): Promise<Thing> => {
  const [made] = await newPatients(app, [{ given: 'Somebody' }]);
  return { ...nothing, uuid: made?.uuid ?? '' };
};

async function asAdmin({ app, admin }: AccessStage, asked: ReturnType<typeof get>) {
  const { path, ...options } = asked;
  const reply = await app.request(path, { ...options, token: admin.access_token });
  return (await reply.json()) as Record<string, unknown>;
}
const invitation = async (stage: AccessStage): Promise<Thing> => {
  const path = '/api/auth/invitations';
  const json = { email: freshEmail('invited'), role: 'physician' };
  const { uuid } = await asAdmin(stage, { path, json });
  return { ...nothing, uuid: String(uuid) };
};
const parameters = async (stage: AccessStage): Promise<Thing> => {
  const name = mark();
  const made = await asAdmin(
    stage,
    send('PUT', `parameters/access/${name}`, { values: { x: 1 }, version: 1 }),
  );
  return { ...nothing, name, version: Number(made['version']) };
};
const event = async ({ app }: AccessStage): Promise<Thing> => {
  const name = randomUUID();
  const [uuid = ''] = await logEvents(app, [{ action: 'case_read', case_uuid: name }]);
  return { ...nothing, uuid, name };
};

export const officeRequests: Rows = {
  v1BackofficeListGroups: { 'a group': about(group, () => get('groups?limit=100'), itself) },
  v1BackofficeCreateGroup: { new: plain(() => post('groups', { name: mark() })) },
  v1BackofficeGetGroup: { 'a group': about(group, ({ uuid }) => get(`groups/${uuid}`)) },
  v1BackofficeUpdateGroup: {
    'a group': about(group, ({ uuid, version }) =>
      send('PATCH', `groups/${uuid}`, { name: mark(), version }),
    ),
  },
  v1BackofficeChangeGroupMembers: {
    'a group': {
      make: async (stage) => ({ ...(await group(stage)), name: (await member('physician')(stage)).uuid }),
      ask: ({ uuid, name }) => send('PATCH', `groups/${uuid}/members`, { add: [name] }),
    },
    'a member of the tenant': {
      // A group of the caller's own tenant, which exists for admins alone.
      make: async (stage, { token }) => {
        const { path, ...asked } = post('groups', { name: mark() });
        const reply = await stage.app.request(path, { ...asked, ...(token !== undefined && { token }) });
        const made = (await reply.json()) as { uuid?: string };
        return { ...nothing, uuid: made.uuid ?? randomUUID(), name: (await member('physician')(stage)).uuid };
      },
      ask: ({ uuid, name }) => send('PATCH', `groups/${uuid}/members`, { add: [name] }),
    },
  },
  v1BackofficeDeleteGroup: { 'a group': about(group, ({ uuid }) => send('DELETE', `groups/${uuid}`)) },
  v1BackofficeListInvitations: { 'an invitation': about(invitation, () => get('invitations'), itself) },
  v1BackofficeResendInvitation: {
    'an invitation': about(invitation, ({ uuid }) => send('POST', `invitations/${uuid}/resend`)),
  },
  v1BackofficeRevokeInvitation: {
    'an invitation': about(invitation, ({ uuid }) => send('DELETE', `invitations/${uuid}`)),
  },
  v1BackofficeListParameters: {
    'own values': about(
      parameters,
      () => get('parameters?limit=100'),
      ({ name }) => [name],
    ),
  },
  v1BackofficeGetParameters: {
    'own values': about(parameters, ({ name }) => get(`parameters/access/${name}`)),
  },
  v1BackofficeReplaceParameters: {
    // The same name is another tenant's as well, with values of its own.
    'own values': about(parameters, ({ name, version }, { isAbroad }) =>
      send('PUT', `parameters/access/${name}`, { values: { x: 2 }, version: isAbroad ? 1 : version }),
    ),
  },
  v1BackofficeUpdatePatient: {
    'a patient': about(patient, ({ uuid, version }) =>
      send('PATCH', `patients/${uuid}`, { pool: null, version }),
    ),
  },
  v1BackofficeSearchUsers: {
    'an account': about(member('patient'), () => post('users/search', { q: 'access-', limit: 100 }), itself),
  },
  v1BackofficeGetUser: { 'an account': about(member('patient'), ({ uuid }) => get(`users/${uuid}`)) },
  v1BackofficeChangeUser: {
    'an account': about(member('patient'), ({ uuid, version }) =>
      send('PATCH', `users/${uuid}`, { is_active: false, version }),
    ),
  },
  v1BackofficeEndUserSessions: {
    'an account': about(member('patient'), ({ uuid }) => send('POST', `users/${uuid}/end-sessions`)),
  },
  v1BackofficeGetAuditTrail: {
    'an event': about(event, ({ name }) => get(`audit-trail?case_uuid=${name}`), itself),
  },
  v1BackofficeExportAuditTrail: {
    'an event': about(event, ({ name }) => get(`audit-trail/csv?case_uuid=${name}`), itself),
  },
};
