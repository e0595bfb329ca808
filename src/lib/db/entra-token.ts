import { type Clock, systemClock } from '../../contract/clock.ts';
import { withinMs } from '../concurrency/within-ms.ts';

/** What is used of `TokenCredential` of @azure/core-auth. */
export interface Credential {
  getToken(
    scope: string,
    options?: { abortSignal?: AbortSignal },
  ): Promise<{ token: string; expiresOnTimestamp: number } | null>;
}

/** No token to sign in to the database with: for the caller the database is unavailable. */
export class DatabaseSignInFailed extends Error {
  constructor(cause: unknown) {
    super('no Entra token for the database', { cause });
    this.name = 'DatabaseSignInFailed';
  }
}

/** https://learn.microsoft.com/azure/postgresql/security/security-entra-configure */
const SCOPE = 'https://ossrdbms-aad.database.windows.net/.default';
/** A token is checked when a connection opens only, so it must outlive no more than that. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** A silent identity endpoint must not hold up the connections that wait for the answer, nor those after them. */
const ASK_WITHIN_MS = 4000;

/**
 * The password that Azure's PostgreSQL takes of a managed identity: an Entra token, asked for once, however many
 * connections open, and again from five minutes before its end. One that still holds serves while none can be had in time.
 * The returned function throws {@link DatabaseSignInFailed}.
 */
export function createEntraToken(
  openCredential: () => Promise<Credential> = azureCredential,
  clock: Clock = systemClock,
  askWithinMs = ASK_WITHIN_MS,
): () => Promise<string> {
  let credential: Promise<Credential> | undefined;
  let held: { token: string; expiresOnTimestamp: number } | undefined;
  let asking: Promise<string> | undefined;
  const msLeft = () => (held?.expiresOnTimestamp ?? 0) - clock.now().getTime();

  async function ask(): Promise<string> {
    try {
      const granted = await withinMs(askWithinMs, async (abortSignal) =>
        (await (credential ??= openCredential())).getToken(SCOPE, { abortSignal }),
      );
      if (granted === null) throw new Error('the credential gave no token');
      held = granted;
    } catch (error) {
      credential = undefined;
      if (held === undefined || msLeft() <= 0) throw new DatabaseSignInFailed(error);
    } finally {
      asking = undefined;
    }
    return held.token;
  }

  return async () =>
    held !== undefined && msLeft() > RENEW_BEFORE_MS ? held.token : await (asking ??= ask());
}

/** Managed identity (AZURE_CLIENT_ID says which) on Azure, `az login` on a laptop. The SDK loads when first needed. */
export async function azureCredential(): Promise<Credential> {
  const { DefaultAzureCredential } = await import('@azure/identity');
  return new DefaultAzureCredential();
}
