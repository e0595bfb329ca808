// Processor time of processes and their children, from /proc, so on Linux only.
import { globSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Of a clock tick in /proc, by the interface between kernel and programs (USER_HZ). */
const TICK_MS = 10;

/** Milliseconds that these processes and their children have used so far, ended ones included; NaN without /proc, or of none. */
export function cpuMs(pids: readonly number[]): number {
  if (pids.length === 0) return Number.NaN;
  return pids.reduce((sum, pid) => sum + treeMs(pid), 0);
}

function treeMs(pid: number): number {
  const children = globSync(`/proc/${pid}/task/*/children`).flatMap((file) =>
    textOf(file).split(' ').filter(Boolean).map(Number),
  );
  return statMs(pid, 4) + children.reduce((sum, child) => sum + statMs(child, 2), 0);
}

/** utime, stime, and with four fields cutime and cstime: those of children that have ended. */
function statMs(pid: number, fields: 2 | 4): number {
  const values = statFields(pid).slice(11, 11 + fields);
  if (values.length < fields) return fields === 4 ? Number.NaN : 0;
  return values.reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}

/** The server process behind a connection, the parent of all others; undefined for a server on another machine. */
export async function postmasterPid(connectionString: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const [, parent] = statFields(rows[0]?.pid ?? 0);
    return parent === undefined ? undefined : Number(parent);
  } finally {
    await client.end();
  }
}

/** From the third one on; the program's name before them, in brackets, may contain anything. */
function statFields(pid: number): string[] {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Empty for a process that has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
