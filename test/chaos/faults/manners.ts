// Servers that answer in ways they should not, or do not answer at all.
import type { RawUpstream } from '../../support/raw-upstream.ts';
import type { Fault } from '../fault.ts';

interface Misbehaviour {
  name: string;
  begin(this: void, raw: RawUpstream): void;
  end(this: void, raw: RawUpstream): void;
  isLegacyOnly?: boolean;
}

const subscribing = (method: string) => method === 'resources/subscribe' || method === 'subscriptions/listen';

const misbehaviours: readonly Misbehaviour[] = [
  { name: 'end streams', begin: (raw) => raw.endStreams(), end: () => undefined },
  { name: 'forget sessions', begin: (raw) => raw.forgetSessions(), end: () => undefined },
  {
    name: 'refuse the stream (405)',
    isLegacyOnly: true,
    begin: (raw) => {
      raw.manners.streamStatus = 405;
      raw.endStreams();
    },
    end: (raw) => (raw.manners.streamStatus = 200),
  },
  {
    name: 'answer sessions with 410',
    isLegacyOnly: true,
    begin: (raw) => (raw.manners.sessionStatus = 410),
    end: (raw) => (raw.manners.sessionStatus = 200),
  },
  {
    name: 'answer with 500',
    begin: (raw) => (raw.manners.status = () => 500),
    end: (raw) => (raw.manners.status = () => undefined),
  },
  {
    name: 'leave subscriptions unanswered',
    begin: (raw) => {
      raw.manners.hangs = subscribing;
      raw.forgetSessions();
    },
    end: (raw) => (raw.manners.hangs = () => false),
  },
  {
    name: 'leave everything unanswered',
    begin: (raw) => (raw.manners.hangs = () => true),
    end: (raw) => (raw.manners.hangs = () => false),
  },
  {
    name: 'spell URIs another way',
    begin: (raw) => (raw.manners.spells = (uri) => uri.replace('raw:', 'RAW:')),
    end: (raw) => (raw.manners.spells = (uri) => uri),
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

export const mannersFaults: readonly Fault[] = misbehaviours.map(({ name, begin, end, isLegacyOnly }) => ({
  name,
  suits: ({ raw }) => raw !== undefined && (isLegacyOnly !== true || raw.era === 'legacy'),
  begin: ({ raw }) => raw && begin(raw),
  end: ({ raw }) => raw && end(raw),
  lastsMs: { from: 200, to: 6000 },
}));
