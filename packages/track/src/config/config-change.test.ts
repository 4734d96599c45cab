import { describe, expect, it } from 'vitest';
import type { CommandEntry, Config, ServerEntry } from './config.ts';
import { addressDigest, configChange } from './config-change.ts';

const entry = (id: string, more: Partial<CommandEntry> = {}): ServerEntry => ({
  id,
  command: 'x',
  args: [],
  env: {},
  enabled: true,
  trackResources: false,
  ...more,
});
const config = (...servers: ServerEntry[]): Config => ({ servers, tokens: [] });
const ids = (entries: readonly ServerEntry[]) => entries.map(({ id }) => id);

describe('an edit of the configuration', () => {
  it('touches only the servers it changes', () => {
    const before = config(entry('same'), entry('tracked'), entry('pinned'), entry('moved'), entry('gone'));
    const after = config(
      entry('new'),
      entry('same'),
      entry('tracked', { trackResources: true }),
      entry('pinned', { pin: true }),
      entry('moved', { env: { K: 'other' } }),
    );
    const change = configChange(before, after);
    expect(ids(change.added)).toEqual(['new']);
    expect(ids(change.removed)).toEqual(['gone']);
    expect(ids(change.moved)).toEqual(['moved']);
    expect(ids(change.adjusted)).toEqual(['tracked', 'pinned']);
  });

  it('keeps no secret in an address', () => {
    expect(addressDigest(entry('a', { env: { TOKEN: 'hunter2' } }))).not.toContain('hunter2');
  });
});
