// Destinations of notifications: the shared suite, and the properties of each kind.
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { serveMemory } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { openSchedules } from '@tidings/schedules';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseDestinations } from '../../packages/schedules/src/source/destination/destination-settings.ts';
import { emailDestination } from '../../packages/schedules/src/source/destination/email-destination.ts';
import { slackDestination } from '../../packages/schedules/src/source/destination/slack-destination.ts';
import { webhookDestination } from '../../packages/schedules/src/source/destination/webhook-destination.ts';
import { HttpSink } from '../support/counterpart/http-sink.ts';
import { MailServer } from '../support/counterpart/mail-server.ts';
import { destinationCases } from './destination-cases.ts';
import { decodedMail, overHttp, receivers, webhookSecret } from './receivers.ts';

const push = { id: 'cron_1-5', at: Date.UTC(2026, 5, 1, 9), topic: 'team-alerts', message: 'Stand-up' };

for (const [kind, open] of Object.entries(receivers)) {
  describe(`the destination ${kind}`, () => {
    for (const { name, run } of destinationCases) it(name, () => run(open));
  });
}

describe('a webhook', () => {
  it('is signed according to Standard Webhooks, with the same id for all tries', async () => {
    const open = ({ url }: HttpSink, clock: Parameters<Parameters<typeof overHttp>[1]>[1]) =>
      webhookDestination({ url, secret: webhookSecret, clock });
    await using receiver = await overHttp([], open, (body) => body);
    await receiver.destination.send(push);
    receiver.clock.advance(5000);
    await receiver.destination.send({ ...push, tags: ['repeat'] });
    const [first, second] = receiver.sink.received;
    for (const each of [first, second]) {
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = each?.headers ?? {};
      expect(id).toBe('cron_1-5');
      const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64');
      const expected = createHmac('sha256', key)
        .update(`${String(id)}.${String(at)}.${each?.body ?? ''}`)
        .digest('base64');
      expect(signature).toBe(`v1,${expected}`);
    }
    expect(Number(second?.headers['webhook-timestamp'])).toBe(Number(first?.headers['webhook-timestamp']) + 5);
    expect(JSON.parse(first?.body ?? '')).toEqual({
      type: 'notification',
      timestamp: '2026-06-01T09:00:00.000Z',
      data: { topic: 'team-alerts', message: 'Stand-up' },
    });
    expect(JSON.parse(second?.body ?? '')).toMatchObject({ data: { again: true } });
  });

  it('refuses an unusable secret without repeating it', () => {
    const open = () => webhookDestination({ url: 'https://example.com', secret: 'not base64!' });
    expect(open).toThrow(/openssl rand/);
    expect(open).not.toThrow(/not base64!/);
  });

  it('does not follow redirects', async () => {
    await using target = await HttpSink.start();
    await using sink = await HttpSink.start();
    sink.answer = 307;
    const sent = webhookDestination({ url: sink.url, secret: webhookSecret }).send(push);
    await expect(sent).rejects.toThrow('it has moved');
    expect(target.received).toEqual([]);
  });
});

describe('a chat', () => {
  it('gets text without active mentions or links', async () => {
    await using sink = await HttpSink.start();
    await slackDestination({ url: sink.url }).send({ ...push, message: '<!channel> & <https://evil.example|ok>' });
    expect(JSON.parse(sink.received[0]?.body ?? '')).toEqual({
      text: 'team-alerts\n&lt;!channel&gt; &amp; &lt;https://evil.example|ok&gt;',
      mrkdwn: false,
    });
  });
});

describe('an e-mail', () => {
  const login = { user: 'tidings', password: 'right' };
  const options = { from: 'tidings@example.com', to: ['ann@example.com'], timeoutMs: 2000 };

  it('has a subject, one id for all tries, and only the configured recipients', async () => {
    await using mail = await MailServer.start(login);
    const destination = emailDestination({ server: mail.url, ...login, ...options });
    await destination.send({ ...push, title: 'Hello\r\nBcc: evil@example.com' });
    const [only] = mail.received;
    expect(only?.to).toEqual(['ann@example.com']);
    expect(only?.from).toBe('tidings@example.com');
    const text = decodedMail(only?.raw ?? '');
    expect(text).toMatch(/^Subject: Hello Bcc: evil@example.com$/m);
    expect(text).toMatch(/^Message-ID: <cron_1-5@tidings>$/m);
  });

  it('explains how to fix a refused password', async () => {
    await using mail = await MailServer.start(login);
    const sent = emailDestination({ server: mail.url, ...login, password: 'wrong-secret', ...options }).send(push);
    await expect(sent).rejects.toThrow('check the user name and the password');
    await expect(sent).rejects.toMatchObject({ isTemporary: false, code: 'PERMISSION_DENIED' });
    await expect(sent).rejects.not.toThrow('wrong-secret');
  });
});

describe('the file of destinations', () => {
  const problem = (value: unknown) => () => parseDestinations(JSON.stringify(value), 'destinations.json');

  it.each([
    [{ destinations: { x: { kind: 'pigeon' } } }, /destinations\.x\.kind/],
    [{ destinations: { x: { kind: 'slack', url: 'https://hooks.example/secret' } } }, /destinations\.x/],
    [
      { destinations: { x: { kind: 'webhook', url: 'https://a', secret_env: 'whsec_abc/def=' } } },
      /environment variable/,
    ],
    [{ destinations: { 'No Name': { kind: 'ntfy' } } }, /destinations\.No Name/],
    [{ destinations: {}, topics: { a: 'nowhere' } }, /topics\.a: there is no destination "nowhere"/],
    [{ destinations: {}, topics: { a: 'constructor' } }, /topics\.a: there is no destination "constructor"/],
    [{ destinations: {}, topics: { 'Not a topic': 'ntfy' } }, /topics/],
    [{ destinations: { x: { kind: 'email', server: 'smtp://m', from: 'no', to: 'a@b.c' } } }, /destinations\.x\.from/],
    [{ destinations: { x: { kind: 'ntfy', tries: 0 } } }, /destinations\.x\.tries/],
  ])('is refused with the position of the mistake: %j', (value, reason) => {
    expect(problem(value)).toThrow(/^destinations\.json: /);
    expect(problem(value)).toThrow(reason);
  });

  it('is refused if it is not JSON', () => {
    expect(() => parseDestinations('{', 'destinations.json')).toThrow('destinations.json is not JSON.');
  });
});

describe('a server with destinations', () => {
  const answer = z.object({ isError: z.boolean().optional(), structuredContent: z.record(z.string(), z.unknown()) });

  async function opened(env: Record<string, string>, sink: HttpSink) {
    const place = await mkdtemp(join(tmpdir(), 'tidings-destinations-'));
    const file = {
      destinations: {
        chat: { kind: 'slack', url_env: 'CHAT_URL', tries: 1 },
        ops: { kind: 'webhook', url: `${sink.url}/ops`, secret_env: 'OPS_SECRET' },
      },
      topics: { 'team-alerts': 'chat', '*': 'ops' },
    };
    await writeFile(join(place, 'destinations.json'), JSON.stringify(file));
    const warned: unknown[] = [];
    const log = { warn: (fields: object) => void warned.push(fields), error: () => undefined };
    const server = await openSchedules({ place, ntfyUrl: sink.url, env, log });
    const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(serveMemory(server));
    const call = async (name: string, args: Record<string, unknown>) =>
      answer.parse(await client.callTool({ name, arguments: args })).structuredContent;
    const refusal = async (name: string, args: Record<string, unknown>) =>
      JSON.stringify((await client.callTool({ name, arguments: args })).content);
    const close = async () => {
      await client.close();
      await server.close();
      await rm(place, { recursive: true });
    };
    return { client, call, refusal, warned, [Symbol.asyncDispose]: close };
  }

  it('sends to the destination of the topic or the schedule, and names it in every result', async () => {
    await using sink = await HttpSink.start();
    const secret = `${sink.url}/services/T0/x9Secret`;
    await using under = await opened({ CHAT_URL: secret, OPS_SECRET: webhookSecret }, sink);
    const now = { message: 'Hello', delay: '1s' };
    const byTopic = await under.call('schedule_notification', { ...now, notification_topic: 'team-alerts' });
    expect(byTopic).toMatchObject({ destination: `chat at ${new URL(sink.url).host}`, destination_name: 'chat' });
    const chosen = { ...now, notification_topic: 'team-alerts', destination: 'ops' };
    expect(await under.call('schedule_notification', chosen)).toMatchObject({ destination_name: 'ops' });
    await under.call('send_push_notification', { message: 'Other', notification_topic: 'other' });
    await eventually('all three', () => sink.received.length === 3);
    expect(sink.received.map(({ path }) => path).sort()).toEqual(['/ops', '/ops', '/services/T0/x9Secret']);
    const shown = JSON.stringify(await under.call('list_destinations', {}));
    expect(JSON.parse(shown)).toMatchObject({ topics: { 'team-alerts': 'chat' }, default: 'ops' });
    const all = shown + JSON.stringify([byTopic, await under.call('list_scheduled_notifications', {})]);
    expect(all).not.toContain('x9Secret');
    expect(all).not.toContain(webhookSecret.slice(6));
  });

  it('offers a model only the names of destinations', async () => {
    await using sink = await HttpSink.start();
    await using under = await opened({ CHAT_URL: sink.url, OPS_SECRET: webhookSecret }, sink);
    const wanted = { message: 'Hello', notification_topic: 'a', delay: '1h' };
    const refused = await under.refusal('schedule_notification', { ...wanted, destination: 'https://evil.example' });
    expect(refused).toContain('There are: ntfy, chat, ops');
    const { tools } = await under.client.listTools();
    expect(tools.filter(({ description }) => !description)).toEqual([]);
    expect(JSON.stringify(tools)).not.toMatch(/secret_env|url_env/);
  });

  it('reports which destinations this process cannot use, and why', async () => {
    await using sink = await HttpSink.start();
    await using under = await opened({ OPS_SECRET: webhookSecret }, sink);
    expect(under.warned).toEqual([{ destination: 'chat', problem: 'its environment has no CHAT_URL' }]);
    const made = { message: 'Hello', notification_topic: 'team-alerts', delay: '1h' };
    const { destination } = await under.call('schedule_notification', made);
    expect(destination).toContain('not usable by this process: its environment has no CHAT_URL');
    expect(
      await under.refusal('send_push_notification', { message: 'x', notification_topic: 'team-alerts' }),
    ).toContain('Not sent: its environment has no CHAT_URL');
  });

  it('shows dead letters as a resource, and a tool sends them again', async () => {
    await using sink = await HttpSink.start();
    sink.answer = 503;
    await using under = await opened({ CHAT_URL: sink.url, OPS_SECRET: webhookSecret }, sink);
    await under.call('schedule_notification', { message: 'Lost', notification_topic: 'team-alerts', delay: '1s' });
    const read = async (uri: string) => {
      const [first] = (await under.client.readResource({ uri })).contents;
      return JSON.parse(first && 'text' in first ? first.text : 'null');
    };
    const letters = await eventually('the dead letter', async () => {
      const { dead_letters } = await read('schedules://team-alerts/dead-letters');
      return dead_letters.length > 0 && dead_letters;
    });
    expect(letters).toMatchObject([
      { status: 'failed', notification_body: 'Lost', reason: expect.stringContaining('503') },
    ]);
    sink.answer = 200;
    await under.call('resend_notification', { dead_letter_id: letters[0].dead_letter_id });
    await eventually('the trace', async () => {
      const { history } = await read('schedules://team-alerts/history');
      return history[0]?.event === 'delivered';
    });
    const { history } = await read('schedules://team-alerts/history');
    expect(history.map(({ event }: { event: string }) => event)).toEqual([
      'delivered',
      'fired',
      'resent',
      'failed',
      'fired',
      'created',
    ]);
    expect(history.map(({ by }: { by: string }) => by)).toContain('agent');
    expect(await under.call('list_dead_letters', {})).toMatchObject({ count: 0 });
  });
});
