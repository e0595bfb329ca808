import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';

/**
 * Calls `changed` with the name of a file that was saved in one of `folders`, at any depth; saves within
 * `quietMs` of each other count as one, and it is never called again before its promise has settled.
 */
export function watchSources(
  folders: string[],
  changed: (file: string) => Promise<void>,
  quietMs = 150,
): { close: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let waiting: string | undefined;
  async function run() {
    if (running || waiting === undefined) return;
    const file = waiting;
    waiting = undefined;
    running = true;
    await changed(file);
    running = false;
    await run();
  }
  const watchers: FSWatcher[] = folders.map((folder) =>
    watch(folder, { recursive: true }, (_event, file) => {
      // Editors write beside the file first: `.name.swp`, `name~`, `4913`.
      if (file === null || !/^[^.].*\.(ts|json)$/.test(basename(file))) return;
      waiting = file;
      clearTimeout(timer);
      timer = setTimeout(() => void run(), quietMs);
    }),
  );
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
