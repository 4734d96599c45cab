// The tools of docs/asking.md, over HTTP, with clients of both eras.
import { Client, type ElicitResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { serveHttp } from '@tidings/live';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shop } from './quoted/asking.ts';

const secret = 'a secret of thirty-two characters';

/** A client whose user answers each question with the next of `answers`. */
async function open(mode: 'auto' | 'legacy', answers: ElicitResult[] | undefined) {
  const notes = new Map([['a', 'one']]);
  let price = 10;
  // Each request for the price returns another one.
  const server = shop(notes, () => (price += 1), secret);
  const { url, close } = await serveHttp(server);
  const capabilities = answers ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
  const questions: string[] = [];
  if (answers) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return answers.shift() ?? { action: 'cancel' };
    });
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(async () => {
    await client.close();
    await close();
  });
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    return { text: content.map((block) => (block.type === 'text' ? block.text : '')).join(), isError };
  };
  return { notes, questions, call };
}

describe.each(['auto', 'legacy'] as const)('a tool that asks (%s)', (mode) => {
  it('acts when the user agrees', async () => {
    const { notes, questions, call } = await open(mode, [{ action: 'accept', content: { sure: true } }]);
    expect(await call('delete_note', { id: 'a' })).toMatchObject({ text: 'The note was deleted.' });
    expect(questions).toEqual(['Delete note a?']);
    expect(notes.size).toBe(0);
  });

  it.each<ElicitResult>([
    { action: 'accept', content: { sure: false } },
    { action: 'accept', content: { sure: 'certainly' } },
    { action: 'decline' },
    { action: 'cancel' },
  ])('does not when the answer is %j', async (answer) => {
    const { notes, call } = await open(mode, [answer]);
    expect(await call('delete_note', { id: 'a' })).toMatchObject({ text: 'The note was kept.' });
    expect(notes.size).toBe(1);
  });

  it('keeps its state between rounds', async () => {
    const { questions, call } = await open(mode, [{ action: 'accept', content: { agree: true } }]);
    expect(await call('order', { item: 'tea' })).toMatchObject({ text: 'Ordered for 11.' });
    expect(questions).toEqual(['tea costs 11.']);
  });

  it('is refused if its client cannot ask the user', async () => {
    const { notes, call } = await open(mode, undefined);
    const refusal = await call('delete_note', { id: 'a' }).then(
      ({ text, isError }) => (isError === true ? text : undefined),
      (error: Error) => error.message,
    );
    expect(refusal).toMatch(/elicitation/i);
    expect(notes.size).toBe(1);
  });
});
