// Faults of the hub: of its process, its database and its subscribers' connections.
import type { Fault } from '../fault.ts';
import type { ChaosHub } from '../hub.ts';

const always = () => true;
const hasDatabase = ({ database }: ChaosHub) => database !== undefined;

const kills: readonly Fault<ChaosHub>[] = [
  {
    name: 'kill -9',
    suits: always,
    begin: (hub) => hub.end('SIGKILL'),
    end: (hub) => hub.start(),
    lastsMs: { from: 0, to: 2000 },
  },
  {
    name: 'SIGTERM',
    suits: always,
    begin: (hub) => hub.end('SIGTERM'),
    end: (hub) => hub.start(),
    lastsMs: { from: 0, to: 2000 },
  },
];

/** Kills are three times as frequent as the others, because the archive exists for them. */
export const hubFaults: readonly Fault<ChaosHub>[] = [
  ...kills,
  ...kills,
  ...kills,
  {
    name: 'freeze (SIGSTOP)',
    suits: always,
    begin: (hub) => hub.signal('SIGSTOP'),
    end: (hub) => hub.signal('SIGCONT'),
    lastsMs: { from: 500, to: 10_000 },
  },
  { name: 'reset subscribers (RST)', suits: always, begin: (hub) => hub.clients.cut() },
  { name: 'half close subscribers (FIN)', suits: always, begin: (hub) => hub.clients.halfClose() },
  {
    name: 'stall subscribers',
    suits: always,
    begin: ({ clients }) => {
      clients.affect('stall');
      clients.affectNew('stall');
    },
    end: ({ clients }) => clients.mend(),
    lastsMs: { from: 1000, to: 8000 },
  },
  {
    name: 'reset the database',
    suits: hasDatabase,
    begin: ({ database }) => database?.cut(),
  },
  {
    name: 'stall the database',
    suits: hasDatabase,
    begin: ({ database }) => {
      database?.affect('stall');
      database?.affectNew('stall');
    },
    end: ({ database }) => database?.mend(),
    lastsMs: { from: 1000, to: 6000 },
  },
];

/** The faults after which clients of the 2025 era have lost their sessions. */
export const endsHub = ({ name }: Fault<ChaosHub>) => name === 'kill -9' || name === 'SIGTERM';
