// Webhooks of vCons if every node has the setting: one node sends each, and another one continues when that node is
// killed.
import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { WebhookReceiver, webhookSecret } from '../support/counterpart/webhook-receiver.ts';
import { NodeProcess } from './cluster-of-processes.ts';

describeWith(postgresNeed, 'webhooks of a cluster', () => {
  it('are sent once for each change on any node, and continue when the sending node is killed', async () => {
    const receiver = await WebhookReceiver.start();
    const options = {
      place: await freshDatabase(),
      config: { servers: [{ id: 'vcon', builtin: 'vcon' }] },
      env: { TIDINGS_VCON_WEBHOOK_URL: receiver.url, TIDINGS_VCON_WEBHOOK_SECRET: webhookSecret },
    };
    const created: string[] = [];
    const create = async (node: NodeProcess, subject: string) => {
      const client = await node.connect('modern');
      const answer = await client.call('vcon_create_vcon', { subject });
      const [uuid = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(answer) ?? [];
      created.push(uuid);
      await client.close();
    };
    const started = async () => {
      const node = await NodeProcess.start(options);
      // A call waits a few seconds for a server that is not connected yet, which may not be enough on a busy machine.
      await eventually('vcon to be live', async () => (await node.status('vcon'))?.state === 'live');
      return node;
    };
    const uuids = () => receiver.received.map(({ data }) => data.uuid);
    // The first node sends; the other one finds the lease taken.
    const sender = await started();
    await create(sender, 'alone');
    await eventually('the first', () => receiver.received.length === 1);
    const other = await started();
    for (const subject of ['one', 'two', 'three']) {
      await create(other, subject);
      await create(sender, subject);
    }
    await eventually('those of both nodes', () => receiver.received.length >= 7);
    expect(uuids()).toEqual(created);
    await sender.kill();
    await create(other, 'after the kill');
    await eventually('the takeover', () => uuids().includes(created.at(-1)), 30_000);
    // The last ones before the kill may be repeated.
    expect([...new Set(uuids())]).toEqual(created);
    expect(receiver.received.length).toBeLessThanOrEqual(created.length + 2);
  });
});
