// `tidings hook HOST`: the hook's input on stdin, JSON or nothing on stdout, and exit code 0.
import { createServer } from 'node:http';
import { eventually } from '@tidings/live/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AskingClient } from '../hub/asking-client.ts';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { runningHub } from '../hub/running-hub.ts';
import { timeLimit } from '../support/run/time-limit.ts';
import { tidingsCommand } from './hosted-tidings.ts';
import { type Ended, TidingsProcess } from './tidings-process.ts';

const silent: Ended = { code: 0, stdout: '', stderr: '' };
const input = JSON.stringify({ session_id: 's', hook_event_name: 'PostToolUse', tool_input: {} });

function hook(args: readonly string[], stdin: string, env: Record<string, string> = {}): Promise<Ended> {
  return tidingsCommand(['hook', ...args], { env, stdin });
}

/** As a host runs it: it waits until the process has ended. */
function hookProcess(args: readonly string[], stdin: string): Promise<Ended> {
  const started = new TidingsProcess(['hook', ...args]);
  started.child.stdin.on('error', () => undefined);
  started.child.stdin.end(stdin);
  return started.ended;
}

/** A server that is not a hub, or a slow one. */
async function serverThat(answer: (path: string, body: string) => { status: number; text: string } | undefined) {
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      const { status, text } = answer(req.url ?? '', body) ?? {};
      if (status !== undefined) res.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

describe('tidings hook', () => {
  test('prints changes since the last read once, in the form of the host', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', 'one');
    await using hub = await runningHub({ servers: [upstream.entry('notes')], token: 'whole' });
    await hub.isLive('notes');
    const env = { TIDINGS_TOKEN: 'whole', TIDINGS_HUB: hub.url };
    const cursor = (event: string) =>
      hook(['cursor'], JSON.stringify({ conversation_id: 'c', hook_event_name: event }), env);
    expect(await cursor('sessionStart')).toEqual(silent);
    await using client = await AskingClient.connect(`${hub.url}/mcp`, 'modern', {
      token: 'whole',
      info: 'cursor-vscode',
    });
    await client.client.readResource({ uri: 'note://a' });
    const { journal } = hub.hub.tracker;
    const before = journal.end;
    upstream.put('a', 'two');
    await eventually('the change', () => journal.end > before);
    const text = 'MCP resources that changed since they were read: note://a (1); read again what you rely on.';
    expect(await cursor('postToolUse')).toEqual({
      ...silent,
      stdout: `${JSON.stringify({ additional_context: text })}\n`,
    });
    expect(await cursor('postToolUse')).toEqual(silent);
    expect(await hook(['cursor', '--explain'], '{"hook_event_name":"x"}', env)).toEqual({
      ...silent,
      stderr: 'The hub has nothing to say.\n',
    });
    for (const input of ['', '{"hook_', '["x"]']) {
      const odd = await hook(['cursor', '--explain'], input, env);
      expect(odd).toEqual({ ...silent, stderr: expect.stringContaining('The input on stdin is not a JSON object.') });
    }
    const wrong = await hook(['cursor', '--explain'], '{"hook_event_name":"x"}', { ...env, TIDINGS_TOKEN: 'wrong' });
    expect(wrong).toMatchObject({ code: 0, stdout: '' });
    expect(wrong.stderr).toContain('TIDINGS_TOKEN');
  });

  test('sends the fields that the hub uses, but neither prompts nor tool arguments', async () => {
    const received: string[] = [];
    const url = await serverThat((path, body) => {
      received.push(path, body);
      return { status: 200, text: '{}' };
    });
    const given = { session_id: 's', hook_event_name: 'Stop', prompt: 'secret', tool_response: 'x'.repeat(5_000_000) };
    const args = ['codex', '--hub', url, '--server', 'vcon', '--uri', 'vcon://**'];
    // In a process that has started: on a busy machine, a pipe may need longer for this than a hook waits for its input.
    expect(await hook(args, JSON.stringify(given))).toEqual(silent);
    expect(received).toEqual([
      '/hooks/codex?server=vcon&uri=vcon%3A%2F%2F**',
      JSON.stringify({ hook_event_name: 'Stop', session_id: 's' }),
    ]);
  });

  test.each([
    ['an error', () => ({ status: 500, text: '{"error":{"code":"INTERNAL","message":"no"}}' })],
    ['a refusal', () => ({ status: 401, text: '{}' })],
    ['no JSON', () => ({ status: 200, text: '<html>' })],
    ['another document', () => ({ status: 200, text: '["a"]' })],
    ['of another program', () => ({ status: 200, text: '{"ok":true}' })],
    ['a decision', () => ({ status: 200, text: '{"decision":"block","reason":"no"}' })],
    [
      'a permission',
      () => ({
        status: 200,
        text: '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"x","permissionDecision":"allow"}}',
      }),
    ],
    ['nothing, for ever', () => undefined],
  ])(
    'is silent, and soon, where the answer is %s',
    async (_what, answer) => {
      const url = await serverThat(answer);
      expect(await hookProcess(['claude-code', '--hub', url], input)).toEqual(silent);
    },
    timeLimit(10_000),
  );

  test('prints nothing without a hub, and for input that is invalid or does not end', async () => {
    const nowhere = ['--hub', 'http://127.0.0.1:9'];
    expect(await hookProcess(['gemini', ...nowhere], input)).toEqual(silent);
    for (const wrong of ['', '{', '[]', 'null', '{"session_id":7}', '['.repeat(100_000)]) {
      expect(await hook(['gemini', ...nowhere], wrong)).toEqual(silent);
    }
    const open = new TidingsProcess(['hook', 'gemini', '--explain', ...nowhere]);
    expect(await open.ended).toEqual({ ...silent, stderr: 'The input on stdin did not end.\n' });
  });

  test('does not make the host refuse when the settings are wrong', async () => {
    for (const args of [['none'], [], ['codex', '--none'], ['codex', '--hub', 'x']]) {
      const { code, stdout, stderr } = await hook(args, input);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('error:');
    }
  });
});
