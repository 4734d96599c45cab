// Faults of servers over HTTP: wrong answers, missing answers and wrong notifications.
import type { RawUpstream } from '../../support/wire/raw-upstream.ts';
import type { Fault } from '../fault.ts';

interface Misbehaviour {
  name: string;
  begin(this: void, raw: RawUpstream, random: () => number): void;
  end(this: void, raw: RawUpstream): void;
  isLegacyOnly?: boolean;
  isQuiet?: true;
}

const subscribing = (method: string) => method === 'resources/subscribe' || method === 'subscriptions/listen';
const onTime = (send: () => void) => send();

const misbehaviours: readonly Misbehaviour[] = [
  { name: 'end streams', begin: (raw) => raw.endStreams(), end: () => undefined },
  { name: 'forget sessions (404)', begin: (raw) => raw.forgetSessions(), end: () => undefined },
  {
    name: 'refuse the stream (405)',
    isLegacyOnly: true,
    begin: (raw) => {
      raw.faults.streamStatus = 405;
      raw.endStreams();
    },
    end: (raw) => (raw.faults.streamStatus = 200),
  },
  {
    name: 'answer sessions with 410',
    isLegacyOnly: true,
    begin: (raw) => (raw.faults.sessionStatus = 410),
    end: (raw) => (raw.faults.sessionStatus = 200),
  },
  {
    name: 'answer with 500',
    begin: (raw) => (raw.faults.status = () => 500),
    end: (raw) => (raw.faults.status = () => undefined),
  },
  {
    name: 'answer with 429',
    begin: (raw) => {
      raw.faults.status = (method) => (subscribing(method) ? 429 : undefined);
      raw.endStreams();
    },
    end: (raw) => (raw.faults.status = () => undefined),
  },
  {
    name: 'leave all subscriptions unanswered',
    begin: (raw) => {
      raw.faults.hangs = subscribing;
      raw.forgetSessions();
    },
    end: (raw) => (raw.faults.hangs = () => false),
  },
  {
    name: 'leave one subscription unanswered',
    isLegacyOnly: true,
    begin: (raw, random) => {
      const uris = Object.keys(raw.resources);
      const unanswered = uris[Math.floor(random() * uris.length)];
      raw.faults.hangs = (method, uri) => method === 'resources/subscribe' && uri === unanswered;
      raw.forgetSessions();
    },
    end: (raw) => (raw.faults.hangs = () => false),
  },
  {
    name: 'leave everything unanswered',
    begin: (raw) => (raw.faults.hangs = () => true),
    end: (raw) => (raw.faults.hangs = () => false),
  },
  {
    name: 'fail to list',
    begin: (raw) => {
      raw.faults.error = (method) => (method === 'resources/list' ? { code: -32603, message: 'No list.' } : undefined);
      raw.forgetSessions();
    },
    end: (raw) => (raw.faults.error = () => undefined),
  },
  {
    name: 'spell URIs another way',
    begin: (raw) => (raw.faults.spells = (uri) => uri.replace(/^[^:]+/, (scheme) => scheme.toUpperCase())),
    end: (raw) => (raw.faults.spells = (uri) => uri),
  },
  {
    name: 'notify of sub-resources',
    begin: (raw) => (raw.faults.spells = (uri) => `${uri}/part`),
    end: (raw) => (raw.faults.spells = (uri) => uri),
  },
  {
    name: 'notify three times',
    begin: (raw) => {
      raw.faults.delivers = (send) => {
        send();
        send();
        setTimeout(send, 300);
      };
    },
    end: (raw) => (raw.faults.delivers = onTime),
  },
  {
    name: 'notify late',
    begin: (raw) => (raw.faults.delivers = (send) => setTimeout(send, 1500)),
    end: (raw) => (raw.faults.delivers = onTime),
  },
  {
    // Reads show the state of 1.5 s ago.
    name: 'lagging reads',
    isQuiet: true,
    begin: (raw, random) => {
      const uri = Object.keys(raw.resources)[0] ?? '';
      const before = raw.resources[uri];
      raw.faults.shows = (asked) => (asked === uri ? before : raw.resources[asked]);
      setTimeout(() => (raw.faults.shows = (asked) => raw.resources[asked]), 1500);
      raw.put(uri, `shown late ${random()}`);
    },
    end: () => undefined,
  },
  {
    name: 'come back in the other era',
    begin: (raw) => {
      raw.era = raw.era === 'legacy' ? 'modern' : 'legacy';
      raw.forgetSessions();
    },
    end: () => undefined,
  },
];

export const httpServerFaults: readonly Fault[] = misbehaviours.map(
  ({ name, begin, end, isLegacyOnly, isQuiet = false }) => ({
    name,
    suits: ({ raw }) => raw !== undefined && (isLegacyOnly !== true || raw.era === 'legacy'),
    begin: ({ raw }, random) => raw && begin(raw, random),
    end: ({ raw }) => raw && end(raw),
    lastsMs: isQuiet ? { from: 1600, to: 1600 } : { from: 200, to: 6000 },
    isQuiet,
  }),
);
