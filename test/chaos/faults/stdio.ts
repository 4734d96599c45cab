// Faults of a server on stdio: output that is not a message, and missing output.
import type { ScriptedServer } from '../../track/scripted-server.ts';
import type { Fault } from '../fault.ts';
import type { ChaosUpstream } from '../upstream.ts';

const onStdio = ({ script }: ChaosUpstream) => script !== undefined;

/** A single act between changes. */
const act = (name: string, what: string): Fault => ({
  name,
  suits: onStdio,
  begin: ({ script, uris }) => script?.act(what, { uri: uris[0] ?? '', times: 3 }),
  lastsMs: { from: 0, to: 1000 },
});

/** A behaviour that lasts for a while. */
const behave = (name: string, on: Parameters<ScriptedServer['edit']>[0], off: typeof on): Fault => ({
  name,
  suits: onStdio,
  begin: ({ script }) => script?.edit(on),
  end: ({ script }) => script?.edit(off),
  lastsMs: { from: 500, to: 8000 },
});

export const stdioFaults: readonly Fault[] = [
  act('noise before a message', 'noise'),
  act('a message in two halves', 'torn'),
  act('lines that are no messages', 'garbage'),
  act('close stdout', 'half-close'),
  act('exit', 'exit'),
  behave('answer nothing', { hangs: true }, { hangs: false }),
  behave('answer after 1.5 s', { delayMs: 1500 }, { delayMs: 0 }),
  behave('no list', { listFails: true }, { listFails: false }),
];
