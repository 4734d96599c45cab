import { Command } from 'commander';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { addUpCommand } from './up-command.ts';

/** The options of `tidings up` for these flags and variables. */
function settings(...args: string[]): Record<string, unknown> {
  const program = new Command('tidings').exitOverride();
  addUpCommand(program);
  const [command] = program.commands;
  command?.action(() => undefined);
  program.parse(['up', ...args], { from: 'user' });
  return command?.opts() ?? {};
}

afterEach(() => void vi.unstubAllEnvs());

describe('a variable has the effect of its flag', () => {
  const flags: [flag: string, variable: string, value: string | undefined][] = [
    ['--port', 'TIDINGS_PORT', '8123'],
    ['--host', 'TIDINGS_HOST', 'localhost'],
    ['--allow-host', 'TIDINGS_ALLOW_HOST', 'a.example,b.example'],
    ['--insecure', 'TIDINGS_INSECURE', undefined],
    ['--data', 'TIDINGS_DATA', 'somewhere'],
    ['--bus', 'TIDINGS_BUS', 'nats://127.0.0.1:4222'],
    ['--advertise', 'TIDINGS_ADVERTISE', 'http://192.0.2.5:7411'],
    ['--config', 'TIDINGS_CONFIG', 'servers.json'],
    ['--trust', 'TIDINGS_TRUST', undefined],
    ['--demo', 'TIDINGS_DEMO', undefined],
    ['--open', 'TIDINGS_OPEN', undefined],
    ['--json', 'TIDINGS_JSON', undefined],
    ['--log-level', 'TIDINGS_LOG_LEVEL', 'debug'],
  ];

  test.each(flags)('%s and %s', (flag, variable, value) => {
    const usual = settings();
    const flagged = settings(flag, ...(value === undefined ? [] : [value]));
    vi.stubEnv(variable, value ?? '1');
    expect(settings()).toEqual(flagged);
    expect(flagged).not.toEqual(usual);
    vi.stubEnv(variable, '');
    expect(settings()).toEqual(usual);
  });

  test('and every flag has a variable', () => {
    const program = new Command('tidings');
    addUpCommand(program);
    const there = program.commands[0]?.options.map(({ long, envVar }) => `${long} ${envVar}`);
    expect(new Set(there)).toEqual(new Set(flags.map(([flag, variable]) => `${flag} ${variable}`)));
  });
});
