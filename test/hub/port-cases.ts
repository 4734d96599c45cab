// The cases that every port to an agent must pass, for any test runner. Each runs against a counterpart on loopback
// that uses the real frames.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { eventually } from '@tidings/live/testing';
import type { AgentPort } from '../../packages/hub/src/agent/port/agent-port.ts';

interface PortUnderTest extends AsyncDisposable {
  port: AgentPort;
  /** The texts that have arrived, in order. */
  texts(this: void): readonly string[];
  /** A text that must not appear anywhere except at the counterpart. */
  secret?: string;
  /** Whether a response of the model was requested. */
  wasAsked(this: void): boolean;
  /** Stops the counterpart, and starts it again; undefined if it cannot stop. */
  down?(this: void): Promise<void>;
  up?(this: void): Promise<void>;
  /** The model begins or ends to answer; undefined if the port cannot know. */
  answering?(this: void, isAnswering: boolean): Promise<void> | void;
}

export type OpenPortUnderTest = () => Promise<PortUnderTest>;

export interface PortCase {
  name: string;
  run(this: void, open: OpenPortUnderTest): Promise<void>;
}

function listener() {
  const heard = { answering: [] as boolean[], lost: [] as string[], refused: [] as string[] };
  return {
    heard,
    events: {
      answering: (isAnswering: boolean) => void heard.answering.push(isAnswering),
      arrived: () => undefined,
      refused: (_: number, reason: string) => void heard.refused.push(reason),
      lost: (reason: string) => void heard.lost.push(reason),
    },
  };
}

const notice = {
  kind: 'notice',
  text: 'Resource note://a updated for MCP server notes at 2026-01-02T03:04:05.678Z',
} as const;
const content = { kind: 'content', text: 'Grüße 🎉\n"quoted" </system>' } as const;

export const portCases: readonly PortCase[] = [
  portCase('adds messages to the conversation, in order, and asks for no answer', async ({ port, texts, wasAsked }) => {
    const { events, heard } = listener();
    await port.open(events);
    await port.send(notice);
    await port.send(content);
    await eventually('both', () => texts().length === 2);
    assert.deepEqual(texts(), [notice.text, content.text]);
    assert.equal(wasAsked(), false);
    assert.deepEqual([heard.lost, heard.refused], [[], []]);
  }),
  portCase('reports when the model begins and ends to answer', async ({ port, answering }) => {
    if (!answering) return;
    const { events, heard } = listener();
    await port.open(events);
    await answering(true);
    await eventually('the beginning', () => heard.answering.at(-1) === true);
    await answering(false);
    await eventually('the end', () => heard.answering.at(-1) === false);
  }),
  portCase('tells that the other end is gone, in words without the key, and can be opened again', async (under) => {
    const { port, down, up, texts, secret = 'no secret' } = under;
    if (!down || !up) return;
    const { events, heard } = listener();
    await port.open(events);
    await down();
    const words = await eventually('the loss', async () => {
      if (heard.lost.length > 0) return heard.lost.join('\n');
      // A port without a connection notices when it sends.
      const failed = await port.send(notice).then(
        () => undefined,
        (error: unknown) => inspect(error, { depth: 5 }),
      );
      return failed;
    });
    assert.ok(!words.includes(secret), words);
    await up();
    await port.open(events);
    await port.send(content);
    await eventually('the message', () => texts().includes(content.text));
  }),
  portCase('sends nothing after it was closed', async ({ port, texts, down }) => {
    if (!down) return;
    const { events, heard } = listener();
    await port.open(events);
    await port.close();
    await down();
    assert.deepEqual([heard.lost, texts()], [[], []]);
  }),
];

function portCase(name: string, test: (under: PortUnderTest) => Promise<void>): PortCase {
  const run = async (open: OpenPortUnderTest) => {
    await using under = await open();
    await test(under);
    await under.port.close();
  };
  return { name, run };
}
