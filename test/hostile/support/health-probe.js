// Measures how long `/healthz` takes, in a process of its own: the test's is busy with attacks. The time for which this
// process or the one that answers waited for a CPU does not count, so other work on the machine does not either.
import { get } from 'node:http';
import { cpuWaitMs } from '../../support/cpu-wait.js';

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
  const waited = () => cpuWaitMs(pid) + cpuWaitMs(process.pid);
  const [began, before] = [performance.now(), waited()];
  const status = await ask(url).catch(() => undefined);
  const ms = performance.now() - began - (waited() - before);
  process.send({ id, ms: status === 200 ? ms : null });
}

process.on('message', (question) => void measure(question));
