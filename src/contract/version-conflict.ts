import { Problem } from './problem.ts';

/** The record has another version than the writer expected. */
export function versionConflict(currentVersion: number): Problem {
  return new Problem('version_conflict', { members: { current_version: currentVersion } });
}
