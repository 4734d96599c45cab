// Runs commands of `tidings` one after the other in one process: to load them takes longer than most of them run. What
// is special to a process of their own (real signals, pipes, stdin, that they end by themselves) is tried with
// TidingsProcess.
import { writeSync } from 'node:fs';
import { isBundleNewest } from '../../packages/hub/bin/entry.js';

const { setTimeout: startTimer } = globalThis;
const timers = new Set();
// Before the commands are loaded. What a command leaves waiting ends with it, as it would with its process.
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

process.on('message', ({ args, env, cwd, signal }) => {
  if (signal) {
    process.emit(signal, signal);
    return;
  }
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  void run(args).then((code) => {
    for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(each);
    process.stdout.removeAllListeners('error');
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    // After all that the command has written there; its log goes to the file descriptor.
    writeSync(2, '\0');
    process.send({ code });
  });
});
process.on('disconnect', () => process.exit());
