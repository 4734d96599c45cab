// What a server on stdio writes, or does not, that it should not.
import type { ScriptedServer } from '../../track/scripted-server.ts';
import type { Fault } from '../fault.ts';
import type { ChaosUpstream } from '../upstream.ts';

const onStdio = ({ script }: ChaosUpstream) => script !== undefined;

/** Once, between changes. */
const deed = (name: string, what: string): Fault => ({
  name,
  suits: onStdio,
  begin: ({ script, uris }) => script?.act(what, { uri: uris[0] ?? '', times: 3 }),
  lastsMs: { from: 0, to: 1000 },
});

/** A way to behave, for a while. */
const manner = (name: string, on: Parameters<ScriptedServer['edit']>[0], off: typeof on): Fault => ({
  name,
  suits: onStdio,
  begin: ({ script }) => script?.edit(on),
  end: ({ script }) => script?.edit(off),
  lastsMs: { from: 500, to: 8000 },
});

export const stdioFaults: readonly Fault[] = [
  deed('noise before a message', 'noise'),
  deed('a message in two halves', 'torn'),
  deed('lines that are no messages', 'garbage'),
  deed('close stdout', 'half-close'),
  deed('exit', 'exit'),
  manner('answer nothing', { hangs: true }, { hangs: false }),
  manner('answer after 1.5 s', { delayMs: 1500 }, { delayMs: 0 }),
  manner('no list', { listFails: true }, { listFails: false }),
];
