// One bcryptjs comparison for each message, in a thread of its own: what a login costs at the very least.
import { parentPort, workerData } from 'node:worker_threads';
import bcrypt from 'bcryptjs';

const { password, hash } = workerData as { password: string; hash: string };

parentPort?.on('message', () => {
  void bcrypt.compare(password, hash).then((matches) => parentPort?.postMessage(matches));
});
