import type { TokenPair } from './schema.ts';

/** The user of the tokens: `sub` of the access token; undefined where it is none that can be read. */
export function subjectOf({ access_token: token }: TokenPair): unknown {
  try {
    const [, payload = ''] = token.split('.');
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: unknown };
    return claims.sub;
  } catch {
    return undefined;
  }
}
