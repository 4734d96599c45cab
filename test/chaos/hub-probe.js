// Loaded into the hub's process (`--import`, with `--expose-gc`): on SIGUSR2 it writes the memory in use to a file.
import { renameSync, writeFileSync } from 'node:fs';

const { CHAOS_PROBE_FILE: file } = process.env;
process.on('SIGUSR2', () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(`${file}.draft`, JSON.stringify({ heapMb: (heapUsed + external) / 1024 / 1024 }));
  renameSync(`${file}.draft`, file);
});
