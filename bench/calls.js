// Calls from the benchmark to the processes it starts: a request has a method name and an argument, a response has a
// result or an error.
import { fork } from 'node:child_process';

const patienceMs = 120_000;

export function startProcess(file, execArgv = []) {
  const child = fork(new URL(file, import.meta.url), { execArgv });
  const waiting = new Map();
  let lastId = 0;
  child.on('message', ({ id, result, error }) => {
    const { resolve, reject, patience } = waiting.get(id);
    waiting.delete(id);
    clearTimeout(patience);
    if (error === undefined) resolve(result);
    else reject(new Error(`${file}: ${error}`));
  });
  const exited = new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      for (const { reject } of waiting.values()) reject(new Error(`${file} ended early (${signal ?? code}).`));
      resolve();
    });
  });
  return {
    call: (method, argument) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const giveUp = () => reject(new Error(`${file} did not finish "${method}" in ${patienceMs / 1000} s.`));
        waiting.set(lastId, { resolve, reject, patience: setTimeout(giveUp, patienceMs).unref() });
        child.send({ id: lastId, method, argument });
      }),
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

export function answerCalls(methods) {
  const answer = async ({ id, method, argument }) => {
    try {
      process.send({ id, result: await methods[method](argument) });
    } catch (error) {
      process.send({ id, error: error.stack });
    }
  };
  process.on('message', (call) => void answer(call));
  // Exits at once, because a benched server has thousands of open sockets that would keep it alive.
  process.on('disconnect', () => process.exit());
}
