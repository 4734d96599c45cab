// Runs commands of `tidings` one after the other in one process, since loading them takes longer than running most
// of them. Cases that need a process of their own (real signals, pipes, exit) use TidingsProcess.
import { writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { isBundleNewest } from '../../packages/hub/bin/entry.js';

const { setTimeout: startTimer } = globalThis;
const timers = new Set();
// Before the commands are loaded: timers that a command leaves behind are cleared at its end.
globalThis.setTimeout = Object.assign((...args) => {
  const timer = startTimer(...args);
  timers.add(timer);
  return timer;
}, startTimer);
const build = new URL('../../packages/hub/dist/', import.meta.url);
const { run } = await import(new URL(isBundleNewest() ? 'command/run.js' : 'cli/run.js', build).href);

process.stdout.write = (piece, encoding, done) => {
  process.send({ stdout: Buffer.from(piece).toString('utf8') });
  const written = typeof encoding === 'function' ? encoding : done;
  if (written) queueMicrotask(written);
  return true;
};

process.on('message', ({ args, env, cwd, stdin, signal }) => {
  if (signal) {
    process.emit(signal, signal);
    return;
  }
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(stdin)]), configurable: true });
  void run(args).then((code) => {
    for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(each);
    process.stdout.removeAllListeners('error');
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    // Follows everything that the command has written to stderr; its log uses the file descriptor too.
    writeSync(2, '\0');
    process.send({ code });
  });
});
process.on('disconnect', () => process.exit());
