// A receiver of each kind, for the suite of destinations: HTTP and SMTP servers on loopback, and an agent session.
import { FakeClock } from '@tidings/live/testing';
import { emailDestination } from '../../packages/schedules/src/source/destination/email-destination.ts';
import { ntfyDestination } from '../../packages/schedules/src/source/destination/ntfy-destination.ts';
import { sessionDestination } from '../../packages/schedules/src/source/destination/session-destination.ts';
import { slackDestination } from '../../packages/schedules/src/source/destination/slack-destination.ts';
import { webhookDestination } from '../../packages/schedules/src/source/destination/webhook-destination.ts';
import type { Destination } from '../../packages/schedules/src/source/destination/destination.ts';
import type { AgentEvents, AgentMessage } from '../../packages/hub/src/agent/port/agent-port.ts';
import { AgentSession } from '../../packages/hub/src/agent/agent-session.ts';
import { notificationMessages } from '../../packages/hub/src/agent/message/notification-messages.ts';
import { Journal } from '../../packages/track/src/journal/journal.ts';
import { HttpSink } from '../support/counterpart/http-sink.ts';
import { MailServer } from '../support/counterpart/mail-server.ts';
import type { OpenReceiver, Receiver } from './destination-cases.ts';

export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export async function overHttp(
  secrets: readonly string[],
  open: (sink: HttpSink, clock: FakeClock) => Destination,
  textOf: (body: string) => string,
): Promise<Receiver & { sink: HttpSink; clock: FakeClock }> {
  const [sink, clock] = [await HttpSink.start(), new FakeClock()];
  clock.advance(Date.UTC(2026, 5, 1, 9));
  const answers = { 'refuse for now': 503, refuse: 403, 'say nothing': 'silence' } as const;
  return {
    sink,
    clock,
    destination: open(sink, clock),
    received: () => sink.received.map(({ body }) => textOf(body)),
    secrets,
    behave: async (how) => {
      if (how === 'be gone') await sink.stop();
      else sink.answer = answers[how];
    },
    // Only for a receiver that does not answer, and only after the request arrived.
    elapse: () => void (sink.answer === 'silence' && sink.received.length > 0 && clock.advance(60_000)),
    [Symbol.asyncDispose]: () => sink[Symbol.asyncDispose](),
  };
}

/** All values in a JSON body, one per line. */
const inJson = (body: string) => Object.values(flat(JSON.parse(body))).join('\n');

function flat(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(flat);
}

async function email(): Promise<Receiver> {
  const password = 'smtp-password-4f1c';
  const mail = await MailServer.start({ user: 'tidings', password });
  const options = { from: 'tidings@example.com', to: ['ann@example.com', 'bob@example.com'], timeoutMs: 500 };
  return {
    destination: emailDestination({ server: mail.url, user: 'tidings', password, ...options }),
    received: () => mail.received.map(({ raw }) => decodedMail(raw)),
    secrets: [password, Buffer.from(password).toString('base64')],
    behave: async (how) => {
      if (how === 'be gone') await mail.stop();
      else if (how === 'say nothing') await mail.fallSilent();
      else mail.answer = how === 'refuse' ? 550 : 451;
    },
    elapse: () => undefined,
    [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose](),
  };
}

/** Headers and text of a mail, decoded. */
export function decodedMail(raw: string): string {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const words = head
    .replaceAll(/\r\n[ \t]/g, '')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, text: string) => quotedPrintable(text.replaceAll('_', ' ')))
    .replaceAll(/=\?UTF-8\?B\?(.*?)\?=/gi, (_, text: string) => Buffer.from(text, 'base64').toString());
  const body = rest.join('\r\n\r\n');
  const text = /content-transfer-encoding: base64/i.test(head)
    ? Buffer.from(body, 'base64').toString()
    : quotedPrintable(body);
  return `${words}\n\n${text.replaceAll('\r\n', '\n')}`;
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

const silentLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** An agent session whose port confirms each message, as realtime sessions do. */
async function session(): Promise<Receiver> {
  const clock = new FakeClock();
  const limits = { entries: 10, bytes: 1e6 };
  const journal = new Journal({ clock, life: 'x', limits, earlier: [], log: silentLog });
  const taken: AgentMessage[] = [];
  let how: Parameters<Receiver['behave']>[0] | 'take it' = 'take it';
  let events: AgentEvents | undefined;
  let count = 0;
  const answer = () => {
    count += 1;
    if (how === 'refuse') events?.refused(count, 'too long');
    else if (how === 'refuse for now') events?.lost('The session was closed.');
    else if (how === 'take it') events?.arrived(count);
  };
  const port = {
    kind: 'own',
    confirms: true,
    open: async (given: AgentEvents) => {
      if (how === 'be gone') throw new Error('It is gone.');
      events = given;
      count = 0;
    },
    send: async (message: AgentMessage) => {
      if (how === 'say nothing') return new Promise<never>(() => undefined);
      taken.push(message);
      clock.defer(answer);
      return undefined;
    },
    close: async () => undefined,
  };
  const deps = {
    journal,
    clock,
    random: () => 0,
    delivered: () => undefined,
    log: silentLog,
    read: () => Promise.reject(new Error('Nothing is read.')),
  };
  const under = new AgentSession({ id: 'voice' }, port, deps);
  const tell = (_: string, push: Parameters<typeof notificationMessages>[0]) =>
    under.notify(notificationMessages(push));
  await new Promise((resolve) => setImmediate(resolve));
  return {
    destination: sessionDestination({ session: 'voice', tell }),
    received: () => (taken.length === 0 ? [] : [taken.map(({ text }) => text).join('\n')]),
    secrets: [],
    behave: async (wanted) => {
      how = wanted;
      if (how === 'be gone') events?.lost('It is gone.');
    },
    elapse: () => clock.advance(1000),
    [Symbol.asyncDispose]: () => under.detach(),
  };
}

export const receivers: Readonly<Record<string, OpenReceiver>> = {
  ntfy: () => overHttp(['tk_secret'], ({ url }, clock) => ntfyDestination({ url, token: 'tk_secret', clock }), inJson),
  webhook: () =>
    overHttp(
      [webhookSecret.slice(6), '/hook/9c2e'],
      ({ url }, clock) => webhookDestination({ url: `${url}/hook/9c2e`, secret: webhookSecret, clock }),
      inJson,
    ),
  slack: () =>
    overHttp(
      ['T0/B0/x9Secret'],
      ({ url }, clock) => slackDestination({ url: `${url}/services/T0/B0/x9Secret`, clock }),
      (body) => `team-alerts ${inJson(body)}`,
    ),
  email,
  session,
};
