// The output that each host accepts at each event, according to its documentation and sources (Codex: its JSON
// schemas).
import { describe, expect, it } from 'vitest';
import { hookEventOf, isHookAnswer } from './hook-event.ts';
import { type HookHost, hookHosts, isOfOtherHost } from './hook-host.ts';

const text = 'Said.';
const context = (hookEventName: string) => ({ hookSpecificOutput: { hookEventName, additionalContext: text } });

const answers: Record<HookHost, Record<string, readonly [moment: string, answer: object]>> = {
  'claude-code': {
    SessionStart: ['start', context('SessionStart')],
    UserPromptSubmit: ['prompt', context('UserPromptSubmit')],
    PreToolUse: ['work', context('PreToolUse')],
    PostToolUse: ['work', context('PostToolUse')],
    PostToolBatch: ['work', context('PostToolBatch')],
    SubagentStart: ['subagent', context('SubagentStart')],
    Stop: ['stop', context('Stop')],
    SubagentStop: ['subagent end', {}],
    SessionEnd: ['end', {}],
  },
  codex: {
    SessionStart: ['start', context('SessionStart')],
    UserPromptSubmit: ['prompt', context('UserPromptSubmit')],
    PreToolUse: ['work', context('PreToolUse')],
    PostToolUse: ['work', context('PostToolUse')],
    SubagentStart: ['subagent', context('SubagentStart')],
    Stop: ['stop', { decision: 'block', reason: text }],
    SubagentStop: ['subagent end', {}],
  },
  vscode: {
    SessionStart: ['start', context('SessionStart')],
    PreToolUse: ['work', context('PreToolUse')],
    PostToolUse: ['work', context('PostToolUse')],
    SubagentStart: ['subagent', context('SubagentStart')],
    Stop: ['stop', { hookSpecificOutput: { hookEventName: 'Stop', decision: 'block', reason: text } }],
    SubagentStop: ['subagent end', {}],
  },
  cursor: {
    sessionStart: ['start', { additional_context: text }],
    postToolUse: ['work', { additional_context: text }],
    stop: ['stop', { followup_message: text }],
    sessionEnd: ['end', {}],
  },
  gemini: {
    SessionStart: ['start', context('SessionStart')],
    BeforeAgent: ['prompt', context('BeforeAgent')],
    AfterTool: ['work', context('AfterTool')],
    AfterAgent: ['stop', { decision: 'deny', reason: text }],
    SessionEnd: ['end', {}],
  },
};
const cells = hookHosts.flatMap((host) =>
  Object.entries(answers[host]).map(([event, [moment, answer]]) => ({ host, event, moment, answer })),
);

describe('an event', () => {
  it.each(cells)('$event of $host is $moment', ({ host, event, moment, answer }) => {
    const found = hookEventOf(host, event);
    expect(found?.moment).toBe(moment);
    expect(found?.answer(event, text)).toEqual(answer);
    const hasText = Object.keys(answer).length > 0;
    expect(isHookAnswer(host, event, answer)).toBe(hasText);
    expect(isHookAnswer(host, event, { ...answer, continue: false })).toBe(false);
    expect(isHookAnswer(host, 'None', answer)).toBe(false);
  });

  it.each([
    // In these hosts, text at this event does not reach the model.
    ['vscode', 'UserPromptSubmit'],
    ['cursor', 'beforeSubmitPrompt'],
    ['claude-code', 'Notification'],
    ['gemini', 'BeforeModel'],
    ['codex', 'toString'],
    ['cursor', '__proto__'],
  ] as const)('of %s without a response: %s', (host, event) => {
    expect(hookEventOf(host, event)).toBeUndefined();
  });
});

describe('a client', () => {
  it.each([
    ['claude-code', 'claude-code'],
    ['codex', 'codex-mcp-client'],
    ['vscode', 'Visual Studio Code'],
    ['cursor', 'cursor-vscode'],
    ['gemini', 'gemini-cli-mcp-client'],
  ] as const)('of %s is named %s', (host, client) => {
    expect(hookHosts.filter((each) => !isOfOtherHost(each, client))).toEqual([host]);
  });

  it.each(['', 'tidings', 'mcp-remote'])('with the name "%s" may be of any host', (client) => {
    expect(hookHosts.filter((each) => isOfOtherHost(each, client))).toEqual([]);
  });
});
