// One bcryptjs comparison after the other for whoever asks: what logins cost at the very least.
import { parentPort, workerData } from 'node:worker_threads';
import bcrypt from 'bcryptjs';

const { password, hash } = workerData as { password: string; hash: string };

parentPort?.on('message', (id: number) => {
  parentPort?.postMessage({ id, matches: bcrypt.compareSync(password, hash) });
});
