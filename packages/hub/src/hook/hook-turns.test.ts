import { describe, expect, it } from 'vitest';
import { HookedHub, changed } from '../testing/hooked-hub.ts';

describe('within a turn', () => {
  it('a resource that changes repeatedly is named once a minute, and with other changes', async () => {
    const hub = new HookedHub();
    await hub.says('UserPromptSubmit');
    hub.read('a://busy');
    hub.read('a://calm');
    hub.change('a://busy');
    expect(await hub.says('PostToolUse')).toBe(changed('a://busy (1)'));
    hub.change('a://busy');
    expect(await hub.says('PostToolUse')).toBe('');
    hub.change('a://calm');
    expect(await hub.says('PostToolUse')).toBe(changed('a://calm (1)', 'a://busy (2)'));
    hub.change('a://busy');
    hub.clock.advance(59_999);
    expect(await hub.says('PostToolUse')).toBe('');
    hub.clock.advance(1);
    expect(await hub.says('PostToolUse')).toBe(changed('a://busy (3)'));
    hub.change('a://busy');
    expect(await hub.says('UserPromptSubmit')).toBe(changed('a://busy (4)'));
  });

  it.each([
    ['claude-code', 'Stop', { stop_hook_active: true }],
    ['codex', 'Stop', { stop_hook_active: true }],
    ['vscode', 'Stop', { stop_hook_active: true }],
    ['gemini', 'AfterAgent', { stop_hook_active: true }],
    ['cursor', 'stop', { loop_count: 1, status: 'completed' }],
    ['cursor', 'stop', { loop_count: 0, status: 'aborted' }],
  ] as const)(
    'the hook of %s at %s with %o is empty, and the changes stay pending',
    async (host, event, isContinued) => {
      const hub = new HookedHub();
      const asked = { host };
      await hub.says(event, {}, asked);
      hub.read('a://1', host);
      expect(await hub.says(event, { stop_hook_active: false, loop_count: 0 }, asked)).toBe('');
      hub.change('a://1');
      expect(await hub.says(event, isContinued, asked)).toBe('');
      expect(await hub.says(event, { stop_hook_active: false, loop_count: 0 }, asked)).toBe(changed('a://1 (1)'));
      hub.change('a://1');
      hub.clock.advance(60_000);
      // The model knows by now that its content is outdated.
      expect(await hub.says(event, {}, asked)).toBe('');
    },
  );

  it('a subagent and its session both get a change', async () => {
    const hub = new HookedHub();
    await hub.says('UserPromptSubmit');
    hub.read('a://1');
    hub.change('a://1');
    expect(await hub.says('SubagentStart', { agent_id: 'x' })).toBe(changed('a://1 (1)'));
    expect(await hub.says('PostToolUse', { agent_id: 'x' })).toBe('');
    expect(await hub.says('PostToolUse', { agent_id: 'y' })).toBe(changed('a://1 (1)'));
    expect(await hub.says('SubagentStart')).toBe(changed('a://1 (1)'));
    expect(await hub.says('PostToolUse')).toBe(changed('a://1 (1)'));
    await hub.says('SubagentStop', { agent_id: 'x' });
    expect(await hub.says('SubagentStart', { agent_id: 'x' })).toBe('');
  });
});
