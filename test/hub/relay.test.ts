// Questions of a server to its client during a request, through the hub: clients of both eras with real processes of
// servers of both eras.
import { ProtocolError } from '@modelcontextprotocol/client';
import { type Era, eventually } from '@tidings/live/testing';
import type { CommandEntry } from '@tidings/track';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture } from '../support/program/bundled-program.ts';
import { AskingClient, type AskingClientOptions } from './asking-client.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const eras = ['modern', 'legacy'] as const;
const programs = { modern: 'asking-server-2.js', legacy: 'asking-server-1.js' } as const;

async function entry(era: Era): Promise<CommandEntry> {
  const args = [await fixture(programs[era])];
  return { id: era, command: process.execPath, args, env: {}, enabled: true, trackResources: false };
}

let hub: RunningHub;
beforeAll(async () => {
  hub = await runningHub({ servers: await Promise.all(eras.map(entry)) });
  await hub.isLive(...eras);
});
afterAll(() => hub[Symbol.asyncDispose]());

describe.each(eras)('a %s client', (clientEra) => {
  describe.each(eras)('with a %s server behind', (serverEra) => {
    const connect = (options?: AskingClientOptions, era: Era = clientEra) =>
      AskingClient.connect(`${hub.url}/mcp/${serverEra}`, era, options);

    // A 2025-era server has a process for each client that can be asked.
    let usual: AskingClient;
    beforeAll(async () => {
      usual = await connect();
    });
    afterAll(() => usual[Symbol.asyncDispose]());

    it.each([
      ['ask_name', 'Hello Ada', ['Who?']],
      ['ask_model', 'The model says yes, Ada', ['model']],
      ['ask_roots', 'Roots: file:///home/Ada', ['roots']],
      ['ask_twice', 'Ada, Ada', ['First?', 'Second?']],
      ['ask_both', 'Ada, yes, Ada', ['Who?', 'model']],
      ['ask_url', 'You said accept', ['Log in.']],
      ['plain', 'Nothing asked.', []],
    ])('%s: the client is asked, and its answer reaches the server', async (tool, answer, asked) => {
      const before = usual.asked.length;
      expect(await usual.call(tool)).toBe(answer);
      expect(usual.asked.slice(before).toSorted()).toEqual(asked);
    });

    it('at the address of all servers the question names the server that asks', async () => {
      await using client = await AskingClient.connect(`${hub.url}/mcp`, clientEra);
      expect(await client.call(`${serverEra}_ask_name`)).toBe('Hello Ada');
      expect(client.asked).toEqual([`The server "${serverEra}" asks: Who?`]);
    });

    it('prompts and reads can ask too', async () => {
      const before = usual.asked.length;
      const { messages } = await usual.client.getPrompt({ name: 'ask_prompt' });
      expect(messages).toMatchObject([{ content: { text: 'Greet Ada' } }]);
      const { contents } = await usual.client.readResource({ uri: 'ask://read' });
      expect(contents).toMatchObject([{ uri: 'ask://read', text: 'Read by Ada' }]);
      expect(usual.asked.slice(before)).toEqual(['Who?', 'Who?']);
    });

    it('a client without the capability gets an error that says what to do', async () => {
      await using client = await connect({ capabilities: { roots: {} } });
      const failure = await client.client.callTool({ name: 'ask_name' }).catch((error: unknown) => error);
      const words = /^The server "\w+" has to ask its client for this \(elicitation\), .*: use a client that supports/;
      if (clientEra === 'modern') {
        expect(failure).toBeInstanceOf(ProtocolError);
        expect(failure).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } });
        expect(failure).toHaveProperty('message', expect.stringMatching(words));
      } else {
        expect(failure).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(words) }] });
      }
      expect(await client.call('ask_roots')).toBe('Roots: file:///home/Ada');
      await expect(client.client.getPrompt({ name: 'ask_prompt' })).rejects.toThrow(words);
      await expect(client.client.readResource({ uri: 'ask://read' })).rejects.toThrow(/elicitation/);
    });

    it('log messages reach the client that has set a level, from that level up', async () => {
      await using silent = await connect();
      await using client = await connect();
      const level = { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } };
      if (clientEra === 'legacy') await client.client.setLoggingLevel('info');
      await client.client.callTool({ name: 'say', ...(clientEra === 'modern' && level) });
      await eventually('the message', () => client.logged.length > 0);
      expect(client.logged).toEqual(['a warning']);
      expect(silent.logged).toEqual([]);
    });

    it('progress is passed on in every round', async () => {
      // An SDK client drops progress that arrives together with the response, as it may on a busy machine.
      await eventually('progress of both rounds', async () => {
        const progress: number[] = [];
        const onprogress = (each: { progress: number }) => void progress.push(each.progress);
        expect(await usual.call('count', { onprogress })).toBe('Counted for Ada');
        return progress.includes(1) && progress.at(-1) === 2;
      });
    });
  });
});
