// What each event of a host's hooks is for, and the form in which the host takes a text for its model. A host refuses
// members that it does not know (Codex: `additionalProperties: false`), so an answer has these and no others.
import { isDeepStrictEqual } from 'node:util';
import type { HookHost } from './hook-host.ts';

/**
 * - `start`: a session begins or is continued; `end`: it has ended
 * - `prompt`: before the model sees what its user wrote; `work`: during a turn
 * - `stop`: at the end of a turn, which a text would continue
 * - `subagent`, `subagent end`: the same for an agent with a context of its own
 */
export type Moment = 'start' | 'prompt' | 'work' | 'stop' | 'subagent' | 'subagent end' | 'end';

/** What a host reads as JSON. */
export type HookAnswer = Readonly<Record<string, unknown>>;

interface HookEvent {
  readonly moment: Moment;
  readonly answer: (event: string, text: string) => HookAnswer;
}

/** The answer to events whose text the host ignores. */
export const nothing: HookAnswer = {};

const silent = () => nothing;
const context = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});
const cursorContext = (_event: string, text: string) => ({ additional_context: text });
const followup = (_event: string, text: string) => ({ followup_message: text });
const block = (_event: string, reason: string) => ({ decision: 'block', reason });
const deny = (_event: string, reason: string) => ({ decision: 'deny', reason });
const nestedBlock = (hookEventName: string, reason: string) => ({
  hookSpecificOutput: { hookEventName, decision: 'block', reason },
});

const events: Readonly<Record<HookHost, ReadonlyMap<string, HookEvent>>> = {
  'claude-code': new Map([
    ['SessionStart', { moment: 'start', answer: context }],
    ['UserPromptSubmit', { moment: 'prompt', answer: context }],
    ['PreToolUse', { moment: 'work', answer: context }],
    ['PostToolUse', { moment: 'work', answer: context }],
    ['PostToolBatch', { moment: 'work', answer: context }],
    ['Stop', { moment: 'stop', answer: context }],
    ['SubagentStart', { moment: 'subagent', answer: context }],
    ['SubagentStop', { moment: 'subagent end', answer: silent }],
    ['SessionEnd', { moment: 'end', answer: silent }],
  ]),
  codex: new Map([
    ['SessionStart', { moment: 'start', answer: context }],
    ['UserPromptSubmit', { moment: 'prompt', answer: context }],
    ['PreToolUse', { moment: 'work', answer: context }],
    ['PostToolUse', { moment: 'work', answer: context }],
    ['Stop', { moment: 'stop', answer: block }],
    ['SubagentStart', { moment: 'subagent', answer: context }],
    ['SubagentStop', { moment: 'subagent end', answer: silent }],
  ]),
  vscode: new Map([
    ['SessionStart', { moment: 'start', answer: context }],
    ['PreToolUse', { moment: 'work', answer: context }],
    ['PostToolUse', { moment: 'work', answer: context }],
    ['Stop', { moment: 'stop', answer: nestedBlock }],
    ['SubagentStart', { moment: 'subagent', answer: context }],
    ['SubagentStop', { moment: 'subagent end', answer: silent }],
  ]),
  cursor: new Map([
    ['sessionStart', { moment: 'start', answer: cursorContext }],
    ['postToolUse', { moment: 'work', answer: cursorContext }],
    ['stop', { moment: 'stop', answer: followup }],
    ['sessionEnd', { moment: 'end', answer: silent }],
  ]),
  gemini: new Map([
    ['SessionStart', { moment: 'start', answer: context }],
    ['BeforeAgent', { moment: 'prompt', answer: context }],
    ['AfterTool', { moment: 'work', answer: context }],
    ['AfterAgent', { moment: 'stop', answer: deny }],
    ['SessionEnd', { moment: 'end', answer: silent }],
  ]),
};

/** Undefined for an event at which the hub has nothing to say or to note. */
export function hookEventOf(host: HookHost, event: string): HookEvent | undefined {
  return events[host].get(event);
}

/** Whether an answer is a text in the form that the host takes at this event, and nothing else. */
export function isHookAnswer(host: HookHost, event: string, answer: unknown): boolean {
  const text = textIn(answer);
  const form = hookEventOf(host, event)?.answer;
  return text !== undefined && form !== undefined && isDeepStrictEqual(answer, form(event, text));
}

function textIn(answer: unknown): string | undefined {
  const { hookSpecificOutput = answer } = Object(answer);
  const { additionalContext, additional_context, followup_message, reason } = Object(hookSpecificOutput);
  const text: unknown = additionalContext ?? additional_context ?? followup_message ?? reason;
  return typeof text === 'string' ? text : undefined;
}
