// Measures how long `/healthz` takes, in a process of its own: the test's is busy with attacks. The time does not count
// for which this process, or a thread of the one that answers, waited for a CPU (its main thread waits for those that
// collect garbage), so other work on the machine does not either. What its main thread ran counts in any case.
import { get } from 'node:http';
import { cpuWaitMs, threadsOf } from '../../support/cpu-wait.js';

const patienceMs = 10_000;

/** @param {string} url */
function ask(url) {
  return new Promise((resolve, reject) => {
    const asked = get(`${url}/healthz`, { agent: false, timeout: patienceMs }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    asked.once('timeout', () => asked.destroy(new Error('No answer.'))).once('error', reject);
  });
}

/** @param {{ id: number, url: string, pid: number }} question */
async function measure({ id, url, pid }) {
  const before = { at: performance.now(), ownWaitMs: cpuWaitMs(process.pid), threads: threadsOf(pid) };
  const status = await ask(url).catch(() => undefined);
  const passedMs = performance.now() - before.at;
  const ownWaitMs = cpuWaitMs(process.pid) - before.ownWaitMs;
  let [ranMs, mainWaitMs, otherWaitMs] = [0, 0, 0];
  for (const [thread, now] of threadsOf(pid)) {
    const then = before.threads.get(thread) ?? { ranMs: 0, waitedMs: 0 };
    const waitedMs = now.waitedMs - then.waitedMs;
    if (thread === pid) [ranMs, mainWaitMs] = [now.ranMs - then.ranMs, waitedMs];
    else otherWaitMs = Math.max(otherWaitMs, waitedMs);
  }
  // The answer may have been there while this process waited, and the other ran on.
  const ms = Math.max(ranMs - ownWaitMs, passedMs - ownWaitMs - mainWaitMs - otherWaitMs, 0);
  process.send({ id, ms: status === 200 ? ms : null });
}

process.on('message', (question) => void measure(question));
