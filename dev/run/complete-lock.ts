// npm run lock: after `npm install <package>`, adds the binaries for other platforms that npm left out of package-lock.json.
// npm omits them when its registry lacks them or node_modules already exists, and then refuses its own file: `npm ci` fails
// with "Missing: … from lock file". An added entry names its platform and has no checksum; npm fetches it on that platform
// only.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptArguments } from '../services/script-arguments.ts';

interface LockEntry {
  version: string;
  optional?: boolean;
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
}

scriptArguments('usage: npm run lock     (after npm install)', {});

const file = join(import.meta.dirname, '..', '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> };

/** `@oxfmt/binding-linux-arm64-musl` → os linux, cpu arm64, libc musl. */
function platformOf(name: string) {
  const match =
    /(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32|aix)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x|loong64|mips64el)(?:-(\w+))?$/.exec(
      name,
    );
  if (match === null) return undefined;
  const [, os, cpu, abi = ''] = match;
  const libc = abi.startsWith('musl') ? ['musl'] : abi.startsWith('gnu') ? ['glibc'] : undefined;
  return { cpu: [cpu], ...(libc && { libc }), os: [os] };
}

let added = 0;
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    const place = `node_modules/${name}`;
    if (place in lock.packages || `${path}/${place}` in lock.packages) continue;
    const platform = platformOf(name);
    if (platform === undefined || !/^\d/.test(range)) continue;
    lock.packages[place] = {
      version: range,
      ...(dev === true && { dev }),
      optional: true,
      ...platform,
    } as LockEntry;
    added += 1;
  }
}
const [root, ...others] = Object.entries(lock.packages);
const sorted = others.toSorted(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(root === undefined ? sorted : [root, ...sorted]);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`package-lock.json: ${added} entries added.`);
