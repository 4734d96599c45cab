import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connectHttp, eventually, told } from '@tidings/live/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../dist/weather.js', import.meta.url));
let child: ChildProcess;
let url: string;

beforeAll(async () => {
  child = spawn(process.execPath, [program, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('no stdout');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  url = /http:\S+/.exec(String(line))?.[0] ?? '';
});

afterAll(() => {
  child.kill();
});

it.each(['modern', 'legacy'] as const)('notifies a %s client of the weather', async (era) => {
  const client = await connectHttp(url, era);
  expect(await client.listAll()).toEqual(expect.arrayContaining(['weather://Oslo', 'weather://S%C3%A3o%20Paulo']));
  await client.subscribe('weather://São Paulo');
  await client.call('set_temperature', { city: 'São Paulo', celsius: 30 });
  await told(client, 'weather://São Paulo');
  expect(JSON.parse(await client.read('weather://S%C3%A3o%20Paulo'))).toEqual({ celsius: 30 });
  const before = client.listChanges.length;
  const city = `Bergen ${era}`;
  await client.call('set_temperature', { city, celsius: 7 });
  await eventually('the list has changed', () => client.listChanges.length > before);
  expect(await client.listAll()).toContain(`weather://Bergen%20${era}`);
  await client.close();
});
