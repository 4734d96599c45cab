import { describe, expect, it } from 'vitest';
import { hookInputOf } from './hook-input.ts';

describe('the input of a hook', () => {
  it.each([
    ['Claude Code', { session_id: 's', hook_event_name: 'e', agent_id: 'x', prompt: 'p', tool_input: { a: [1] } }],
    ['VS Code', { sessionId: 's', hookEventName: 'e', agent_id: 'x', timestamp: 't' }],
    ['Cursor', { conversation_id: 's', generation_id: 'g', hook_event_name: 'e', agent_id: 'x' }],
  ])('is accepted as %s sends it', (_host, body) => {
    const input = hookInputOf(body);
    expect({ ...input, session: input.session() }).toEqual({
      event: 'e',
      session: 's',
      agent: 'x',
      source: undefined,
      mayContinue: true,
    });
  });

  it.each([
    [{ stop_hook_active: true }, false],
    [{ stop_hook_active: false }, true],
    [{ loop_count: 0, status: 'completed' }, true],
    [{ loop_count: 1, status: 'completed' }, false],
    [{ loop_count: 0, status: 'aborted' }, false],
    [{ loop_count: null, status: null, stop_hook_active: null, agent_id: null, source: null }, true],
  ])('%o may continue a turn: %s', (fields, mayContinue) => {
    expect(hookInputOf({ session_id: 's', hook_event_name: 'Stop', ...fields }).mayContinue).toBe(mayContinue);
  });

  it.each([
    null,
    'text',
    [],
    {},
    { session_id: 's' },
    { session_id: 's', hook_event_name: 7 },
    { session_id: '', hook_event_name: 'e' },
    { session_id: { a: 1 }, hook_event_name: 'e' },
    { session_id: 's'.repeat(257), hook_event_name: 'e' },
    { session_id: 's', hook_event_name: 'e'.repeat(257) },
    { session_id: 's', hook_event_name: 'e', stop_hook_active: 'yes' },
  ])('is refused if it is %o', (body) => {
    expect(() => hookInputOf(body)).toThrow();
  });

  it('may have no session if its event does not need one', () => {
    const { session } = hookInputOf({ hook_event_name: 'e' });
    expect(session).toThrow('session_id: is missing');
  });
});
