import { v1BackofficeUpdatePhysicianSettings } from '../../../../../src/functions/v1/backoffice/physicians/update-physician-settings.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { holderProfile } from '../../../access/desk-rows.ts';
import { type Row, about, nothing, send } from '../../../access/rows.ts';
import type { AccessStage, Caller, Thing } from '../../../../support/access-stage.ts';

const ownProfile = async ({ app }: AccessStage, { physician, token }: Caller): Promise<Thing> => {
  if (physician === undefined) return nothing;
  const json = { uuids: [physician.uuid] };
  const path = '/api/v1/backoffice/physicians/details';
  const reply = await app.request(path, { json, ...(token !== undefined && { token }) });
  const { items } = (await reply.json()) as { items: { version: number }[] };
  return { ...nothing, version: items[0]?.version ?? 0 };
};
const settings = (make: Row['make'] & {}, body: object) =>
  about(make, ({ uuid, version }) =>
    send('PATCH', 'physicians/settings', { ...(uuid !== '' && { physician_uuid: uuid }), version, ...body }),
  );
const own = { settings: { title: 'Dr.' } };
const decided = { admin_settings: { can_sign: true } };

const prepared = {
  after: { created: 'v1BackofficeCreatePhysician' },
  headers: { 'if-match': '"1"' },
};
const uuid = '{{created.response.body.physician.uuid}}';

export const updatePhysicianSettingsScenario = scenario({
  endpoint: v1BackofficeUpdatePhysicianSettings,
  as: 'admin',
  good: {
    by_admin: {
      title: 'What admins decide',
      ...prepared,
      json: {
        physician_uuid: uuid,
        settings: { title: null, signature_text: 'Hand clinic' },
        admin_settings: { can_sign: false },
        private_pool: null,
      },
    },
    own: {
      title: 'My own languages',
      as: 'physician',
      after: {
        me: {
          operation: 'v1BackofficeListPhysicians',
          as: 'admin',
          json: { filter: { q: 'physician@dermagate' } },
        },
      },
      headers: { 'if-match': '"{{me.response.body.items[0].version}}"' },
      json: {
        language_preference: 'en',
        settings: { review_languages: ['en', 'he', 'ar', 'es'] },
      },
      // What other scenarios have given the demo physician differs from run to run.
      shown: (reply: object) => ({
        ...reply,
        load: { open: 2, reserved: 1, answered_7d: 40 },
        last_active_at: '2026-01-15T08:10:00.000Z',
      }),
    },
  },
  mistakes: {
    languages: {
      title: 'No language',
      code: 'validation_error',
      pointers: ['/settings/review_languages'],
      ...prepared,
      json: { physician_uuid: uuid, settings: { review_languages: [] } },
    },
  },
  refusals: {
    pool: {
      title: 'A pool of one’s own choice',
      code: 'forbidden',
      as: 'physician',
      headers: { 'if-match': '"1"' },
      json: { private_pool: 'hand-clinic' },
    },
    unknown: {
      title: 'A physician who does not exist',
      code: 'physician_not_found',
      as: 'admin',
      headers: { 'if-match': '"1"' },
      json: { physician_uuid: unknownId, private_pool: null },
    },
    admin: {
      title: 'An admin who is no physician',
      code: 'physician_profile_required',
      as: 'admin',
      headers: { 'if-match': '"1"' },
      json: { settings: { title: 'Dr.' } },
    },
  },
  access: {
    own: { ...settings(ownProfile, own), cells: '401 403 200 profile 200 200 200 200 200 profile' },
    'of the holder': { ...settings(holderProfile, own), cells: '401 403 403 404 200 403 403 403 403 200' },
    'what admins decide, own': {
      ...settings(ownProfile, decided),
      cells: '401 403 403 profile 403 403 403 403 403 profile',
    },
    'what admins decide, of the holder': {
      ...settings(holderProfile, decided),
      cells: '401 403 403 404 403 403 403 403 403 200',
    },
  },
});
