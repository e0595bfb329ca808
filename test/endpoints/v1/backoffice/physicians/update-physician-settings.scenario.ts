import { v1BackofficeUpdatePhysicianSettings } from '../../../../../src/functions/v1/backoffice/physicians/update-physician-settings.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';

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
});
