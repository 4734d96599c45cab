// The hub shows whether OBS is available: the built-in server runs without it, so its state alone would not tell.
import { eventually } from '@tidings/live/testing';
import { openObs } from '@tidings/obs';
import { expect, it, onTestFinished } from 'vitest';
import { silent } from '../obs/workbench.ts';
import { FakeObs } from '../support/fake-obs/fake-obs.ts';
import { eventsSchema, serversSchema } from '../support/wire/strict-answers.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

interface Given {
  password?: string;
  isOptional?: boolean;
}

async function hubWith(obs: FakeObs, { password = obs.password, isOptional = false }: Given = {}): Promise<RunningHub> {
  const open = () => Promise.resolve(openObs({ url: obs.url, password, isOptional, log: silent }));
  const entry = { id: 'obs', builtin: 'obs', enabled: true, trackResources: true };
  const hub = await runningHub({ servers: [entry], builtins: { obs: open } });
  onTestFinished(() => hub[Symbol.asyncDispose]());
  return hub;
}

async function shown(hub: RunningHub) {
  const { servers } = serversSchema.parse(await hub.json('/api/servers'));
  const server = servers.find(({ id }) => id === 'obs');
  return { state: server?.state, detail: server?.detail };
}

const conditionOf = (hub: RunningHub) => hub.status('obs')?.condition;

it('the loss and the return of OBS appear in the list of servers and in the journal', async () => {
  await using obs = await FakeObs.started();
  const hub = await hubWith(obs);
  await eventually('its scene to be listed', () => hub.status('obs')?.resources === 2);
  expect(await shown(hub)).toEqual({ state: 'live', detail: '' });
  await obs.kill();
  await eventually('OBS to be away', async () => (await shown(hub)).detail?.includes('OBS was last seen'));
  expect(await shown(hub)).toMatchObject({ state: 'live', detail: expect.stringContaining('Start OBS') });
  await obs.start();
  await eventually('OBS to be back', async () => (await shown(hub)).detail === '');
  const { events } = eventsSchema.parse(await hub.json('/api/events?last=100'));
  const told = events.flatMap((event) => (event.type === 'server_state' ? [event.detail ?? ''] : []));
  expect(told.at(-2)).toContain('OBS was last seen');
  expect(told.at(-1)).toBe('');
});

it('an unavailable OBS or a refused password is shown from the start', async () => {
  await using obs = await FakeObs.started();
  const refused = await hubWith(obs, { password: 'wrong' });
  await eventually('the refusal', async () => (await shown(refused)).detail?.includes('TIDINGS_OBS_PASSWORD'));
  await obs.kill();
  const hub = await hubWith(obs);
  await eventually('OBS to be missed', async () => (await shown(hub)).detail?.includes('OBS has not been seen yet'));
  expect([refused, hub].map(conditionOf)).toEqual(['troubled', 'troubled']);
});

it('an OBS that may not be installed is waited for, until it was seen or refuses the password', async () => {
  await using obs = await FakeObs.started();
  const refused = await hubWith(obs, { password: 'wrong', isOptional: true });
  await eventually('the refusal', () => conditionOf(refused) === 'troubled');
  await obs.kill();
  const hub = await hubWith(obs, { isOptional: true });
  await eventually('OBS to be missed', () => conditionOf(hub) === 'waiting');
  expect((await shown(hub)).detail).toMatch(/^OBS Studio is not running\. Start it/);
  await obs.start();
  await eventually('OBS to be there', () => conditionOf(hub) === undefined);
  await obs.kill();
  await eventually('OBS to be away', () => conditionOf(hub) === 'troubled');
  expect((await shown(hub)).detail).toContain('OBS was last seen');
});
