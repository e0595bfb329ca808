import { randomUUID } from 'node:crypto';
import { type Asked, inserted, mark, nothing, send } from './rows.ts';
import type { AccessStage, Thing } from '../../support/access-stage.ts';
import { freshEmail } from '../../support/accounts.ts';
import { logEvents } from '../../support/trail-stage.ts';

export const newGroup = (stage: AccessStage) =>
  inserted(
    stage,
    `user_groups (uuid, tenant_id, name, settings) VALUES (gen_random_uuid(), 1, $1, '{}')`,
    [],
  );
export const newMember = (role: string) => (stage: AccessStage) =>
  inserted(
    stage,
    `users (uuid, tenant_id, email, password_hash, role)
       VALUES (gen_random_uuid(), 1, $1 || '@example.org', '!', $2)`,
    [role],
  );
export async function asAdmin({ app, admin }: AccessStage, asked: Asked) {
  const { path, ...options } = asked;
  const reply = await app.request(path, { ...options, token: admin.access_token });
  return (await reply.json()) as Record<string, unknown>;
}
export const newInvitation = async (stage: AccessStage): Promise<Thing> => {
  const path = '/api/auth/invitations';
  const json = { email: freshEmail('invited'), role: 'physician' };
  const { uuid } = await asAdmin(stage, { path, json });
  return { ...nothing, uuid: String(uuid) };
};
export const newParameters = async (stage: AccessStage): Promise<Thing> => {
  const name = mark();
  const made = await asAdmin(
    stage,
    send('PUT', `parameters/access/${name}`, { values: { x: 1 }, version: 1 }),
  );
  return { ...nothing, name, version: Number(made['version']) };
};
export const newEvent = async ({ app }: AccessStage): Promise<Thing> => {
  const name = randomUUID();
  const [uuid = ''] = await logEvents(app, [{ action: 'case_read', case_uuid: name }]);
  return { ...nothing, uuid, name };
};
