// Faults of QStash and its settings: the messages that users get, and secrets that never appear in them.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FakeClock, eventually } from '@tidings/live/testing';
import { openQstashBackend } from '../../packages/schedules/src/source/qstash/qstash-backend.ts';
import type { Fault } from '../support/counterpart/qstash-server.ts';
import { type Workbench, failureOf, ntfyToken, openWorkbench, qstashToken } from './qstash-workbench.ts';

const daily = { topic: 'team-alerts', message: 'Stand-up', cron: '0 9 * * *', timezone: 'UTC' };

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const settings = {
  token: qstashToken,
  ntfyUrl: 'https://ntfy.example',
  ntfy: { kind: 'ntfy', words: 'ntfy', send: async () => undefined },
  clock: new FakeClock(),
  log: { warn: () => undefined, error: () => undefined },
};

interface Case {
  what: string;
  fault: Fault;
  code: string;
  says: RegExp;
}

const cases: Case[] = [
  { what: 'a token it does not know', fault: { status: 401 }, code: 'UNAVAILABLE', says: /QSTASH_TOKEN/ },
  { what: 'a read-only token', fault: { status: 403 }, code: 'UNAVAILABLE', says: /QSTASH_TOKEN.*read-only/ },
  { what: 'too many requests', fault: { status: 429 }, code: 'LIMIT_EXCEEDED', says: /in a few seconds/ },
  {
    what: 'the daily limit',
    fault: { status: 429, headers: { 'RateLimit-Limit': '1000', 'RateLimit-Remaining': '0' } },
    code: 'LIMIT_EXCEEDED',
    says: /of today/,
  },
  { what: 'an internal error', fault: { status: 500 }, code: 'UNAVAILABLE', says: /trouble \(500\)/ },
  { what: 'maintenance', fault: { status: 503, body: '<html>' }, code: 'UNAVAILABLE', says: /trouble \(503\)/ },
  { what: 'a page in between', fault: { status: 200, body: '<html>' }, code: 'UNAVAILABLE', says: /QSTASH_URL/ },
  { what: 'JSON of another kind', fault: { status: 200, body: '{"a":1}' }, code: 'UNAVAILABLE', says: /QSTASH_URL/ },
  { what: 'null', fault: { status: 200, body: 'null' }, code: 'UNAVAILABLE', says: /QSTASH_URL/ },
  {
    what: 'a redirection',
    fault: { status: 302, headers: { location: 'http://127.0.0.1:9/' } },
    code: 'UNAVAILABLE',
    says: /QSTASH_URL/,
  },
  { what: 'another service', fault: { status: 404 }, code: 'UNAVAILABLE', says: /QSTASH_URL/ },
  { what: 'a broken connection', fault: 'broken', code: 'UNAVAILABLE', says: /cannot be reached at http:.*QSTASH_URL/ },
];

describe.each(cases)('with $what', ({ fault, code, says }) => {
  it('a read fails with advice', async () => {
    await using bench = await openWorkbench();
    bench.qstash.fail(fault);
    expect(await failureOf(bench.backend.read('team-alerts'))).toEqual({ code, message: expect.stringMatching(says) });
  });

  it('a change fails with advice, and announces nothing', async () => {
    await using bench = await openWorkbench();
    bench.qstash.fail(fault);
    expect(await failureOf(bench.backend.addCron(daily))).toMatchObject({ code });
    expect(bench.announced).toEqual([]);
  });

  it('reading works again afterwards', async () => {
    await using bench = await openWorkbench();
    bench.qstash.fail(fault, 2);
    await bench.backend.read('team-alerts').catch(() => undefined);
    bench.qstash.recover();
    expect(await bench.backend.topics()).toEqual([]);
  });
});

describe('a refusal by QStash', () => {
  it.each([
    { status: 412, reason: 'Exceeded the maximum number of schedules allowed', code: 'LIMIT_EXCEEDED' },
    { status: 400, reason: 'Invalid cron expression', code: 'INVALID_PARAMS' },
  ])('of a schedule with $status is passed on with its reason', async ({ status, reason, code }) => {
    await using bench = await openWorkbench();
    bench.qstash.fail({ status, body: JSON.stringify({ error: reason }) });
    expect(await failureOf(bench.backend.addCron(daily))).toEqual({ code, message: expect.stringContaining(reason) });
  });

  it('because the account is full is explained', async () => {
    await using bench = await openWorkbench({ server: { maxSchedules: 1 } });
    await bench.backend.addCron(daily);
    expect(await failureOf(bench.backend.addCron(daily))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  it('without a reason is passed on with its status', async () => {
    await using bench = await openWorkbench();
    bench.qstash.fail({ status: 400 });
    expect((await failureOf(bench.backend.addCron(daily))).message).toContain('does not say why');
  });
});

describe('a QStash that does not answer', () => {
  it('fails after the time limit', async () => {
    await using bench = await openWorkbench({ backend: { timeoutMs: 5000 } });
    bench.qstash.fail('silence');
    const failure = failureOf(bench.backend.read('team-alerts'));
    await eventually('the requests', () => bench.qstash.count() === 2);
    bench.clock.advance(4999);
    expect(bench.clock.waiting).toBe(2);
    bench.clock.advance(1);
    expect(await failure).toEqual({ code: 'UNAVAILABLE', message: expect.stringContaining('within 5 s') });
    expect(bench.clock.waiting).toBe(0);
    expect(bench.qstash.count()).toBe(2);
  });

  it('leaves no timer after an answer', async () => {
    await using bench = await openWorkbench();
    await bench.backend.read('team-alerts');
    expect(bench.clock.waiting).toBe(0);
  });

  it('and cannot be reached is named, with the reason', async () => {
    await using bench = await openWorkbench();
    await bench.qstash.close();
    const { code, message } = await failureOf(bench.backend.read('team-alerts'));
    expect(code).toBe('UNAVAILABLE');
    expect(message).toContain(bench.qstash.url);
    expect(message).toContain('ECONNREFUSED');
  });

  it('because the connection broke once is asked again', async () => {
    await using bench = await openWorkbench();
    bench.qstash.fail('broken', 1);
    expect(await bench.backend.topics()).toEqual([]);
  });
});

describe('secrets', () => {
  const echo = (status: number): Fault => ({
    status,
    body: JSON.stringify({ error: `Bearer ${qstashToken} and ${ntfyToken} will not do` }),
  });

  async function everyFailure(bench: Workbench): Promise<string[]> {
    const { backend } = bench;
    const due = bench.clock.date() + 60_000;
    const attempts = [
      () => backend.read('team-alerts'),
      () => backend.topics(),
      () => backend.list(),
      () => backend.addCron(daily),
      () => backend.addOneOff({ topic: 'team-alerts', message: 'x', due }),
      () => backend.pause('scd_x'),
      () => backend.resume('scd_x'),
      () => backend.remove('scd_x'),
      () => backend.remove('msg_x'),
    ];
    const messages: string[] = [];
    for (const attempt of attempts) messages.push((await failureOf(attempt())).message);
    return messages;
  }

  it.each([400, 401, 403, 404, 412, 418, 422, 429, 500])(
    'are in no message and no log, even if QStash repeats them with %i',
    async (status) => {
      const consoleLines = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      await using bench = await openWorkbench({ backend: { ntfyToken } });
      bench.qstash.fail(echo(status));
      bench.backend.watch('team-alerts');
      await eventually('the report', () => bench.logged.length > 0);
      const said = [...(await everyFailure(bench)), ...bench.logged].join('\n');
      expect(said).not.toContain(qstashToken);
      expect(said).not.toContain(ntfyToken);
      // The SDK's own transport would have written to the console.
      expect(consoleLines).not.toHaveBeenCalled();
      expect(warnings).not.toHaveBeenCalled();
    },
  );

  it('are not sent along a redirect', async () => {
    await using bench = await openWorkbench();
    await using other = await openWorkbench();
    bench.qstash.fail({ status: 307, headers: { location: `${other.qstash.url}/v2/schedules` } });
    expect(await failureOf(bench.backend.read('team-alerts'))).toMatchObject({ code: 'UNAVAILABLE' });
    expect(other.qstash.count()).toBe(0);
  });

  it('are in no message when the token cannot be sent', () => {
    for (const token of ['', '  ', `${qstashToken}\n${qstashToken}`, `${qstashToken} ü`]) {
      const open = () => openQstashBackend({ ...settings, token });
      expect(open).toThrow(/QSTASH_TOKEN is not a token/);
      expect(open).not.toThrow(new RegExp(qstashToken));
    }
  });

  it('may end with a newline, as files do', async () => {
    await using bench = await openWorkbench({ backend: { token: `${qstashToken}\n`, ntfyToken: `${ntfyToken}\n` } });
    await bench.backend.addCron(daily);
    expect(bench.qstash.received[0]?.headers['upstash-forward-authorization']).toBe(`Bearer ${ntfyToken}`);
  });
});

describe('settings', () => {
  it.each(['no address', 'ftp://qstash.example', `https://user:${qstashToken}@qstash.example`])(
    'refuse QSTASH_URL %j without showing it',
    (url) => {
      const open = () => openQstashBackend({ ...settings, url });
      expect(open).toThrow(/^QSTASH_URL is not an address such as "https:\/\/host.example"/);
      expect(open).not.toThrow(/no address|qstash\.example/);
    },
  );

  it('that the SDK would read from the environment are ignored', async () => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.stubEnv('QSTASH_DEV', 'true');
    vi.stubEnv('QSTASH_REGION', 'US_EAST_1');
    vi.stubEnv('QSTASH_TOKEN', 'another-token');
    vi.stubEnv('QSTASH_URL', 'http://127.0.0.1:9');
    await using bench = await openWorkbench();
    expect(await bench.backend.topics()).toEqual([]);
    expect(bench.qstash.count()).toBe(2);
    expect(warnings).not.toHaveBeenCalled();
  });
});
