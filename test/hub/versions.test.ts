// The stored versions of tracked resources: `GET /api/versions`, and `tidings history`.
import { versionAnswer } from '@tidings/client/contract';
import { eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { tidingsCommand } from '../cli/hosted-tidings.ts';
import { versionsSchema } from '../support/wire/strict-answers.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, type RunningHubOptions, runningHub } from './running-hub.ts';

const uri = 'note://a';
const path = `/api/versions?uri=${encodeURIComponent(uri)}`;

/** A hub with a note that has had these texts. */
async function hubWithVersions(texts: readonly string[], config: RunningHubOptions['config'] = {}) {
  const upstream = await NotesUpstream.start('modern');
  const [first = '', ...later] = texts;
  upstream.put('a', first);
  const hub = await runningHub({ servers: [upstream.entry('notes')], config });
  await hub.isLive('notes');
  await read(hub, first);
  for (const text of later) {
    upstream.put('a', text);
    await read(hub, text);
  }
  return {
    ...hub,
    upstream,
    versions: async () => versionsSchema.parse(await hub.json(path)).versions,
    [Symbol.asyncDispose]: async () => {
      await hub[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** Waits until the text has been read, as after each update. */
async function read(hub: RunningHub, text: string): Promise<void> {
  const read = async () => (await hub.get(`/resources/${encodeURIComponent(uri)}`)).text();
  await eventually('it to be read', async () => (await read()) === text);
}

describe('stored versions of a resource', () => {
  it('are listed in order, each with its contents, however they were read', async () => {
    await using hub = await hubWithVersions(['one', 'two', 'three']);
    const versions = await eventually('three versions', async () => {
      const all = await hub.versions();
      return all.length === 3 && all;
    });
    expect(versions.map(({ version, bytes }) => [version, bytes])).toEqual([
      [1, 3],
      [2, 3],
      [3, 5],
    ]);
    const texts = versions.map(async ({ version }) => {
      const { contents } = versionAnswer.parse(await hub.json(`${path}&version=${version}`));
      return contents.map((content) => ('text' in content ? content.text : ''));
    });
    expect(await Promise.all(texts)).toEqual([['one'], ['two'], ['three']]);
  });

  it('are stored by the read after an update, without a client', async () => {
    await using hub = await hubWithVersions(['one']);
    hub.upstream.put('a', 'two');
    await eventually('the new version', async () => (await hub.versions()).length === 2);
  });

  it('include a content of 5 MB, without a client', async () => {
    const rows = Array.from({ length: 40_000 }, (_, id) => ({ id, text: `row ${id}`.padEnd(100) }));
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', JSON.stringify(rows));
    await using hub = await runningHub({ servers: [upstream.entry('notes')] });
    await hub.isLive('notes');
    const count = async () => versionsSchema.parse(await hub.json(path)).versions.length;
    await eventually('the first version', async () => (await count()) === 1);
    upstream.put('a', JSON.stringify(rows.with(20_000, { id: -1, text: 'changed' })));
    await eventually('the second version', async () => (await count()) === 2);
    const { stdout } = await tidingsCommand(['history', uri, '--hub', hub.url]);
    expect(stdout).toContain('[20000].id: 20000 → -1');
  });

  it('are limited to the configured number, also after an edit', async () => {
    await using hub = await hubWithVersions(['one', 'two', 'three'], { versions: { count: 2, megabytes: 1 } });
    await eventually('two versions', async () => (await hub.versions()).length === 2);
    hub.hub.apply({ ...hub.hub.tracker.config, versions: { count: 0, megabytes: 1 } });
    expect(await hub.versions()).toEqual([]);
  });

  it.each([
    ['/api/versions', 400, 'INVALID_PARAMS'],
    [`${path}&version=99`, 404, 'RESOURCE_NOT_FOUND'],
    [`${path}&version=x`, 400, 'INVALID_PARAMS'],
    [`${path}&server=none`, 404, 'RESOURCE_NOT_FOUND'],
    ['/api/versions?uri=nowhere%3A%2F%2Fx', 400, 'INVALID_URI'],
  ])('are refused at %s with %i %s', async (asked, status, code) => {
    await using hub = await hubWithVersions(['one']);
    const answer = await hub.get(asked);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { code } });
  });

  it('are shown in the terminal, with differences', async () => {
    await using hub = await hubWithVersions(['{"n":1}', '{"n":2}']);
    await eventually('two versions', async () => (await hub.versions()).length === 2);
    const { code, stdout, stderr } = await tidingsCommand(['history', uri, '--hub', hub.url]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/version 1, 7 B\n.*version 2, 7 B\n +n: 1 → 2\n/);
    const lines = (await tidingsCommand(['history', uri, '--hub', hub.url, '--json', '--limit', '1'])).stdout;
    expect(JSON.parse(lines)).toMatchObject({ version: 2, change: { kind: 'json' } });
    const none = await tidingsCommand(['history', 'note://unread', '--hub', hub.url]);
    expect(none).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No version of note:.+ is kept\..+subscribes/),
    });
    const unknown = await tidingsCommand(['history', 'nowhere://x', '--hub', hub.url]);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere:') });
  });
});
