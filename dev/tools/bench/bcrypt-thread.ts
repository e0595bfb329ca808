// Runs bcryptjs comparisons one after the other on request: the minimum cost of logins.
import { parentPort, workerData } from 'node:worker_threads';
import bcrypt from 'bcryptjs';

const { password, hash } = workerData as { password: string; hash: string };

parentPort?.on('message', (id: number) => {
  parentPort?.postMessage({ id, matches: bcrypt.compareSync(password, hash) });
});
