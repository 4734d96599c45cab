import type { LoggingLevel, LoggingMessageNotificationParams } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../testing/fake-clock.ts';
import { logLevels } from '../../portable/log-levels.ts';
import { ClientLogs } from './client-logs.ts';

function create(logLevel: LoggingLevel | undefined, { era = 'modern', isOffered = true } = {}) {
  const clock = new FakeClock();
  const sent: LoggingMessageNotificationParams[] = [];
  const warnings: string[] = [];
  const log = { warn: (_: object, message: string) => void warnings.push(message), error: () => undefined };
  const logs = new ClientLogs({ clock, log, isOffered: () => isOffered });
  const toClient = logs.logOf({
    era: era === 'legacy' ? 'legacy' : 'modern',
    client: { logLevel },
    send: async (message) => void sent.push(message),
  });
  return { clock, log: toClient, sent, warnings };
}

describe('log messages for a client', () => {
  it('are sent from the requested level up', () => {
    const { log, sent } = create('warning');
    for (const level of logLevels) log(level, level);
    expect(sent.map(({ data }) => data)).toEqual(['warning', 'error', 'critical', 'alert', 'emergency']);
  });

  it('have the name of their logger and their metadata, if there is any', () => {
    const { log, sent } = create('info');
    log('info', { n: 1 }, 'loader', { 'example.com/step': 2 });
    log('info', 'plain');
    expect(sent).toEqual([
      { level: 'info', data: { n: 1 }, logger: 'loader', _meta: { 'example.com/step': 2 } },
      { level: 'info', data: 'plain' },
    ]);
  });

  it('are not sent to a 2026-07-28 client without a level, and from info up to a 2025-era client without one', () => {
    const [modern, legacy] = [create(undefined), create(undefined, { era: 'legacy' })];
    for (const level of logLevels) for (const { log } of [modern, legacy]) log(level, level);
    expect(modern.sent).toEqual([]);
    expect(legacy.sent.map(({ data }) => data)).toEqual(logLevels.slice(1));
  });

  it('are not sent by a server without the logging capability, with one warning', () => {
    const { log, sent, warnings } = create('debug', { isOffered: false });
    log('error', 'one');
    log('error', 'two');
    expect(sent).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('capabilities: { logging: {} }')]);
  });

  it('are dropped above a limit, which is reported once messages are sent again', () => {
    const { clock, log, sent } = create('debug');
    for (let n = 0; n < 100; n += 1) log('info', 'x'.repeat(100_000));
    expect(sent).toHaveLength(9);
    clock.advance(60_000);
    log('info', 'back');
    expect(sent.slice(9).map(({ data }) => data)).toEqual([
      expect.stringMatching(/^91 log messages .*left out/),
      'back',
    ]);
  });

  it('need a level of the protocol and data that can be serialised', () => {
    const { log, sent, warnings } = create('debug');
    expect(() => log(JSON.parse('"warn"'), 'x')).toThrow('The level of a log message must be "debug" or "info"');
    log('info', 5n);
    expect(sent).toEqual([]);
    expect(warnings).toEqual(['A log message could not be sent to its client.']);
  });
});
