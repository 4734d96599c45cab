// What may happen in the model: to the server, its connection, the tracker and its readers.
import { type World, uris } from './world.ts';

const [a, b] = uris;

export const steps = {
  changeA: (world: World) => world.server.contents.has(a) && world.server.put(a, world.nextValue()),
  changeB: (world: World) => world.server.contents.has(b) && world.server.put(b, world.nextValue()),
  deliver: (world: World) => world.server.deliver(),
  deliverAll: (world: World) => world.server.deliverAll(),
  silence: (world: World) => world.server.silence(),
  cut: (world: World) => world.server.cut(),
  restore: (world: World) => world.server.restore(),
  act: (world: World) => world.act(),
  slow: (world: World) => void (world.server.isSlow = true),
  quick: (world: World) => void (world.server.isSlow = false),
  answerOld: (world: World) => world.server.answerNext('old'),
  answerNew: (world: World) => world.server.answerNext('new'),
  readForAnother: (world: World) => void world.upstream.read(a).catch(() => undefined),
  loseSession: (world: World) => world.server.loseSession(),
  goAway: (world: World) => {
    world.server.isUp = false;
    world.server.loseSession();
  },
  comeBack: (world: World) => void (world.server.isUp = true),
  otherEra: (world: World) => {
    world.server.era = world.server.era === 'legacy' ? 'modern' : 'legacy';
    world.server.loseSession();
  },
  watchLate: (world: World) => void world.watch(a, world.watchers[0]?.held.get(a) ?? 'first'),
  unwatch: (world: World) => world.unwatch(),
  vanish: (world: World) => world.server.contents.has(a) && world.server.vanish(a),
  appear: (world: World) => !world.server.contents.has(a) && world.server.appear(a, world.nextValue()),
  vanishB: (world: World) => world.server.contents.has(b) && world.server.vanish(b),
  appearB: (world: World) => !world.server.contents.has(b) && world.server.appear(b, world.nextValue()),
  refuseLists: (world: World) => void (world.server.refusesLists = true),
  giveLists: (world: World) => void (world.server.refusesLists = false),
  /** Subscriptions are not answered for a while, so that lists are read but not reported. */
  hold: (world: World) => world.server.hold(),
  agree: (world: World) => world.server.agree(),
  commit: (world: World) => world.commit(),
  kill: (world: World) => world.kill(),
  restart: (world: World) => world.restart(),
  takeOver: (world: World) => world.takeOver(),
  giveUp: (world: World) => world.takeOver({ isFollower: true }),
  failReads: (world: World) => void (world.server.failsReads = 2),
  replace: (world: World) => world.replace(),
  trackOff: (world: World) => world.track(false),
  trackOn: (world: World) => world.track(true),
  leave: (world: World) => world.readers[1] && world.attach(world.readers[1], false),
  comeAgain: (world: World) => world.readers[1] && world.attach(world.readers[1], true),
  /** A change whose notification arrives at once. */
  tellA: (world: World) => {
    world.server.put(a, world.nextValue());
    world.server.deliverAll();
  },
  /** From now on reads return the content of a while ago. */
  lag: (world: World) => void (world.server.lagMs = 1500),
  pause: (world: World) => world.clock.advance(100),
  // Notifications that are not lost arrive within this time.
  soon: (world: World) => world.pass(300),
  later: (world: World) => world.pass(2000),
  muchLater: (world: World) => world.pass(20_000),
} satisfies Record<string, (world: World) => unknown>;

export type Step = keyof typeof steps;

export const usual: readonly Step[] = [
  'changeA',
  'changeA',
  'changeB',
  'deliver',
  'deliverAll',
  'act',
  'slow',
  'quick',
  'answerOld',
  'answerNew',
  'readForAnother',
  'soon',
  'later',
  'muchLater',
];
export const streams: readonly Step[] = ['silence', 'cut', 'restore'];
export const sessions: readonly Step[] = ['loseSession', 'goAway', 'comeBack', 'otherEra', 'watchLate'];
export const changes: readonly Step[] = ['tellA', 'tellA', 'act', 'readForAnother', 'pause', 'soon', 'later'];
export const lists: readonly Step[] = ['vanish', 'appear', 'vanishB', 'appearB'];
export const answers: readonly Step[] = ['hold', 'agree', 'refuseLists', 'giveLists'];
export const lives: readonly Step[] = ['commit', 'commit', 'kill', 'restart', 'leave', 'comeAgain'];
export const roles: readonly Step[] = ['takeOver', 'giveUp', 'replace'];
export const tracking: readonly Step[] = ['trackOff', 'trackOn'];
