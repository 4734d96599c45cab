import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { takeFolderLock } from './folder-lock.ts';

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('a name in a data folder', () => {
  it('is locked by one holder at a time, independently of other names', () => {
    const folder = join(freshFolder(), 'deeper');
    const first = takeFolderLock(folder, 'a');
    expect(first).toBeDefined();
    expect(takeFolderLock(folder, 'a')).toBeUndefined();
    const other = takeFolderLock(folder, 'b');
    expect(other).toBeDefined();
    first?.release();
    first?.release();
    const second = takeFolderLock(folder, 'a');
    expect(second).toBeDefined();
    for (const lock of [other, second]) lock?.release();
  });

  it('is refused with a reason if the folder cannot be created', () => {
    expect(() => takeFolderLock('/proc/nowhere', 'a')).toThrow('cannot be used as a data folder');
  });
});
