import { Problem } from '../../../contract/problem.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { requireCapability, requirePhysician, type Staff } from '../../identity/groups/staff.ts';
import { lockTemplate, type TemplateRow } from './template.queries.ts';
import type { TemplateScope } from './template.schemas.ts';

/**
 * Whose a template of this scope becomes that the caller writes.
 * @returns of `physicians`; null for the clinic.
 * @throws {Problem} `capability_required`, `physician_profile_required`
 */
export function ownerFor(staff: Staff, scope: TemplateScope): number | null {
  if (scope === 'physician') return requirePhysician(staff).id;
  requireCapability(staff, 'template.shared');
  return null;
}

/**
 * A template that the caller may change, locked.
 * @throws {Problem} `template_not_found` for one that does not exist or is another physician's; `capability_required` for the
 *   clinic's.
 */
export async function lockOwnTemplate(tx: Tx, staff: Staff, id: number): Promise<TemplateRow> {
  const row = await lockTemplate(tx, id);
  if (row === undefined) throw new Problem('template_not_found');
  if (row.scope === 'tenant') requireCapability(staff, 'template.shared');
  else if (row.physician_id !== staff.physician?.id) {
    throw new Problem('template_not_found', { conceals: { kind: 'template', uuid: row.uuid } });
  }
  return row;
}
