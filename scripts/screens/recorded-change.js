// Makes one change through a running hub and records the output of each of its listeners.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const uri = 'schedules://support';
const program = 'packages/hub/bin/tidings.js';
const values = ['notification_topic=support', 'message=Check the queue', 'cron=0 14 * * 1-5', 'timezone=UTC'];
const call = ['call', 'schedules', 'schedule_cron_notification', ...values.flatMap((value) => ['--arg', value])];

/**
 * @param {string} hub
 * @returns {Promise<{ call: string, event: string, watch: string[], agent: string }>}
 */
export async function recordedChange(hub) {
  const events = await linesOf(`${hub}/api/mcp/resource-events?uri=${encodeURIComponent(uri)}`);
  const transcript = await linesOf(`${hub}/api/sessions/transcript/transcript`);
  const watching = spawn(process.execPath, [program, 'watch', uri, '--hub', hub], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const watched = createInterface(watching.stdout)[Symbol.asyncIterator]();
  await watched.next();
  await run([...call, '--hub', hub]);
  const event = await find(events, (line) => line.startsWith('data:') && line.includes('"resource_update"'));
  const message = await find(transcript, (line) => line.startsWith('data:') && line.includes(`Resource ${uri}`));
  const watch = [
    await find(watched, (line) => line.includes(uri)),
    await find(watched, (line) => line.includes('count')),
  ];
  watching.kill();
  const shown = call.map((arg) => (/[ *]/.test(arg) ? `'${arg}'` : arg)).join(' ');
  return {
    call: `tidings ${shown}`,
    event,
    watch: watch.map((line) => line.trim()),
    agent: JSON.parse(message.slice('data:'.length)).text,
  };
}

/** @param {string[]} args */
async function run(args) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`tidings ${args.join(' ')} ended with ${code}.`);
}

/** @param {string} url */
async function linesOf(url) {
  const { body } = await fetch(url, { headers: { accept: 'text/event-stream' } });
  if (body === null) throw new Error(`There is no stream at ${url}.`);
  return lines(body.pipeThrough(new TextDecoderStream()));
}

/** @param {AsyncIterable<string>} pieces */
async function* lines(pieces) {
  let rest = '';
  for await (const piece of pieces) {
    const parts = (rest + piece).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

/** @param {AsyncIterator<string>} all @param {(line: string) => boolean} isWanted */
async function find(all, isWanted) {
  for (let next = await all.next(); !next.done; next = await all.next()) if (isWanted(next.value)) return next.value;
  throw new Error('The output ended before the expected line.');
}
