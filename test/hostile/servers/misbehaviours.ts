// The misbehaviours of servers as data: their transport, and the status that the hub must show. Independent ones run
// together behind one hub.

export interface Misbehaviour {
  name: string;
  over: 'stdio' | 'http';
  /** The final entry in `GET /api/servers`; undefined if any state is right. */
  shown?: { state?: RegExp; detail?: RegExp };
}

const stdio = (name: string, shown?: Misbehaviour['shown']): Misbehaviour => ({
  name,
  over: 'stdio',
  ...(shown && { shown }),
});
const http = (name: string, shown?: Misbehaviour['shown']): Misbehaviour => ({
  name,
  over: 'http',
  ...(shown && { shown }),
});

const live = { state: /^live$/ };
const tooMuch = (what: string) => ({ ...live, detail: new RegExp(`Too much: the list of ${what} `) });
const away = { state: /^(backoff|connecting)$/ };

export const groups: Readonly<Record<string, readonly Misbehaviour[]>> = {
  'lists that never end': [
    stdio('endless-resources', tooMuch('resources')),
    stdio('endless-templates', tooMuch('templates')),
    stdio('endless-tools', tooMuch('tools')),
    stdio('endless-prompts', tooMuch('prompts')),
    http('endless-empty-pages', tooMuch('resources')),
    http('large-pages', tooMuch('resources')),
    http('repeated-cursor', { ...live, detail: /same cursor twice/ }),
  ],
  'lists of bad items': [
    stdio('bad-items', { ...live, detail: /6 of its resources cannot be used/ }),
    stdio('large-tool', { ...live, detail: /1 of its tools cannot be used/ }),
    stdio('odd-times', live),
    stdio('hostile-template', live),
    stdio('escapes', live),
    stdio('changing-tools', live),
    stdio('lies-about-capabilities'),
    stdio('lists-are-none'),
    http('bad-items', { ...live, detail: /6 of its resources cannot be used/ }),
    http('bad-items-as-event', { ...live, detail: /6 of its resources cannot be used/ }),
  ],
  'messages that are too deep, too wide or too large': [
    stdio('deep-item', { detail: /nests deeper/ }),
    stdio('deep-schema', live),
    stdio('deep-read', live),
    stdio('deep-introduction'),
    stdio('deep-notification', live),
    stdio('many-keys', { detail: /more than 1000000 values/ }),
    stdio('many-lists', { detail: /more than 1000000 values/ }),
    stdio('large-introduction', { ...away, detail: /introduces itself with more than/ }),
    http('deep-item', { detail: /nests deeper/ }),
    http('deep-item-as-event', { detail: /nests deeper/ }),
    http('many-lists-as-event', { detail: /more than 1000000 values/ }),
    http('stream-deep'),
  ],
  'bodies that become too large': [
    http('gzip-bomb', { detail: /larger than 16 MB/ }),
    http('brotli-bomb', { detail: /larger than 16 MB/ }),
    http('gzip-bomb-event', { detail: /larger than 16 MB/ }),
    http('endless-event', { detail: /larger than 16 MB/ }),
    http('endless-line', { detail: /larger than 16 MB/ }),
    http('endless-body', { detail: /larger than 16 MB/ }),
    http('endless-error'),
    http('stream-endless-event', { detail: /exceeds the size limit/ }),
  ],
  'storms on stdio': [stdio('update-storm', live), stdio('list-changed-storm'), stdio('request-flood')],
  'more storms': [
    stdio('log-storm'),
    stdio('unknown-notifications'),
    stdio('unasked-answers'),
    stdio('stderr-flood'),
    stdio('not-json'),
    stdio('endless-line'),
  ],
  'storms over HTTP': [
    http('stream-storm'),
    http('stream-requests'),
    http('stream-garbage'),
    http('stream-ends-at-once'),
    http('endless-early-hints'),
    http('endless-continue'),
  ],
  'streams of nothing': [
    http('stream-returns'),
    http('stream-blank-lines'),
    http('stream-comments'),
    http('stream-tiny-chunks'),
    http('body-tiny-chunks'),
    http('body-tiny-spaces'),
    http('stream-large-messages'),
  ],
  'listen streams': [
    http('listen-endless-event', live),
    http('listen-storm', live),
    http('listen-list-changed-storm', live),
    http('listen-deep', live),
    http('listen-ends-at-once'),
    http('listen-never-acknowledged'),
  ],
  'silence and wrong answers': [
    stdio('silent', away),
    stdio('silent-after-beginning'),
    ...['resources/list', 'resources/templates/list', 'resources/subscribe', 'tools/list', 'ping'].map((method) =>
      stdio(`silent-on-${method}`),
    ),
    stdio('wrong-ids'),
    stdio('answers-twice', live),
    stdio('slow-drip'),
    http('silent'),
    http('slow-drip'),
    http('wrong-ids'),
  ],
  'processes that do not behave': [
    stdio('exits-at-once', { ...away, detail: /ended with code 7/ }),
    stdio('exits-after-beginning'),
    stdio('ignores-sigterm', live),
    stdio('leaves-children', live),
  ],
  'HTTP that is none': [
    http('wrong-type'),
    http('redirect-elsewhere'),
    http('redirect-by-get'),
    http('redirect-inward'),
    http('redirect-to-file'),
    http('redirect-loop'),
    http('cookies', live),
    http('large-headers'),
    http('garbled-chunks'),
    http('http-1.0', live),
    http('not-http'),
  ],
};
