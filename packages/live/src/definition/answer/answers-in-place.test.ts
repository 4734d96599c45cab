import { expect, it } from 'vitest';
import { AnswersInPlace } from './answers-in-place.ts';

it('a tool or prompt that is defined again keeps its registered name', () => {
  const inPlace = new AnswersInPlace();
  const names = [
    inPlace.addTool('a b', {}),
    inPlace.addPrompt('constructor'),
    inPlace.addTool('constructor', undefined),
  ];
  expect(new Set(names).size).toBe(3);
  expect([
    inPlace.addTool('a b', {}),
    inPlace.addPrompt('constructor'),
    inPlace.addTool('constructor', undefined),
  ]).toEqual(names);
});
