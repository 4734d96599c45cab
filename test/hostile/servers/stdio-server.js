// A server on stdio without the SDK, with the misbehaviour named on its command line.
//   node stdio-server.js NAME [SCHEME]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { answers, deepText, raw, textOf, wellBehaved } from './answers.js';

const [name, scheme = name] = process.argv.slice(2);
const methods = { ...wellBehaved(scheme), ...answers[name]?.(scheme) };
const write = (text) => process.stdout.write(text) || once(process.stdout, 'drain');
const send = (message) => write(`${textOf({ jsonrpc: '2.0', ...message })}\n`);
const lists = ['resources', 'tools', 'prompts'];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** As fast as the other side reads. */
async function flood(messageOf) {
  for (let n = 0; ; n += 1) {
    const batch = Array.from({ length: 100 }, (_, each) => textOf({ jsonrpc: '2.0', ...messageOf(n * 100 + each) }));
    await write(`${batch.join('\n')}\n`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** By misbehaviour: started after the client's `initialized`. */
const begun = {
  'update-storm': () =>
    flood((n) => ({
      method: 'notifications/resources/updated',
      params: { uri: n % 2 ? `${scheme}://1` : `unknown://${n}` },
    })),
  'list-changed-storm': async () => {
    for (let n = 0; ; n += 1) {
      await send({ method: `notifications/${lists[n % 3]}/list_changed` });
      if (n % 3 === 0) await pause(1);
    }
  },
  'log-storm': () =>
    flood((n) => ({ method: 'notifications/message', params: { level: 'error', data: `${n} ${'x'.repeat(1000)}` } })),
  'unknown-notifications': () => flood((n) => ({ method: `notifications/${n}`, params: { n } })),
  'request-flood': () => {
    process.stdin.pause();
    return flood((n) => ({ id: `s${n}`, method: ['ping', 'roots/list', 'sampling/createMessage'][n % 3], params: {} }));
  },
  'unasked-answers': () => flood((n) => ({ id: n % 3 ? n : `x${n}`, result: { n } })),
  'deep-notification': () =>
    send({ method: 'notifications/resources/updated', params: { uri: `${scheme}://1`, _meta: raw(deepText(5000)) } }),
  'endless-line': async () => {
    const piece = 'x'.repeat(65_536);
    await write('{"jsonrpc":"2.0","method":"');
    for (;;) await write(piece);
  },
  'not-json': async () => {
    for (;;) await write('no JSON here\n{"half":\n\u0000\n[1,2\n{"jsonrpc":"1.0"}\n'.repeat(100));
  },
  'stderr-flood': async () => {
    for (;;) {
      const text = `\u001b[2J${'e'.repeat(100_000)}\n`.repeat(10);
      if (!process.stderr.write(text)) await once(process.stderr, 'drain');
    }
  },
  'exits-after-beginning': () => process.exit(3),
};

const holdsOn = name === 'ignores-sigterm' || name === 'leaves-children';
if (holdsOn) process.on('SIGTERM', () => undefined);
if (name === 'leaves-children') {
  for (let n = 0; n < 3; n += 1) {
    const stubborn = 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000)';
    spawn(process.execPath, ['-e', stubborn], { stdio: 'ignore' });
  }
}
if (name === 'exits-at-once') {
  process.stderr.write('\u001b[31mout of luck\u001b[0m\n');
  process.exit(7);
}

const silentOn = /^silent-on-(.+)$/.exec(name)?.[1];

async function answer({ id, method, params = {} }) {
  if (method === 'notifications/initialized') void begun[name]?.();
  if (id === undefined || method === undefined || name === 'silent') return;
  if (
    method === silentOn ||
    (name === 'silent-after-beginning' && method !== 'initialize' && method !== 'server/discover')
  )
    return;
  let reply;
  try {
    if (methods[method] === undefined) throw { code: -32601, message: 'Method not found' };
    reply = { id, result: methods[method](params) };
  } catch (error) {
    reply = { id, error };
  }
  if (name === 'wrong-ids' && method !== 'initialize') reply = { ...reply, id: `${id}0` };
  if (name === 'slow-drip' && method !== 'initialize' && method !== 'server/discover') {
    for (const letter of textOf({ jsonrpc: '2.0', ...reply })) {
      await write(letter);
      await pause(1000);
    }
  }
  await send(reply);
  if (name === 'answers-twice') await send(reply);
}

createInterface({ input: process.stdin })
  .on('line', (line) => void answer(JSON.parse(line)))
  .on('close', () => {
    if (!holdsOn) process.exit(0);
  });
