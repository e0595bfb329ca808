import type { AccessStage, Caller, Thing } from '../../../../support/access-stage.ts';
import { freshEmail } from '../../../../support/accounts.ts';
import { wholeAnswer } from '../../../../support/answers.ts';
import {
  about,
  get,
  inserted,
  itself,
  mark,
  nothing,
  plain,
  post,
  type Row,
  type Rows,
  send,
} from './rows.ts';

const templateOf = (owner: 'holder' | 'clinic') => (stage: AccessStage) =>
  inserted(
    stage,
    `report_templates (uuid, tenant_id, kind, scope, physician_id, name, disease_id, bodies, placeholders)
       VALUES (gen_random_uuid(), 1, 'diagnosis_text', $2, $3, $1, 1, '{"en":"Text."}', '{}')`,
    owner === 'holder' ? ['physician', stage.holder.id] : ['tenant', null],
  );
/** The holder’s profile as it stands, with the address of the account. */
const holder = async ({ run, holder: { id } }: AccessStage): Promise<Thing> => {
  const [found] = await run<{ uuid: string; version: number; email: string }>(
    'SELECT p.uuid, p.version, u.email FROM physicians p JOIN users u ON u.id = p.user_id WHERE p.id = $1',
    [id],
  );
  return { uuid: found?.uuid ?? '', version: found?.version ?? 0, name: found?.email ?? '' };
};
const ownProfile = async ({ app }: AccessStage, { physician, token }: Caller): Promise<Thing> => {
  if (physician === undefined) return nothing;
  const json = { uuids: [physician.uuid] };
  const path = '/api/v1/backoffice/physicians/details';
  const reply = await app.request(path, { json, ...(token !== undefined && { token }) });
  const { items } = (await reply.json()) as { items: { version: number }[] };
  return { ...nothing, version: items[0]?.version ?? 0 };
};

const { diagnoses } = wholeAnswer;
const draft = (scope: string) => ({
  kind: 'diagnosis_text',
  scope,
  name: mark(),
  bodies: { en: 'Text.' },
});
const settings = (make: Row['make'] & {}, body: object) =>
  about(make, ({ uuid, version }) =>
    send('PATCH', 'physicians/settings', { ...(uuid !== '' && { physician_uuid: uuid }), version, ...body }),
  );
const own = { settings: { title: 'Dr.' } };
const decided = { admin_settings: { can_sign: true } };
const photo = (root: string, ending = ''): Row => ({
  circumstance: 'photographed',
  make: async ({ photo: { uuid } }) => ({ ...nothing, uuid }),
  ask: ({ uuid }) => ({ path: `${root}/${uuid}${ending}` }),
});

const format = (given: object) => post('format-diagnoses', { diagnoses, lang: 'en', ...given });

export const deskRequests: Rows = {
  v1BackofficeFormatDiagnoses: {
    'of no case': plain(() => format({})),
    'in hand': { circumstance: 'inHand', ask: ({ uuid }) => format({ case_uuid: uuid }) },
    'by a template of the holder': about(templateOf('holder'), ({ name }) =>
      format({ template_id: Number(name) }),
    ),
  },
  v1BackofficeGetImage: { 'in hand': photo('/api/v1/backoffice/images') },
  v1ImagesGetImage: { 'in hand': photo('/api/v1/images', '.png') },
  getImage: { 'in hand': photo('/api/common/images') },
  v1BackofficeSearchImages: {
    'in hand': {
      circumstance: 'photographed',
      make: async ({ photo: { uuid, sha256 } }) => ({ ...nothing, uuid, name: sha256 }),
      ask: ({ name }) => get(`images?hash=${name}`),
      shows: itself,
    },
  },
  v1BackofficeListDiseases: { 'own catalogue': plain(() => get('diseases/dermagate?limit=1')) },
  v1BackofficeListTemplates: {
    'of the holder': about(templateOf('holder'), () => get('templates?limit=100'), itself),
    'of the clinic': about(templateOf('clinic'), () => get('templates?limit=100'), itself),
  },
  v1BackofficeListDiseaseTemplates: {
    'of the holder': about(templateOf('holder'), () => get('templates/disease/1?limit=100'), itself),
    'of the clinic': about(templateOf('clinic'), () => get('templates/disease/1?limit=100'), itself),
  },
  v1BackofficeListPhysicianTemplates: {
    'of the holder': {
      make: async (stage) => ({ ...(await templateOf('holder')(stage)), name: (await holder(stage)).name }),
      ask: ({ name }) => get(`templates/doctor/${encodeURIComponent(name)}?limit=100`),
      shows: itself,
    },
    me: plain(() => get('templates/doctor/me')),
  },
  v1BackofficeCreateTemplate: {
    own: plain(() => post('templates', draft('physician'))),
    'of the clinic': plain(() => post('templates', draft('tenant'))),
  },
  v1BackofficeUpdateTemplate: {
    'of the holder': about(templateOf('holder'), ({ name, version }) =>
      send('PATCH', `templates/${name}`, { version, bodies: { en: 'Other.' } }),
    ),
    'of the clinic': about(templateOf('clinic'), ({ name, version }) =>
      send('PATCH', `templates/${name}`, { version, bodies: { en: 'Other.' } }),
    ),
    'own, given to the clinic': about(templateOf('holder'), ({ name, version }) =>
      send('PATCH', `templates/${name}`, { version, scope: 'tenant' }),
    ),
  },
  v1BackofficeDeleteTemplate: {
    'of the holder': about(templateOf('holder'), ({ name }) => send('DELETE', `templates/${name}`)),
    'of the clinic': about(templateOf('clinic'), ({ name }) => send('DELETE', `templates/${name}`)),
  },
  v1BackofficeListPhysicians: {
    'the holder': about(holder, ({ uuid }) => post('physicians/details', { uuids: [uuid] }), itself),
    'the holder’s address': about(
      holder,
      ({ uuid }) => post('physicians/details', { uuids: [uuid] }),
      ({ name }) => [name],
    ),
  },
  v1BackofficeUpdatePhysicianSettings: {
    own: settings(ownProfile, own),
    'of the holder': settings(holder, own),
    'what admins decide, own': settings(ownProfile, decided),
    'what admins decide, of the holder': settings(holder, decided),
  },
  v1BackofficeChangeActivity: {
    own: plain(() => send('PATCH', 'physicians/activity', { vacation_mode: false })),
    'of the holder': about(holder, ({ uuid }) =>
      send('PATCH', 'physicians/activity', { physician_uuid: uuid, vacation_mode: false }),
    ),
  },
  v1BackofficeSetLanguage: { own: plain(() => post('set-language', { language: 'en' })) },
  v1BackofficeGetAnalytics: { counts: plain(() => get('analytics')) },
  v1BackofficeSubscribeAnalytics: { counts: plain(() => get('subscribe-analytics')) },
  v1BackofficeConnectSession: { own: plain(() => get('unique-sessions/connect')) },
  v1BackofficeCreatePhysician: {
    new: plain(() =>
      post('physicians', {
        email: freshEmail('prepared'),
        display_name: 'Noor',
        language_preference: 'en',
        invite: false,
      }),
    ),
  },
};
