import { createHmac } from 'node:crypto';
import bcrypt from 'bcryptjs';

/**
 * How a password becomes a hash. Runs in the worker threads (`password-worker.ts`): bcryptjs computes in
 * JavaScript and would hold up the event loop for a quarter of a second.
 *
 * Format: `v2$<bcrypt>` = bcrypt(base64(HMAC-SHA-384(NFKC(password), pepper))). The HMAC keeps long passwords
 * whole (bcrypt reads 72 bytes and stops at NUL; 48 bytes in base64 are 64) and makes a stolen table useless
 * without the pepper (OWASP Password Storage Cheat Sheet, "Pre-hashing with bcrypt" and "Peppering"). Plain
 * `$2a$`, `$2b$`, `$2y$` hashes from earlier systems are verified and replaced at the next login.
 */
export const currentFormat = 'v2$';

/** @param cost bcrypt cost: 2^cost rounds. */
export async function hashPassword(password: string, pepper: string, cost: number): Promise<string> {
  return currentFormat + (await bcrypt.hash(preHash(password, pepper), cost));
}

/**
 * @returns `matches`, and `outdated` when the hash should be renewed (older format or lower cost).
 */
export async function verifyPassword(
  password: string,
  hash: string,
  pepper: string,
  cost: number,
): Promise<{ matches: boolean; outdated: boolean }> {
  const current = hash.startsWith(currentFormat);
  const bcryptHash = current ? hash.slice(currentFormat.length) : hash;
  const rounds = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(bcryptHash)?.[1];
  if (rounds === undefined) return { matches: false, outdated: false };
  const candidate = current ? preHash(password, pepper) : password;
  const matches = await bcrypt.compare(candidate, bcryptHash);
  return { matches, outdated: !current || Number(rounds) < cost };
}

function preHash(password: string, pepper: string): string {
  return createHmac('sha384', pepper).update(password.normalize('NFKC'), 'utf8').digest('base64');
}
