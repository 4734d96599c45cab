import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventLoopTurn, systemClock } from '@tidings/live/time';
import { expect, it, onTestFinished } from 'vitest';
import { Redaction } from '../model/redaction.ts';
import { openLibrary } from './library.ts';

/** A redaction that needs some milliseconds for every text. */
class SlowRedaction extends Redaction {
  mostInOneTurn = 0;
  #inThisTurn = 0;

  override text(text: string): string {
    if (this.#inThisTurn === 0) void eventLoopTurn().then(() => (this.#inThisTurn = 0));
    this.#inThisTurn += 1;
    this.mostInOneTurn = Math.max(this.mostInOneTurn, this.#inThisTurn);
    for (const end = systemClock.now() + 3; systemClock.now() < end;);
    return super.text(text);
  }
}

it('lets other events be handled while it redacts a document, a part of it, or several', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-reader-'));
  const library = await openLibrary(folder);
  onTestFinished(async () => {
    await library.close();
    await rm(folder, { recursive: true, force: true });
  });
  const uuid = '123e4567-e89b-12d3-a456-426614174000';
  const dialog = Array.from({ length: 50 }, (_, n) => ({ type: 'text', parties: [0], body: `number ${n}` }));
  const parties = [{ name: 'A' }];
  const created_at = '2025-10-14T10:30:00Z';
  await library.putAll([library.accept({ vcon: '0.3.0', uuid, created_at, parties, dialog })], { replace: false });
  const redaction = new SlowRedaction({ mask: ['7'], replacement: '*' });
  const reader = library.reader(redaction, 1_000_000);
  const [whole, part, newest] = [
    await reader.document(uuid),
    await reader.arrayText(uuid, 'dialog'),
    await reader.newest(1),
  ];
  expect(JSON.parse(whole).dialog[17].body).toBe('number 1*');
  expect([JSON.parse(part), JSON.parse(newest[0] ?? '{}').dialog]).toEqual([
    JSON.parse(whole).dialog,
    JSON.parse(whole).dialog,
  ]);
  expect(redaction.mostInOneTurn).toBeLessThan(50);
});
