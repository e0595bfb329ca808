export type Progress = { done(count: number): void; end(): void };

/** One line that rewrites itself in a terminal; elsewhere a line for each tenth. */
export function createProgress(total: number): Progress {
  const { stderr } = process;
  const startedAt = performance.now();
  let lastReported = 0;
  const line = (count: number) => {
    const seconds = (performance.now() - startedAt) / 1000;
    const left = Math.ceil((seconds / count) * (total - count));
    return `${count} of ${total}, ${(count / seconds).toFixed(0)} a second, ${left} s left`;
  };
  return {
    done(count) {
      const now = performance.now();
      if (stderr.isTTY) {
        if (now - lastReported < 100 && count < total) return;
        lastReported = now;
        stderr.write(`\r\u001B[K${line(count)}`);
      } else if (Math.floor((10 * count) / total) > lastReported) {
        lastReported = Math.floor((10 * count) / total);
        stderr.write(`${line(count)}\n`);
      }
    },
    end: () => void (stderr.isTTY && stderr.write('\r\u001B[K')),
  };
}
