import { execFile, spawnSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/*
 * PostgreSQL refuses to run as root, and initdb refuses a user without a name in /etc/passwd. Instead of asking the developer
 * to create a user, we try the ways that a machine may allow:
 *
 *   1. as the current user, when neither applies;
 *   2. with the user id of `postgres` or `nobody`; it must be able to reach the project folder;
 *   3. in a user namespace that shows our own id as `nobody`: files stay ours, so any folder can be reached.
 *      Containers often forbid it;
 *   4. as 2, with the one capability to pass closed folders such as /root (mode 700). Docker's default
 *      set has it.
 */

export type Identity = {
  /** For messages: `as user nobody`. */
  label: string;
  uid?: number;
  gid?: number;
  /** The command prefix that changes to this identity; empty where spawn's uid and gid suffice. */
  prefix: string[];
  /** The required owner of the data folder; undefined: the current user. */
  owner?: { uid: number; gid: number };
};

/** Command and arguments as `identity` runs them. */
export function runAs(identity: Identity, command: string, args: string[]) {
  const [head = command, ...rest] = [...identity.prefix, command, ...args];
  return {
    command: head,
    args: rest,
    ...(identity.uid === undefined ? {} : { uid: identity.uid }),
    ...(identity.gid === undefined ? {} : { gid: identity.gid }),
  };
}

/**
 * Finds an identity under which `binary` runs and owns the existing `folder`, and changes the folder's owner to it.
 * Throws with the result of every attempt when there is none.
 */
export async function unprivileged(binary: string, folder: string): Promise<Identity> {
  const refusals: string[] = [];
  for (const identity of candidates(folder)) {
    const refusal = giveFolder(identity, folder) ?? (await tryOut(identity, binary, folder));
    if (refusal === undefined) return identity;
    refusals.push(`  ${identity.label}: ${refusal}`);
  }
  throw new Error(
    [`PostgreSQL cannot run here:`, ...refusals, `Set DATABASE_URL to a PostgreSQL server of your own.`].join(
      '\n',
    ),
  );
}

const NAMESPACE: Identity = {
  label: 'as nobody in a user namespace (unshare)',
  prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534'],
};

function candidates(folder: string): Identity[] {
  const uid = process.getuid?.();
  if (uid === undefined || (uid !== 0 && hasName())) return [{ label: 'as the current user', prefix: [] }];
  if (uid !== 0) return [{ ...NAMESPACE, owner: { uid, gid: process.getgid?.() ?? uid } }];
  const user = otherUser(folder);
  const namespace = { ...NAMESPACE, owner: { uid: 0, gid: 0 } };
  if (user === undefined) return [namespace];
  const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return [
    { label: `as user ${user.name}`, prefix: [], owner: user, uid: user.uid, gid: user.gid },
    namespace,
    {
      label: `as user ${user.name} with the capability to pass closed folders (setpriv)`,
      prefix: ['setpriv', ...ids, ...capability],
      owner: user,
    },
  ];
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** The user that root changes to: the folder's owner unless that is root, else `postgres`, else `nobody`. */
function otherUser(folder: string): { name: string; uid: number; gid: number } | undefined {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const { uid: ownerId } = lstatSync(folder);
  return (
    users.find(({ uid }) => uid === ownerId && uid !== 0) ??
    users.find(({ name }) => name === 'postgres') ??
    users.find(({ name }) => name === 'nobody')
  );
}

function giveFolder({ owner }: Identity, folder: string): string | undefined {
  if (owner === undefined || lstatSync(folder).uid === owner.uid) return undefined;
  const chown = spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, folder], { encoding: 'utf8' });
  return chown.status === 0 ? undefined : (chown.error?.message ?? chown.stderr.trim());
}

/** Why `binary` cannot run as `identity` with `folder` as its own; undefined when it can. */
function tryOut(identity: Identity, binary: string, folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') return Promise.resolve(undefined);
  const script =
    '"$1" -V >&2 && test -w "$2" && { test -O "$2" || { echo "$2 belongs to another user" >&2; false; }; }';
  const { command, args, ...ids } = runAs(identity, 'sh', ['-c', script, 'sh', binary, folder]);
  return new Promise((resolve) => {
    execFile(command, args, { ...ids, cwd: '/' }, (error, _stdout, stderr) => {
      resolve(error === null ? undefined : stderr.trim() || error.message);
    });
  });
}
