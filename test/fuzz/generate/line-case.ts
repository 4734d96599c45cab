// One case for stdio: a client's lines on one connection, an almost valid message per line.
import { Dice } from './dice.ts';
import { type Json, writeJson } from './json.ts';
import { mutateJson } from './mutate-json.ts';
import { mutateText } from './mutate-text.ts';
import { type Era, methods, pickMethod, validMessage } from './valid-messages.ts';

export interface LineCase {
  number: number;
  era: Era;
  lines: Buffer[];
  /** `reset`: without waiting for responses. */
  ending: 'end' | 'reset';
}

export function lineCase(seed: number, number: number): LineCase {
  const dice = new Dice(seed, number);
  const era: Era = dice.chance(0.5) ? 'modern' : 'legacy';
  const opening = era === 'legacy' ? ['initialize', 'notifications/initialized'] : [];
  const opened = opening.map((method) => validMessage(era, method, `open-${number}`, dice));
  const isOpenedWell = dice.chance(0.8);
  return {
    number,
    era,
    lines: [
      ...opened.map((message) => (isOpenedWell ? Buffer.from(writeJson(message)) : wrongLine(message, era, dice))),
      ...Array.from({ length: 1 + dice.below(5) }, (_, at) => oddLine(era, `case-${number}-${at}`, dice)),
    ],
    ending: dice.chance(0.1) ? 'reset' : 'end',
  };
}

export function oddLine(era: Era, id: string, dice: Dice): Buffer {
  const spoken: Era = dice.chance(0.9) ? era : dice.pick(['legacy', 'modern']);
  const message = validMessage(spoken, pickMethod(spoken, dice), dice.chance(0.05) ? 'shared' : id, dice);
  return wrongLine(dice.chance(0.03) ? [message, message] : message, spoken, dice);
}

function wrongLine(message: Json, era: Era, dice: Dice): Buffer {
  return dice.among<Buffer>([
    [6, () => Buffer.from(writeJson(mutateJson(message, methods[era], dice)))],
    [2, () => Buffer.from(writeJson(mutateJson(mutateJson(message, methods[era], dice), methods[era], dice)))],
    [2, () => mutateText(writeJson(message), dice)],
    [1, () => Buffer.from(`${writeJson(message)}\r`)],
    [1, () => Buffer.from(writeJson(message))],
  ]);
}
