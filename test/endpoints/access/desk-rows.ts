import { type Row, inserted, nothing } from './rows.ts';
import type { AccessStage, Thing } from '../../support/access-stage.ts';

export const templateOf = (owner: 'holder' | 'clinic') => (stage: AccessStage) =>
  inserted(
    stage,
    `report_templates (uuid, tenant_id, kind, scope, physician_id, name, disease_id, bodies, placeholders)
       VALUES (gen_random_uuid(), 1, 'diagnosis_text', $2, $3, $1, 1, '{"en":"Text."}', '{}')`,
    owner === 'holder' ? ['physician', stage.holder.id] : ['tenant', null],
  );
/** The holder’s profile as it stands, with the address of the account. */
export const holderProfile = async ({ run, holder: { id } }: AccessStage): Promise<Thing> => {
  const [found] = await run<{ uuid: string; version: number; email: string }>(
    'SELECT p.uuid, p.version, u.email FROM physicians p JOIN users u ON u.id = p.user_id WHERE p.id = $1',
    [id],
  );
  return { uuid: found?.uuid ?? '', version: found?.version ?? 0, name: found?.email ?? '' };
};
export const photoRow = (root: string, ending = ''): Row => ({
  circumstance: 'photographed',
  make: async ({ photo: { uuid } }) => ({ ...nothing, uuid }),
  ask: ({ uuid }) => ({ path: `${root}/${uuid}${ending}` }),
});
