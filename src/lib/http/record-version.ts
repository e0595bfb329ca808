import { Problem } from '../../contract/problem.ts';

/** The entity tag of a record: its version. */
export const versionTag = (version: number): string => `"${version}"`;

/**
 * The version of a record that a writer has read, from `If-Match` or from the body. The writer's UPDATE has it in its
 * WHERE, so that of two writers one changes nothing and gets `version_conflict`.
 *
 * @throws {Problem} `version_required` when neither names one; `validation_error` when they differ, and for `*`, a weak tag
 *   or several.
 */
export function expectedVersion(ifMatch: string | undefined, inBody: number | undefined): number {
  const version = statedVersion(ifMatch, inBody);
  if (version === undefined) throw new Problem('version_required');
  return version;
}

/**
 * As {@link expectedVersion}, for a writer who may not have been able to read the record.
 * @throws {Problem} `validation_error`
 */
export function statedVersion(ifMatch: string | undefined, inBody: number | undefined): number | undefined {
  const inHeader = ifMatch === undefined ? undefined : versionIn(ifMatch);
  const version = inHeader ?? inBody;
  if (inBody !== undefined && inBody !== version) {
    throw invalid('/version', 'invalid_value', 'Differs from the version in the header If-Match.');
  }
  return version;
}

function versionIn(ifMatch: string): number {
  const digits = /^"([1-9]\d{0,8})"$/.exec(ifMatch)?.[1];
  if (digits !== undefined) return Number(digits);
  throw invalid('/if-match', 'invalid_format', 'The If-Match header must be the ETag of the record.');
}

function invalid(pointer: string, code: string, message: string): Problem {
  return new Problem('validation_error', { detail: message, errors: [{ pointer, code, message }] });
}
