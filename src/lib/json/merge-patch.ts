import { isJsonObject } from './json-object.ts';

/**
 * A JSON document changed by a merge patch (RFC 7396): members of the patch replace those of the document, `null` removes
 * one, and anything but an object replaces the whole. Neither argument is changed. A function of ours, because the
 * packages that do it have had no release for years.
 */
export function mergePatch(document: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  // A map, and members defined one by one: `__proto__` is a name like any other.
  const merged = new Map(Object.entries(isJsonObject(document) ? document : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
