// The bridge as its reference documents it: three lines of curl, with the test's port.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openVcon } from '@tidings/vcon';
import { expect, it, onTestFinished } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { supportCall } from '../vcon/workbench.ts';
import { runningHub } from './running-hub.ts';

const curlNeed = { what: 'curl', isThere: spawnSync('curl', ['--version']).status === 0, install: 'apt install curl' };
const run = promisify(execFile);

describeWith(curlNeed, 'curl', () => {
  it('curl reads the newest conversations, one of them, and its transcript', async () => {
    const place = await mkdtemp(join(tmpdir(), 'tidings-curl-'));
    onTestFinished(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));
    await using hub = await runningHub({
      servers: [{ id: 'vcon', builtin: 'vcon', enabled: true, trackResources: true }],
      builtins: { vcon: () => openVcon({ place }) },
    });
    await hub.isLive('vcon');
    const writer = await hub.connect('modern');
    await writer.call('vcon_create_vcon', supportCall);
    await writer.close();
    const { port } = new URL(hub.url);
    const curl = async (address: string) => {
      const { stdout } = await run('curl', [address.replace('3000', port)]);
      return JSON.parse(stdout);
    };
    const recent = await curl('http://localhost:3000/resources/vcon%3A%2F%2Fv1%2Fvcons%2Frecent%2F10');
    expect(recent).toMatchObject({ count: 1, limit: 10, vcons: [{ uuid: supportCall.uuid }] });
    const one = 'http://localhost:3000/resources/vcon%3A%2F%2Fv1%2Fvcons%2F123e4567-e89b-12d3-a456-426614174000';
    expect(await curl(one)).toMatchObject({ uuid: supportCall.uuid, parties: supportCall.parties });
    expect(await curl(`${one}%2Ftranscript`)).toMatchObject({
      count: 1,
      transcripts: [{ type: 'transcript', vendor: 'Google Cloud' }],
    });
  });
});
