// The user story of the schedules resource, scenario by scenario, with the story's own titles.
import { type TestClient, eventually, told } from '@tidings/live/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type TwoClients, twoClientCells } from './cells.ts';

const topicSchema = z.object({
  topic: z.string(),
  count: z.number(),
  schedules: z.array(
    z.object({
      schedule_id: z.string(),
      cron_expression: z.string(),
      timezone: z.string(),
      status: z.enum(['active', 'paused']),
      label: z.string().nullable(),
      notification_body: z.string(),
      next_occurrence: z.string().nullable(),
      last_occurrence: z.string().nullable(),
    }),
  ),
  pending: z.array(z.unknown()),
});
const createdSchema = z.object({ success: z.literal(true), schedule_id: z.string(), destination: z.string() });

async function create(client: TestClient, topic: string, message = 'Stand up'): Promise<string> {
  const answer = await client.call('schedule_cron_notification', {
    message,
    notification_topic: topic,
    cron: '0 0 1 1 *',
    timezone: 'UTC',
  });
  return createdSchema.parse(JSON.parse(answer)).schedule_id;
}

async function readTopic(client: TestClient, topic: string) {
  return topicSchema.parse(JSON.parse(await client.read(uriOf(topic))));
}

const uriOf = (topic: string) => `schedules://${topic}`;
const timesTold = (client: TestClient, topic: string) => client.updates.filter((uri) => uri === uriOf(topic)).length;

/** Announcements keep their order: once this one arrives, all earlier ones have arrived too. */
async function fence(a: TestClient, b: TestClient, topic: string): Promise<void> {
  await create(b, topic);
  await told(a, uriOf(topic));
}

for (const { name, open } of twoClientCells) {
  // Each scenario has its own topics, so all share one pair of clients.
  describe(name, () => {
    let clients: TwoClients;
    let a: TestClient;
    let b: TestClient;

    beforeAll(async () => {
      clients = await open();
      ({ a, b } = clients);
    });

    afterAll(() => clients[Symbol.asyncDispose]());

    it('Scenario: Read schedules resource', async () => {
      const id = await create(b, 'read-me');
      await create(b, 'read-not-me');
      const { topic, count, schedules } = await readTopic(a, 'read-me');
      expect({ topic, count }).toEqual({ topic: 'read-me', count: 1 });
      expect(schedules[0]).toMatchObject({ schedule_id: id, cron_expression: '0 0 1 1 *', status: 'active' });
      expect(await a.listAll()).toEqual(expect.arrayContaining([uriOf('read-me'), uriOf('read-not-me')]));
    });

    it('Scenario: Subscribe to schedules resource', async () => {
      expect(a.capabilities?.resources?.subscribe).toBe(true);
      expect((await a.subscribe(uriOf('subscribe'))).honored).toEqual([uriOf('subscribe')]);
      expect(await readTopic(a, 'subscribe')).toMatchObject({ count: 0, schedules: [], pending: [] });
    });

    it('Scenario: Notification on schedule creation', async () => {
      await a.subscribe(uriOf('creation'));
      const listChanges = a.listChanges.length;
      const id = await create(b, 'creation');
      await told(a, uriOf('creation'));
      expect((await readTopic(a, 'creation')).schedules.map(({ schedule_id }) => schedule_id)).toEqual([id]);
      await eventually('the list to change', () => a.listChanges.length > listChanges);
    });

    it('Scenario: Notification on schedule deletion', async () => {
      const id = await create(b, 'deletion');
      await a.subscribe(uriOf('deletion'));
      await b.call('delete_schedule', { schedule_id: id });
      await eventually('an empty topic after a notification', async () =>
        timesTold(a, 'deletion') > 0 ? (await readTopic(a, 'deletion')).count === 0 : false,
      );
    });

    it('Scenario: Notification on pause/resume', async () => {
      const id = await create(b, 'pausing');
      await a.subscribe(uriOf('pausing'));
      for (const [tool, status] of [
        ['pause_schedule', 'paused'],
        ['resume_schedule', 'active'],
      ] as const) {
        const before = timesTold(a, 'pausing');
        await b.call(tool, { schedule_id: id });
        await told(a, uriOf('pausing'), before);
        expect((await readTopic(a, 'pausing')).schedules[0]?.status).toBe(status);
      }
    });

    it('Scenario: No notification for unrelated topic', async () => {
      await a.subscribe(uriOf('related'), uriOf('fence-one'));
      await create(b, 'unrelated');
      await fence(a, b, 'fence-one');
      expect(timesTold(a, 'related')).toBe(0);
      expect(timesTold(a, 'unrelated')).toBe(0);
    });

    it('Scenario: Unsubscribe stops notifications', async () => {
      await a.subscribe(uriOf('fence-two'));
      const subscription = await a.subscribe(uriOf('leaving'));
      await create(b, 'leaving');
      await told(a, uriOf('leaving'));
      await subscription.end();
      const before = timesTold(a, 'leaving');
      await create(b, 'leaving');
      await fence(a, b, 'fence-two');
      expect(timesTold(a, 'leaving')).toBe(before);
    });

    it('Evaluation: the resource contains the schedule just created', async () => {
      const id = await create(a, 'eval-sub-test', 'Subscription test');
      const { schedules } = await readTopic(a, 'eval-sub-test');
      expect(schedules).toContainEqual(
        expect.objectContaining({ schedule_id: id, notification_body: 'Subscription test' }),
      );
    });
  });
}
