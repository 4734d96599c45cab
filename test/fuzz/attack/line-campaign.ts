// Sends stdio cases in batches, each on its own connection. After each batch the server must be at rest.
import { once } from 'node:events';
import { connect } from 'node:net';
import { type LineCase, lineCase } from '../generate/line-case.ts';
import type { Era } from '../generate/valid-messages.ts';
import { expectRest } from './at-rest.ts';
import { runBatch } from './batch.ts';
import type { Campaign } from './campaign.ts';
import { LineTalk } from './line-talk.ts';
import type { Target } from './target.ts';
import { useLineProperly } from './valid-line-client.ts';
import { within } from './within.ts';

const batchSize = 500;
const concurrency = 8;

/** Throws if the server dies, hangs or does not come to rest. */
export async function attackLines(target: Target, port: number, campaign: Campaign): Promise<void> {
  for (const numbers of campaign.batches(batchSize)) {
    await runBatch(target, campaign, numbers, concurrency, async (number) => {
      const { findings, isAnswered } = await attack(port, lineCase(campaign.seed, number));
      for (const finding of findings) campaign.note(number, finding);
      return isAnswered;
    });
    await usePort(port, 'modern');
    await usePort(port, 'legacy');
    await expectRest(target, `After cases ${numbers[0]} to ${numbers.at(-1)} (${campaign.repeat})`);
  }
}

interface Outcome {
  findings: readonly string[];
  isAnswered: boolean;
}

async function attack(port: number, { number, era, lines, ending }: LineCase): Promise<Outcome> {
  const socket = connect(port, '127.0.0.1');
  const closed = once(socket, 'close');
  const talk = new LineTalk(socket, socket);
  for (const line of lines) talk.write(line);
  if (ending === 'reset') {
    socket.resetAndDestroy();
  } else {
    await talk.settle(era, `probe-${number}`);
    socket.end();
  }
  const isAnswered = !talk.isClosed;
  await within(10_000, `end of connection ${number}`, closed);
  return { findings: talk.findings, isAnswered };
}

async function usePort(port: number, era: Era): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const closed = once(socket, 'close');
  await useLineProperly(new LineTalk(socket, socket), era);
  socket.end();
  await within(10_000, 'end of a proper connection', closed);
}
