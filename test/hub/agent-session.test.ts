// One agent's session: its messages after gaps, and after losses and refusals of the agent.
import { describe, expect, it } from 'vitest';
import type { AgentEvents, AgentMessage } from '../../packages/hub/src/agent/port/agent-port.ts';
import { agentSession, never, settle } from './agent-session-fixture.ts';
import { contentsIn } from './contents-in.ts';

describe('the time from an event to its line for an agent', () => {
  it('is measured from the event on, also through an outage', async () => {
    let isThere = true;
    const send = async () => (isThere ? undefined : Promise.reject(new Error('away')));
    const { delivered, change, pass } = await agentSession({ port: { send } });
    await change('a://1');
    expect(delivered).toEqual([['under-test', 0]]);
    isThere = false;
    await change('a://2');
    isThere = true;
    await pass(2000);
    expect(delivered.slice(1)).toEqual([['under-test', 2]]);
  });
});

describe('a gap in the journal', () => {
  it('is reported in one line, for one server or for all', async () => {
    const { journal, said, pass } = await agentSession({ servers: ['s'] });
    journal.append({ type: 'gap', serverId: 's' });
    journal.append({ type: 'gap', serverId: 'another' });
    journal.append({ type: 'gap' });
    await pass();
    expect(said).toEqual([
      'Resources of MCP server s may have changed at 1970-01-01T00:00:00.000Z: read again what you rely on',
      'Resources may have changed at 1970-01-01T00:00:00.000Z: read again what you rely on',
    ]);
  });

  it('is reported if the journal has dropped events that the session had not read', async () => {
    const { journal, said, change } = await agentSession({ entries: 8 });
    for (let n = 0; n < 100; n += 1) journal.append({ type: 'server_state', serverId: 's', state: 'live' });
    await change('a');
    expect(said).toEqual([
      expect.stringMatching(/^Resources may have changed at /),
      expect.stringMatching(/^Resource a /),
    ]);
  });
});

describe('a session that does not answer', () => {
  it('during a message: keeps one line for each resource, counts as lost, and gets the lines when it is back', async () => {
    const said: string[] = [];
    let isStuck = true;
    const send = ({ text }: AgentMessage) => {
      said.push(text);
      return isStuck ? never : Promise.resolve();
    };
    const { under, change, pass } = await agentSession({ port: { send } });
    await change('first');
    for (let n = 0; n < 500; n += 1) await change('a', 'b', 'c');
    expect(under.status()).toMatchObject({ state: 'attached', pending: 3, messages: 0 });
    await pass(30_000);
    expect(under.status()).toMatchObject({
      state: 'backoff',
      detail: 'The agent did not answer within 30 s.',
      pending: 4,
    });
    isStuck = false;
    await pass(1000);
    expect(said.map((text) => text.split(' ')[1])).toEqual(['first', 'first', 'a', 'b', 'c']);
    expect(under.status()).toMatchObject({ state: 'attached', pending: 0, messages: 4 });
  });

  it('and is lost meanwhile: gets the lines when it is back, and those delivered before only once', async () => {
    const said: string[] = [];
    const send = async ({ text }: AgentMessage) => {
      said.push(text);
      if (said.length === 2) await never;
    };
    const { events, change, pass } = await agentSession({ port: { send } });
    await change('a', 'b', 'c');
    events().lost('gone');
    await pass(1000);
    expect(said.map((text) => text.split(' ')[1])).toEqual(['a', 'b', 'b', 'c']);
  });

  it('and never confirmed its lines: gets them again, with later ones', async () => {
    const { events, change, pass, said } = await agentSession({ port: { confirms: true } });
    await change('a', 'b');
    await change('c');
    events().arrived(1);
    await change('b');
    events().lost('gone');
    said.length = 0;
    await change('d');
    await pass(1000);
    expect(said.map((text) => text.split(' ')[1])).toEqual(['c', 'b', 'd']);
  });

  it('when it is opened: is tried again, with the reason in its state', async () => {
    let opened = 0;
    const open = () => {
      opened += 1;
      return opened === 1 ? never : Promise.resolve();
    };
    const { under, pass, change, said } = await agentSession({ port: { open } });
    await change('a');
    expect(under.status()).toMatchObject({ state: 'attaching', pending: 1 });
    await pass(20_000);
    expect(under.status()).toMatchObject({ state: 'backoff', detail: 'The agent did not answer within 20 s.' });
    await pass(1000);
    expect(said).toHaveLength(1);
  });

  it('when it is closed: is still detached', async () => {
    const { under, pass, change } = await agentSession({ port: { send: () => never, close: () => never } });
    await change('a');
    const detached = under.detach();
    await pass(1000);
    await detached;
    expect(under.status().state).toBe('detached');
  });

  it('and closes as soon as it is open: is tried less and less often', async () => {
    let opened = 0;
    const open = async (events: AgentEvents) => {
      opened += 1;
      setImmediate(() => events.lost('wrong model'));
    };
    const { pass } = await agentSession({ port: { open } });
    for (let second = 0; second < 60; second += 1) {
      await settle();
      await pass(1000);
    }
    expect(opened).toBeLessThan(12);
  });
});

describe('a message that is refused', () => {
  const names = (said: readonly string[]) => said.map((text) => text.split(' ')[1]);

  it('is sent again after a pause, and nothing else is', async () => {
    const { said, change, pass, events, under } = await agentSession({ port: { confirms: true } });
    await change('a', 'b', 'c');
    // Also where it had arrived: the answer to a ping may be there first.
    events().arrived(3);
    events().refused(2, 'Busy.');
    await pass(999);
    expect(names(said)).toEqual(['a', 'b', 'c']);
    await pass(1);
    expect(names(said)).toEqual(['a', 'b', 'c', 'b']);
    await pass(3_600_000);
    expect(said).toHaveLength(4);
    expect(under.status()).toMatchObject({ state: 'attached', pending: 0, refused: 0 });
  });

  it('several times is reported as refused, and not sent forever', async () => {
    let sent = 0;
    const send = async () => {
      sent += 1;
      const message = sent;
      setImmediate(() => under.events().refused(message, 'No such role'));
    };
    const under = await agentSession({ port: { send } });
    await under.change('a');
    for (let minute = 0; minute < 10; minute += 1) {
      await under.pass(60_000);
      await settle();
      await settle();
    }
    expect(sent).toBe(4);
    expect(under.under.status()).toMatchObject({ state: 'attached', pending: 0, refused: 1 });
    expect(under.under.transcript.entries.at(-1)).toMatchObject({
      kind: 'state',
      text: expect.stringMatching(
        /^refused: No such role\. Not told: Resources updated, the last at \S+: a for MCP server s$/,
      ),
    });
    // Others are still told, and so is it when it changes.
    await under.change('b');
    expect(sent).toBe(5);
  });

  it('is sent at once to a session that was lost meanwhile', async () => {
    const { said, change, pass, events } = await agentSession();
    await change('a', 'b');
    events().refused(1, 'Busy.');
    events().lost('gone');
    await pass(500);
    expect(names(said)).toEqual(['a', 'b', 'a']);
    await pass(60_000);
    expect(said).toHaveLength(3);
  });

  it('is not sent again if a later line about the same resource was sent meanwhile', async () => {
    const { said, change, pass, events } = await agentSession();
    await change('a');
    events().refused(1, 'Busy.');
    await change('a');
    await pass(60_000);
    expect(names(said)).toEqual(['a', 'a']);
  });

  it('repeats line and content if either was refused', async () => {
    for (const refused of [1, 2]) {
      const contents = { a: { uri: 'a', text: 'content' } };
      const { said, change, pass, events } = await agentSession({ announce: 'diff', contents });
      await change('a');
      events().refused(refused, 'Too long.');
      await pass(1000);
      expect(said).toHaveLength(4);
      expect(contentsIn(said)).toEqual(['content', 'content']);
    }
  });

  it('that is a summary is sent again with all its updates', async () => {
    const { said, change, pass, events } = await agentSession({ perMinute: 1 });
    await change('a', 'b', 'c');
    expect(said).toHaveLength(1);
    events().refused(1, 'Too long.');
    await pass(61_000);
    expect(said.at(-1)).toContain('a, b, c for MCP server s');
  });

  it('that was a summary of a lost session counts as one message of the minute', async () => {
    const { said, change, pass, events } = await agentSession({ perMinute: 2, port: { confirms: true } });
    await change('a');
    events().arrived(1);
    await change('b', 'c', 'd');
    events().lost('The network was away.');
    await pass(5000);
    expect(said.slice(1)).toEqual([said[1], said[1]]);
    await change('e');
    expect(said).toHaveLength(3);
    await pass(60_000);
    expect(said).toHaveLength(4);
  });
});
