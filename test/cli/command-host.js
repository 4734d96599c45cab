// Runs commands of `tidings` one after the other in one process: to load them takes longer than most of them run. What
// is special to a process of their own (signals, pipes, stdin, that they end) is tried with TidingsProcess.
import { run } from '../../packages/hub/dist/cli/run.js';

process.on('message', ({ args, env, cwd }) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)];
  void run(args).then((code) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
    process.send({ code, stdout: stdout(), stderr: stderr() });
  });
});
process.on('disconnect', () => process.exit());

/** Keeps what is written; returns how to end that and get it. */
function captured(stream) {
  const { write } = stream;
  const pieces = [];
  stream.write = (piece, encoding, done) => {
    pieces.push(Buffer.from(piece));
    const written = typeof encoding === 'function' ? encoding : done;
    if (written) queueMicrotask(written);
    return true;
  };
  return () => {
    stream.write = write;
    stream.removeAllListeners('error');
    return Buffer.concat(pieces).toString('utf8');
  };
}
