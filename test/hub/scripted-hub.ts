// A hub with one scripted server of each era, which both follow the same script.
import type { Era } from '@tidings/live/testing';
import { type Script, ScriptedUpstream } from '../support/wire/scripted-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const eras = ['modern', 'legacy'] as const;

export interface ScriptedHub extends AsyncDisposable {
  hub: RunningHub;
  /** The id of each server is its era. */
  upstreams: Readonly<Record<Era, ScriptedUpstream>>;
}

export async function scriptedHub(script: Script): Promise<ScriptedHub> {
  const [modern, legacy] = [
    await ScriptedUpstream.start('modern', { ...script, answer: withHints(script.answer) }),
    await ScriptedUpstream.start('legacy', script),
  ];
  const upstreams = { modern, legacy };
  const hub = await runningHub({ servers: eras.map((era) => upstreams[era].entry(era)) });
  await hub.isLive(...eras);
  return {
    hub,
    upstreams,
    [Symbol.asyncDispose]: async () => {
      await hub[Symbol.asyncDispose]();
      for (const era of eras) await upstreams[era][Symbol.asyncDispose]();
    },
  };
}

/** Lists and reads of 2026-07-28 say how long they may be cached. */
function withHints(answer: Script['answer']): Script['answer'] {
  const hints = { ttlMs: 0, cacheScope: 'private' };
  return (method, params) => ({ ...answer(method, params), ...(/list|read/.test(method) && hints) });
}
