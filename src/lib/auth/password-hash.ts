import { createHmac } from 'node:crypto';
import bcrypt from 'bcryptjs';

/**
 * Password hashing, for the worker threads (`password-worker.ts`): bcryptjs computes in JavaScript and would block the
 * event loop for a quarter of a second.
 *
 * Format: `v2$<bcrypt>` = bcrypt(base64(HMAC-SHA-384(NFKC(password), pepper))). The HMAC lets every character of a long
 * password count (bcrypt reads 72 bytes and stops at NUL; 48 bytes in base64 are 64) and makes a stolen table useless
 * without the pepper (OWASP Password Storage Cheat Sheet, "Pre-hashing with bcrypt" and "Peppering"). Plain `$2a$`,
 * `$2b$`, `$2y$` hashes from earlier systems are verified, and replaced at the next login; with a password of 72 bytes or
 * more not before it is changed.
 */
const currentFormat = 'v2$';

/** @param cost bcrypt cost: 2^cost rounds. */
export async function hashPassword(password: string, pepper: string, cost: number): Promise<string> {
  return currentFormat + (await bcrypt.hash(preHash(password, pepper), cost));
}

const hashFormat = /^(v2\$)?(\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53})$/;

/**
 * Compares a password with a hash. A wrong password takes as long as a hash of the current cost, whether it is compared
 * with an old hash, with none (no such account) or with one that no password matches (`!`).
 *
 * @returns `matches`, and `outdated` when the hash should be renewed because of its format or cost.
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  pepper: string,
  cost: number,
): Promise<{ matches: boolean; outdated: boolean }> {
  const [, format, bcryptHash, digits] = hashFormat.exec(hash ?? '') ?? [];
  if (bcryptHash === undefined) {
    await bcrypt.compare(preHash(password, pepper), decoyHash(cost));
    return { matches: false, outdated: false };
  }
  const current = format !== undefined;
  const rounds = Number(digits);
  const candidate = current ? preHash(password, pepper) : password;
  const matches = await bcrypt.compare(candidate, bcryptHash);
  if (matches) return { matches, outdated: current ? rounds < cost : isReadWhole(password) };
  // The rounds up to the current cost: 2^a + (2^a + 2^(a+1) + … + 2^(b-1)) = 2^b.
  for (let missing = rounds; missing < cost; missing += 1) {
    await bcrypt.compare(candidate, decoyHash(missing));
  }
  return { matches, outdated: false };
}

/**
 * Whether plain bcrypt has compared the whole password, and not only the 72 bytes that it reads. A longer one may be mistyped
 * after them, and one of just 72 be the beginning of a longer one: hashed anew, it would lock the owner out.
 */
function isReadWhole(password: string): boolean {
  return Buffer.byteLength(password) < 72;
}

/** A well-formed hash that no password has; comparing with it costs as much as with a real one. */
function decoyHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
}

function preHash(password: string, pepper: string): string {
  return createHmac('sha384', pepper).update(password.normalize('NFKC'), 'utf8').digest('base64');
}
