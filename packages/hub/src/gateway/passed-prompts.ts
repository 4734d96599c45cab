// The prompts of a server, passed on with completion of their arguments.
import type { Prompt } from '@modelcontextprotocol/client';
import type { Completer } from '@tidings/live';
import { answerable } from './answerable.ts';
import { FollowedList } from './followed-list.ts';
import { namedContent } from './named-content.ts';
import { passThrough } from './pass-through.ts';
import { type PassedOn, mayUse } from './passed-tools.ts';

export function passPrompts({ server, upstream, views, nameOf, uriOf, log }: PassedOn): FollowedList<'prompts'> {
  const completerOf =
    (prompt: string, argument: string): Completer =>
    (prefix, chosen, caller) =>
      views.of(upstream, caller).use(async (client) => {
        if (client.getServerCapabilities()?.completions === undefined) return [];
        const { completion } = await client.complete({
          ref: { type: 'ref/prompt', name: prompt },
          argument: { name: argument, value: prefix },
          context: { arguments: chosen },
        });
        return completion.values;
      });
  return new FollowedList({
    upstream,
    list: 'prompts',
    log,
    define: ({ name, title, description, arguments: args = [], icons, _meta }) =>
      server.prompt(
        nameOf(name),
        {
          args: passThrough(schemaOf(args)),
          complete: Object.fromEntries(args.map((each) => [each.name, completerOf(name, each.name)])),
          ...(title !== undefined && { title }),
          ...(description !== undefined && { description }),
          ...(icons && { icons }),
          ...(_meta && { _meta }),
          visibleTo: (caller) => views.has(upstream, caller) && mayUse(caller, upstream, true),
        },
        async (given: unknown, { caller }) => {
          const view = views.of(upstream, caller);
          const getting = view.use((client) => client.getPrompt({ name, arguments: texts(given) }));
          const result = await answerable(upstream, getting);
          const messages = result.messages.map((each) => ({ ...each, content: namedContent(each.content, uriOf) }));
          return { ...result, messages };
        },
      ),
  });
}

function schemaOf(args: NonNullable<Prompt['arguments']>): Record<string, unknown> {
  const properties = args.map(({ name, description }) => [
    name,
    { type: 'string', ...(description && { description }) },
  ]);
  const required = args.filter((each) => each.required === true).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function texts(given: unknown): Record<string, string> {
  const entries = Object.entries(typeof given === 'object' && given !== null ? given : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
