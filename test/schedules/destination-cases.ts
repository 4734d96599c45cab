// Behaviour of every destination, as cases for any test runner. Each case runs on a real receiver.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { eventually } from '@tidings/live/testing';
import { DeliveryError } from '../../packages/schedules/src/source/destination/delivery-error.ts';
import type { Destination, Push } from '../../packages/schedules/src/source/destination/destination.ts';

/** A destination with its receiver. */
export interface Receiver extends AsyncDisposable {
  destination: Destination;
  /** Each received notification, as text. */
  received(this: void): readonly string[];
  /** Strings that only the receiver may see. */
  secrets: readonly string[];
  behave(this: void, how: 'refuse for now' | 'refuse' | 'say nothing' | 'be gone'): Promise<void>;
  /** Advances the clock, for destinations that run on a test clock. */
  elapse(this: void): void;
}

export type OpenReceiver = () => Promise<Receiver>;

export interface DestinationCase {
  name: string;
  run(this: void, open: OpenReceiver): Promise<void>;
}

const push: Push = { id: 'cron_1-5', at: Date.UTC(2026, 5, 1, 9), topic: 'team-alerts', message: 'Stand-up in ten' };

/** The error of a delivery; undefined if it succeeded. */
async function failureOf({ destination, elapse }: Receiver, sent: Push = push): Promise<DeliveryError | undefined> {
  let outcome: { error?: unknown } | undefined;
  destination.send(sent).then(
    () => (outcome = {}),
    (error: unknown) => (outcome = { error }),
  );
  const { error } = await eventually('the outcome', () => {
    elapse();
    return outcome;
  });
  if (error === undefined) return undefined;
  assert.ok(error instanceof DeliveryError, inspect(error));
  return error;
}

export const destinationCases: readonly DestinationCase[] = [
  destinationCase('delivers a notification', async (receiver) => {
    assert.equal(await failureOf(receiver), undefined);
    const [only, ...more] = receiver.received();
    assert.match(only ?? '', /Stand-up in ten/);
    assert.match(only ?? '', /team-alerts/);
    assert.deepEqual(more, []);
  }),
  destinationCase('delivers every character of a text', async (receiver) => {
    const message = 'Grüße 🎉 "quoted" \\ and\nBcc: a second line';
    assert.equal(await failureOf(receiver, { ...push, message, title: 'Tëst' }), undefined);
    const [only = ''] = receiver.received();
    for (const part of ['Grüße 🎉 "quoted" \\ and', 'Bcc: a second line', 'Tëst']) assert.ok(only.includes(part), only);
  }),
  destinationCase('allows a retry if the receiver refuses temporarily', async (receiver) => {
    await receiver.behave('refuse for now');
    const failure = await failureOf(receiver);
    assert.equal(failure?.isTemporary, true, failure?.message);
  }),
  destinationCase('does not retry if the receiver refuses', async (receiver) => {
    await receiver.behave('refuse');
    const failure = await failureOf(receiver);
    assert.equal(failure?.isTemporary, false, failure?.message);
  }),
  destinationCase('times out if the receiver does not answer', async (receiver) => {
    await receiver.behave('say nothing');
    const failure = await failureOf(receiver);
    assert.equal(failure?.isTemporary, true, failure?.message);
  }),
  destinationCase('allows a retry if the receiver cannot be reached', async (receiver) => {
    await receiver.behave('be gone');
    const failure = await failureOf(receiver);
    assert.equal(failure?.isTemporary, true, failure?.message);
  }),
  destinationCase('shows its secrets to the receiver only', async (receiver) => {
    const shown = [receiver.destination.words, inspect(receiver.destination, { depth: 10 })];
    await receiver.behave('refuse');
    const failure = await failureOf(receiver);
    shown.push(inspect(failure, { depth: 10 }), JSON.stringify(failure), failure?.message ?? '');
    for (const secret of receiver.secrets) assert.ok(!shown.join('\n').includes(secret), shown.join('\n'));
    assert.match(failure?.message ?? '', /\.$/);
  }),
];

function destinationCase(name: string, test: (receiver: Receiver) => Promise<void>): DestinationCase {
  const run = async (open: OpenReceiver) => {
    await using receiver = await open();
    await test(receiver);
  };
  return { name, run };
}
