// Outgoing webhooks, with a real HTTP receiver that verifies signatures.
import { FakeClock, eventually } from '@tidings/live/testing';
import { type VconSettings, openLibrary, openVcon } from '@tidings/vcon';
import { describe, expect, it } from 'vitest';
import { WebhookReceiver, webhookSecret } from '../support/counterpart/webhook-receiver.ts';
import { freshFolder } from './import-fixture.ts';
import { agentOf } from './tool-agent.ts';
import { supportCall } from './workbench.ts';

const { uuid } = supportCall;
const quiet = { warn: () => undefined, error: () => undefined };

async function desk(settings: Partial<VconSettings> & { place: string; webhookUrl: string }) {
  const server = await openVcon({ webhookSecret, log: quiet, ...settings });
  return { ...(await agentOf(server)), close: () => server.close() };
}

describe('webhooks', () => {
  it('report created, changed and deleted vCons, signed', async () => {
    const receiver = await WebhookReceiver.start();
    const place = await freshFolder();
    const agent = await desk({ place, webhookUrl: receiver.url });
    await agent.do('create_vcon', supportCall);
    await eventually('created', () => receiver.received.length === 1);
    await agent.do('update_vcon', { uuid, subject: 'ann@example.com' });
    await eventually('updated', () => receiver.received.length === 2);
    await agent.do('delete_vcon', { uuid });
    await eventually('deleted', () => receiver.received.length === 3);
    const types = receiver.received.map(({ type, data }) => [type, data]);
    expect(types).toEqual([
      ['vcon.created', { uuid }],
      ['vcon.updated', { uuid }],
      ['vcon.deleted', { uuid }],
    ]);
    expect(new Set(receiver.ids).size).toBe(3);
    await agent.close();
  });

  it('are retried with the same id, and after a restart include changes made in between', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.statuses.push(500, 503);
    const place = await freshFolder();
    const clock = new FakeClock();
    let pauses = 0;
    const log = { ...quiet, warn: () => void (pauses += 1) };
    const agent = await desk({ place, webhookUrl: receiver.url, clock, log });
    await agent.do('create_vcon', supportCall);
    for (const pause of [1, 2]) {
      await eventually(`pause ${pause}`, () => pauses === pause);
      clock.advance(5000);
    }
    await eventually('the third attempt', () => receiver.received.length === 1);
    expect(new Set(receiver.ids).size).toBe(1);
    expect(receiver.ids).toHaveLength(3);
    await agent.close();
    // A change by another process while no server runs.
    const library = await openLibrary(place);
    await library.create({ subject: 'meanwhile' });
    await library.close();
    const again = await desk({ place, webhookUrl: receiver.url });
    // The last webhook before the restart may be sent twice.
    const meanwhile = () => receiver.received.filter(({ data }) => data.uuid !== uuid);
    await eventually('the rest', () => meanwhile().length > 0);
    expect(meanwhile()).toMatchObject([{ type: 'vcon.created' }]);
    await again.close();
  });

  it('are sent once by any number of processes, and by another one when a process is closed', async () => {
    const receiver = await WebhookReceiver.start();
    const place = await freshFolder();
    const agents = [
      await desk({ place, webhookUrl: receiver.url }),
      await desk({ place, webhookUrl: receiver.url }),
      await desk({ place, webhookUrl: receiver.url }),
    ];
    let expected = 0;
    const create = async (subject: string) => {
      for (const [n, agent] of agents.entries()) await agent.do('create_vcon', { subject: `${subject} ${n}` });
      expected += agents.length;
      await eventually(subject, () => received().size >= expected);
    };
    const received = () => new Set(receiver.received.map(({ data }) => data.uuid));
    await create('with three');
    await agents.shift()?.close();
    await create('with two');
    await agents.shift()?.close();
    await create('with one');
    expect(received().size).toBe(expected);
    // If a process was closed before it had the answer, the next one sends that webhook again.
    expect(receiver.received.length).toBeLessThanOrEqual(expected + 2);
    await agents.shift()?.close();
  });

  it('end after status 410 of the receiver, and require a secret', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.statuses.push(410);
    const agent = await desk({ place: await freshFolder(), webhookUrl: receiver.url });
    await agent.do('create_vcon', { subject: 'one' });
    await eventually('the answer', () => receiver.ids.length === 1);
    await agent.do('create_vcon', { subject: 'two' });
    await agent.close();
    expect(receiver.ids).toHaveLength(1);
    const place = await freshFolder();
    for (const webhookSecret of [undefined, 'whsec_short-secret']) {
      const opening = openVcon({ place, webhookUrl: receiver.url, webhookSecret });
      await expect(opening).rejects.toThrow('TIDINGS_VCON_WEBHOOK_SECRET');
      await expect(opening).rejects.not.toThrow('short-secret');
    }
    await expect(openVcon({ place, webhookUrl: 'ftp://x', webhookSecret })).rejects.toThrow('TIDINGS_VCON_WEBHOOK_URL');
  });
});
