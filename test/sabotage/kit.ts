// For each promise, and some other requirements, small ways to break them in the built kit. Under each, the scenarios
// that prove the requirement must fail.
import type { CellName } from '../cells.ts';

export interface KitSabotage {
  name: string;
  /** The promise of ARCHITECTURE.md that it breaks, if any. */
  promise?: number;
  /** A file of the build, and the replacement in it. */
  file: string;
  find: string;
  replace: string;
  /** The requirements that must fail, in these cells. */
  breaks: readonly string[];
  cells: readonly CellName[];
}

const both = ['modern-http', 'legacy-http'] as const;

export const kitSabotages: readonly KitSabotage[] = [
  {
    name: 'loses every third change',
    promise: 1,
    file: 'feed/memory-feed.js',
    find: 'const change = {',
    replace: 'if (this.#seq % 3 === 0) return;\n        const change = {',
    breaks: ['told-of-change'],
    cells: ['modern-http', 'legacy-http', 'modern-stdio', 'legacy-stdio'],
  },
  {
    name: 'counts written notifications as delivered',
    promise: 1,
    file: 'session/legacy/session.js',
    find: 'if (this.#hadStream)',
    replace: 'if (false)',
    breaks: ['reconnect-is-a-gap'],
    cells: ['legacy-http'],
  },
  {
    name: 'ignores gaps',
    promise: 1,
    file: 'notify/notifier.js',
    find: 'this.interest.forEach(this.#touch);',
    replace: '',
    breaks: ['gap-means-changed'],
    cells: both,
  },
  {
    name: 'drops changes made while a session has no open stream',
    promise: 1,
    file: 'session/legacy/session.js',
    find: 'this.#hadStream = true;\n        this.#subscriptions.subscriber.resume();',
    replace: 'this.#hadStream = true;',
    breaks: ['dirty-until-stream'],
    cells: ['legacy-http'],
  },
  {
    name: 'answers reads from a cache that notifications do not clear',
    promise: 2,
    file: 'resource/directory.js',
    find: 'value = await route.options.read(',
    replace: 'value = route.kept ??= await route.options.read(',
    breaks: ['read-after-notify'],
    cells: both,
  },
  {
    name: 'writes to a socket that is full',
    promise: 3,
    file: 'notify/subscriber.js',
    find: '|| !this.#sink.ready',
    replace: '',
    breaks: ['stalled-reader-bounded'],
    cells: ['modern-http', 'legacy-http', 'modern-stdio', 'legacy-stdio'],
  },
  {
    name: 'writes to a web stream that is full',
    promise: 3,
    file: 'sse/web-sse-stream.js',
    find: 'return (this.#controller?.desiredSize ?? 0) > 0;',
    replace: 'return this.#controller !== undefined;',
    breaks: ['stalled-reader-bounded'],
    cells: ['modern-web'],
  },
  {
    name: 'checks every watched URI at every change',
    promise: 4,
    file: 'notify/topic-index.js',
    find: 'const watchers = this.#byTopic.get(topic);\n        if (watchers instanceof Watched)',
    replace:
      'return this.forEach(tell);\n        const watchers = this.#byTopic.get(topic);\n        if (watchers instanceof Watched)',
    breaks: ['cost-follows-interest', 'exact-reach'],
    cells: both,
  },
  {
    name: 'writes each notification separately',
    promise: 4,
    file: 'notify/subscriber.js',
    find: 'this.#sink.write(frames);',
    replace: 'for (const { watched } of dirty) this.#sink.write(watched.frameFor(this.#sink));',
    breaks: ['one-write-per-tick'],
    cells: both,
  },
  {
    name: 'drops changes within the window',
    promise: 5,
    file: 'notify/notifier.js',
    find: 'watched.trailing = true;',
    replace: '',
    breaks: ['leading-and-trailing'],
    cells: ['modern-http', 'legacy-http', 'modern-stdio', 'legacy-stdio'],
  },
  {
    name: 'does not merge changes within the window',
    promise: 5,
    file: 'notify/windows.js',
    find: 'watched.inWindow = true;',
    replace: '',
    breaks: ['bursts-merge'],
    cells: both,
  },
  {
    name: 'notifies under the canonical spelling',
    promise: 6,
    file: 'definition/target.js',
    find: "{ kind: 'resource', uri, canonical }",
    replace: "{ kind: 'resource', uri: canonical, canonical }",
    breaks: ['own-spelling'],
    cells: both,
  },
  {
    name: 'notifies clients that have unsubscribed',
    promise: 7,
    file: 'notify/topic-index.js',
    find: 'remove(subscription) {',
    replace: 'remove(subscription) { return;',
    breaks: ['unsubscribe-at-once'],
    cells: ['legacy-http'],
  },
  {
    name: 'keeps the subscriptions of a closed stream',
    promise: 7,
    file: 'session/modern/listen-stream.js',
    find: 'this.#subscriber.close();',
    replace: '',
    breaks: ['no-ghosts'],
    cells: ['modern-http'],
  },
  {
    name: 'keeps the subscriptions of a closed web stream',
    promise: 7,
    file: 'sse/web-sse-stream.js',
    find: 'this.#owner.streamClosed();',
    replace: '',
    breaks: ['no-ghosts'],
    cells: ['modern-web'],
  },
  {
    name: 'keeps a connection whose peer is silent',
    promise: 7,
    file: 'sse/sse-stream.js',
    find: 'this.#wire.destroy();',
    replace: ';',
    breaks: ['silent-peer'],
    cells: both,
  },
  {
    name: 'checks permission only when subscribing',
    promise: 7,
    file: 'session/subscribe.js',
    find: 'if (!directory.authorizes)',
    replace: 'if (true)',
    breaks: ['revoked-ends-stream'],
    cells: both,
  },
  {
    name: 'subscribes without checking permission',
    promise: 7,
    file: 'session/subscribe.js',
    find: 'if (!(await directory.permits(caller, resolved.canonical)))',
    replace: 'if (false)',
    breaks: ['permission-at-every-step'],
    cells: both,
  },
  {
    name: 'advertises capabilities without such items',
    promise: 8,
    file: 'definition/capabilities.js',
    find: '...(prompts.size > 0 && {',
    replace: '...(true && {',
    breaks: ['no-empty-promises'],
    cells: both,
  },
  {
    name: 'delivers no notifications although it advertises them',
    promise: 8,
    file: 'notify/notifier.js',
    find: '#markSubscribers(watched) {',
    replace: '#markSubscribers(watched) { return;',
    breaks: ['honest-capabilities'],
    cells: both,
  },
  {
    name: 'sends log messages below the level a client set',
    file: 'definition/client/client-logs.js',
    find: 'logLevels.indexOf(level) < logLevels.indexOf(least)',
    replace: 'false',
    breaks: ['logs-as-asked'],
    cells: both,
  },
  {
    name: 'sends log messages to modern clients that set no level',
    file: 'definition/client/client-logs.js',
    find: "(era === 'legacy' ? legacyDefault : undefined)",
    replace: 'legacyDefault',
    breaks: ['logs-as-asked'],
    cells: ['modern-http', 'modern-stdio'],
  },
  {
    name: 'lets caches share private results between clients',
    file: 'session/modern/plain-result.js',
    find: "const defaultScope = 'private';",
    replace: "const defaultScope = 'public';",
    breaks: ['direct-answers-alike'],
    cells: ['modern-http', 'modern-web', 'modern-stdio'],
  },
  {
    name: 'answers with an id of another type',
    file: 'serve/direct/direct-answers.js',
    find: 'JSON.stringify(request.id)',
    replace: 'JSON.stringify(String(request.id))',
    breaks: ['direct-answers-alike'],
    cells: ['modern-http', 'modern-web'],
  },
];
