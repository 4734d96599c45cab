// `POST /hooks/{host}`: what the hook of a host says.
import type { HttpBindings } from '@hono/node-server';
import { LiveError } from '@tidings/live';
import { onAbort } from '@tidings/live/time';
import type { Hono } from 'hono';
import { type HookHost, hookHosts } from '../../hook/hook-host.ts';
import { hookInputOf } from '../../hook/hook-input.ts';
import type { Hooks } from '../../hook/hooks.ts';
import { hookQuery, hookSelection } from '../../hook/hook-selection.ts';
import type { RequestCallers } from '../admission/request-callers.ts';
import { leftSignal } from '../connection/left-signal.ts';
import type { OpenAnswers } from '../connection/open-answers.ts';
import { bodyOf } from '../message/body.ts';
import { json } from '../message/json.ts';

interface HookRoutesDeps {
  hooks: Pick<Hooks, 'answer'>;
  callers: Pick<RequestCallers, 'callerOf'>;
  open: Pick<OpenAnswers, 'keep'>;
}

/** Hosts send the input and output of tools along, which may be files and images. */
const mostBytes = 8 * 1024 * 1024;

export function hookRoutes(app: Hono<{ Bindings: HttpBindings }>, { hooks, callers, open }: HookRoutesDeps): void {
  app.post('/hooks/:host', async (c) => {
    const { incoming, outgoing } = c.env;
    const host = hookHostOf(c.req.param('host'));
    const wanted = hookSelection(hookQuery.parse(c.req.query()));
    const announced = Number(incoming.headers['content-length'] ?? 0);
    open.keep(outgoing, Math.min(announced, mostBytes));
    const body = announced > 0 ? await bodyOf(incoming, mostBytes) : await bodyOf(incoming);
    const { body: answer, undelivered } = await hooks.answer({
      caller: callers.callerOf(incoming),
      host,
      input: hookInputOf(body),
      wanted,
    });
    onAbort(leftSignal(outgoing), undelivered);
    return json(answer);
  });
}

function hookHostOf(name: string): HookHost {
  const host = hookHosts.find((each) => each === name);
  if (host !== undefined) return host;
  const message = `Tidings has no hooks for this host. The hosts are ${hookHosts.join(', ')}.`;
  throw new LiveError('RESOURCE_NOT_FOUND', message);
}
