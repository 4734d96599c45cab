// The process that measures how long `/healthz` takes: one for a test file, started when it is first needed.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const program = fileURLToPath(new URL('health-probe.js', import.meta.url));
const answerSchema = z.object({ id: z.int(), ms: z.number().nullable() });

let probe: ChildProcess | undefined;
let asked = 0;

/** Milliseconds in which neither process waited for a CPU; infinite if the answer was none. */
export async function probedHealthMs(url: string, pid: number): Promise<number> {
  // It ends with this process.
  const child = (probe ??= fork(program));
  const id = (asked += 1);
  return new Promise((resolve, reject) => {
    const listen = (message: unknown) => {
      const answer = answerSchema.parse(message);
      if (answer.id !== id) return;
      child.off('message', listen).off('exit', reject);
      resolve(answer.ms ?? Number.POSITIVE_INFINITY);
    };
    child.on('message', listen).once('exit', reject);
    child.send({ id, url, pid });
  });
}
