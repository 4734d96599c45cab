// Almost valid lines over stdio to a server process: one connection per case over sockets, and many lines on the real
// stdin of a process.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Campaign } from './attack/campaign.ts';
import { attackLines } from './attack/line-campaign.ts';
import { LineTalk } from './attack/line-talk.ts';
import { Target } from './attack/target.ts';
import { useLineProperly } from './attack/valid-line-client.ts';
import { Dice } from './generate/dice.ts';
import { oddLine } from './generate/line-case.ts';
import { validMessage } from './generate/valid-messages.ts';

const campaign = new Campaign('test/fuzz/stdio.test.ts', 0.16);
/** A longer line ends the connection, after which nothing could be checked. */
const maxLine = 200_000;
const timeout = 60_000 + campaign.size * 100;

describe('many connections', () => {
  let target: Target;
  beforeAll(() => {
    target = new Target();
  });
  afterAll(() => target.kill());

  test(`${campaign.size} unusual conversations (${campaign.repeat})`, { timeout }, async () => {
    const { linePort } = await target.addresses();
    await attackLines(target, linePort, campaign);
    campaign.conclude();
    expect(await target.close()).toMatchObject({ subscribers: 0, watched: 0, complaints: [] });
  });
});

describe.each(['legacy', 'modern'] as const)('the real stdin and stdout, %s', (era) => {
  const lines = new Campaign('test/fuzz/stdio.test.ts', 0.02);
  let target: Target;
  beforeAll(() => {
    target = new Target('stdio');
  });
  afterAll(() => target.kill());

  test(`${lines.size} unusual lines (${lines.repeat})`, { timeout }, async () => {
    const { stdin, stdout } = target.process;
    if (!stdin || !stdout) throw new Error('The process has no pipes.');
    const talk = new LineTalk(stdout, stdin);
    // The first message sets the era of a connection.
    const dice = new Dice(lines.seed, -1);
    const opening = era === 'legacy' ? 'initialize' : 'tools/list';
    talk.send(validMessage(era, opening, 'opening', dice));
    for (const numbers of lines.batches(50)) {
      const odd = numbers.map((number) => oddLine(era, `line-${number}`, new Dice(lines.seed, number)));
      for (const line of odd.filter(({ length }) => length < maxLine)) talk.write(line);
      await talk.settle(era, `probe-${numbers[0]}`);
    }
    for (const finding of talk.findings) lines.note(lines.from, finding);
    lines.conclude();
    await useLineProperly(talk, era, true);

    const lastReport = target.message();
    stdin.end();
    expect(await lastReport).toMatchObject({ subscribers: 0, watched: 0, complaints: [] });
  });
});
