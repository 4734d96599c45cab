// The prompts of a server, passed on with completion of their arguments.
import { isInputRequiredResult } from '@modelcontextprotocol/client';
import { type Caller, type Completer, LiveError } from '@tidings/live';
import { PassedResult, addPassedPrompt } from '@tidings/live/internal';
import { isObject } from '@tidings/live/portable';
import { asSent } from '@tidings/track/internal';
import { FollowedList } from './followed-list.ts';
import { suggestionsOf } from '../resource/suggestions.ts';
import { namedContent } from './named-content.ts';
import { passThrough } from './pass-through.ts';
import type { PassedOn } from './passed-tools.ts';

export function passPrompts(passedOn: PassedOn): FollowedList<'prompts'> {
  const { server, upstream, views, permissionsOf, namesOf, uriOf, relay, namesAsker, log } = passedOn;
  const completerOf =
    (prompt: string) =>
    (argument: string): Completer =>
    (prefix, chosen, caller, context) =>
      suggestionsOf(upstream, views.of(upstream, caller), context, {
        ref: { type: 'ref/prompt', name: prompt },
        argument: { name: argument, value: prefix },
        context: { arguments: chosen },
      });
  return new FollowedList({
    upstream,
    list: 'prompts',
    namesOf,
    log,
    define: ({ name, title, description, arguments: args, icons, _meta, ...others }, here) =>
      addPassedPrompt(
        server,
        here,
        {
          args: passThrough({ type: 'object' }),
          arguments: args,
          complete: completerOf(name),
          ...(title !== undefined && { title }),
          ...(description !== undefined && { description }),
          ...(icons && { icons }),
          ...(_meta && { _meta }),
          others,
          visibleTo: (caller: Caller) => permissionsOf(caller).mayPrompt(upstream.id, name),
        },
        async (given: unknown, context) => {
          const { caller } = context;
          // Checked again, because a connection keeps the definitions that were visible when it was opened.
          if (!permissionsOf(caller).mayPrompt(upstream.id, name)) throw notForYou();
          const view = views.of(upstream, caller);
          const result = await relay.prompts.request({
            upstream,
            view,
            context,
            name,
            isRepeatable: true,
            namesAsker,
            send: async (client, params, options) => {
              const args = texts(given);
              return asSent(await client.getPrompt({ name, ...(args && { arguments: args }), ...params }, options));
            },
          });
          if (isInputRequiredResult(result)) return result;
          const messages = result.messages.flatMap((each) => {
            if (typeof each?.content !== 'object') return [each];
            const content = namedContent(each.content, (uri) => uriOf(uri, caller));
            return content ? [{ ...each, content }] : [];
          });
          return new PassedResult({ ...result, messages });
        },
      ),
  });
}

function notForYou(): LiveError {
  return new LiveError('PERMISSION_DENIED', 'Your credentials do not allow using this prompt.');
}

function texts(given: unknown): Record<string, string> | undefined {
  if (given === undefined) return undefined;
  const entries = Object.entries(isObject(given) ? given : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
