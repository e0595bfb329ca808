import { Problem } from '../../../contract/problem.ts';
import {
  readText,
  type Resource,
  type ResourceContext,
  shippedVersion,
  type TextName,
  texts,
  type Wanted,
} from './published-texts.ts';
import { shippedDocuments } from './shipped-documents.ts';

export const resourceNames = [
  'consent',
  'privacy',
  'photo-guide',
  'body-map.json',
  'anamnesis-schema.json',
  'anamnesis-labels.json',
] as const;
export type ResourceName = (typeof resourceNames)[number];

/**
 * A published text of the tenant, or a document for apps.
 * @throws {Problem} `resource_not_found`
 */
export async function readResource(
  context: ResourceContext,
  tenantId: number,
  { name, version }: Wanted<ResourceName>,
): Promise<Resource> {
  if (name in texts) return await readText(context, tenantId, { name: name as TextName, version });
  if (version !== undefined && version !== shippedVersion) throw new Problem('resource_not_found');
  return {
    text: shippedDocuments[name as Exclude<ResourceName, TextName>](),
    language: undefined,
    version: shippedVersion,
    contentType: 'application/json',
  };
}
