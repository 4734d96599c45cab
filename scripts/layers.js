// The order of packages, folders and files, as rules of the linter: `node scripts/layers.js` writes them to
// layers.oxlint.json, which .oxlintrc.json extends. The linter applies only one list of forbidden imports to a file, so
// every list has the rules of its package, too.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

const rulesFile = 'layers.oxlint.json';

/**
 * Stages by their number. A folder or file imports earlier stages only; files of one stage may import each other, folders
 * of one stage may not. Loose files that are not named belong to no stage: every stage may import them, except those in
 * `last`. Without `last`, no stage may import any of them.
 * @typedef {{
 *   as: string,
 *   stages: Record<number, string[]>,
 *   last?: string[],
 *   rooms?: Record<string, Stages>,
 *   withoutNode?: string[],
 * }} Stages
 */

/** What each package may import of this project; a package includes its subpaths. @type {Record<string, string[]>} */
const imports = {
  live: [],
  client: ['live/time', 'live/portable'],
  store: ['live'],
  bus: ['live'],
  schedules: ['live', 'store', 'client/contract'],
  vcon: ['live', 'store'],
  obs: ['live'],
  track: ['live', 'store', 'client'],
  dashboard: ['live/time', 'live/version', 'live/portable', 'client'],
  hub: ['live', 'client', 'store', 'bus', 'schedules', 'vcon', 'obs', 'track'],
};

/** @type {Record<string, Stages>} */
const packages = {
  live: {
    as: 'the kit',
    stages: {
      0: ['portable', 'time'],
      1: ['base'],
      2: ['resource', 'sse'],
      3: ['feed', 'quota'],
      4: ['notify'],
      5: ['definition'],
      6: ['session'],
      7: ['live-server-options.ts', 'define-server.ts', 'live-server.ts'],
      8: ['serve'],
    },
    rooms: {
      definition: { as: 'definition/', stages: { 1: ['answer', 'client', 'registry'], 2: ['tool'] } },
      session: { as: 'session/', stages: { 1: ['modern', 'legacy'] }, last: [] },
      serve: { as: 'serve/', stages: { 1: ['exchange'], 2: ['admission', 'direct'] } },
    },
    withoutNode: ['portable', 'time'],
  },
  client: {
    as: 'the client',
    stages: { 1: ['contract'], 2: ['stream', 'tell'], 3: ['follow'] },
    withoutNode: ['contract', 'stream', 'tell'],
  },
  store: {
    as: 'the store',
    stages: { 1: ['sqlite', 'postgres'] },
    last: ['lock-folder.ts', 'open-store.ts', 'index.ts', 'testing.ts'],
  },
  schedules: { as: 'schedules', stages: { 0: ['model'], 1: ['source'], 2: ['resources.ts'], 3: ['tools'] } },
  vcon: {
    as: 'vcon',
    stages: { 0: ['model'], 1: ['source', 'redactions.ts'], 2: ['resources', 'transfer'], 3: ['tools'] },
  },
  obs: {
    as: 'obs',
    stages: { 0: ['model'], 1: ['source'], 2: ['media.ts', 'missed-reads.ts', 'stats.ts', 'status.ts'], 3: ['tools'] },
  },
  track: {
    as: 'the tracker',
    stages: {
      0: ['base'],
      1: ['config', 'cluster'],
      2: ['login'],
      3: ['connection'],
      4: ['subscription'],
      5: ['mirror', 'definition'],
      6: ['journal', 'options'],
      7: ['upstream', 'stream'],
    },
    rooms: {
      connection: {
        as: 'connection/',
        stages: {
          1: ['error', 'bounds'],
          2: ['message'],
          3: ['session'],
          4: ['process', 'http'],
          5: ['open'],
        },
        rooms: {
          http: { as: 'http/', stages: { 1: ['stream', 'resend'], 2: ['body', 'direct'] } },
        },
      },
      upstream: {
        as: 'upstream/',
        stages: { 1: ['memory', 'definition', 'request'], 2: ['follow'], 3: ['reconcile'] },
        last: [
          'configured-access.ts',
          'succession.ts',
          'tracked-servers.ts',
          'upstream-factory.ts',
          'upstream-parts.ts',
          'upstream-status.ts',
          'upstream.ts',
          'user-servers.ts',
          'users.ts',
        ],
      },
    },
  },
  dashboard: {
    as: 'the dashboard',
    stages: { 0: ['hub'], 1: ['state'], 2: ['view', 'style'] },
    rooms: {
      view: {
        as: 'view/',
        stages: {
          1: ['element'],
          2: ['call', 'client', 'resource', 'schedule', 'session', 'timeline'],
          3: ['server'],
        },
        last: ['connection-note.tsx', 'log-out-button.tsx', 'start-view.tsx', 'theme-choice.tsx'],
      },
    },
    withoutNode: ['hub', 'state', 'view'],
  },
  hub: {
    as: 'the hub',
    stages: {
      0: ['base'],
      1: ['terminal', 'builtins.ts', 'journal-slot.ts', 'node-url.ts', 'readiness.ts'],
      2: ['access', 'audit', 'agent'],
      3: ['gateway', 'demo', 'hook'],
      4: ['http'],
      5: ['setup', 'hub-options.ts', 'hub.ts'],
      6: ['serve', 'transfer', 'look', 'init', 'trust'],
      7: ['up', 'watch', 'connect', 'login', 'doctor', 'completion'],
      8: ['cli'],
    },
    rooms: {
      access: {
        as: 'access/',
        stages: { 1: ['pattern'], 2: ['issuer'], 3: ['token'] },
        last: [
          'callers.ts',
          'current-callers.ts',
          'hub-quotas.ts',
          'node-principal.ts',
          'permissions.ts',
          'visible-event.ts',
          'visible-status.ts',
        ],
      },
      agent: {
        as: 'agent/',
        stages: { 1: ['port'], 2: ['message'] },
        last: [
          'agent-session.ts',
          'agent-sessions.ts',
          'attachment.ts',
          'journal-news.ts',
          'kept-sessions.ts',
          'notices.ts',
          'notify-at-node.ts',
          'session-state.ts',
          'shared-sessions.ts',
          'transcript.ts',
        ],
      },
      http: {
        as: 'http/',
        stages: { 1: ['message', 'openapi'], 2: ['admission'], 3: ['connection'], 4: ['node'], 5: ['route'] },
      },
      gateway: {
        as: 'gateway/',
        stages: {
          1: ['owner', 'view.ts'],
          2: ['relay'],
          3: ['watch', 'mention'],
          4: ['resource'],
          5: ['passed', 'change'],
        },
        rooms: {
          relay: {
            as: 'relay/',
            stages: { 1: ['task', 'question'] },
            last: [
              'caller-sessions.ts',
              'method-relay.ts',
              'passed-extensions.ts',
              'pooled-session.ts',
              'relay.ts',
              'session-tasks.ts',
            ],
          },
        },
      },
      cli: { as: 'cli/', stages: { 1: ['option'], 2: ['command'] } },
    },
  },
};

const noHub = { regex: '^tidings(/|$)', message: 'Layer rule: nothing imports the hub.' };

/** The rules, as text for the linter. */
export function layerRules() {
  const overrides = [...Object.keys(imports).flatMap(rulesOf), override(['**/examples/src/**'], [noHub])];
  return `{ "overrides": [\n${overrides.map((each) => JSON.stringify(each)).join(',\n')}\n] }\n`;
}

/** Whether the written rules are those of the tables above. */
export function areLayersCurrent() {
  return readFileSync(rulesFile, 'utf8') === layerRules();
}

/** @param {string} name */
function rulesOf(name) {
  const allowed = imports[name] ?? [];
  const ofPackage = packageRules(name, allowed);
  const stages = packages[name];
  return [
    override([`**/packages/${name}/src/**`], ofPackage),
    ...(stages ? folderRules(`packages/${name}/src`, stages, ofPackage) : []),
    // Tests use fixtures of any stage.
    override(
      [`**/packages/${name}/src/**/*.test.{ts,tsx}`, `**/packages/${name}/src/testing/**`],
      packageRules(name, name === 'live' ? allowed : [...allowed, 'live/testing']),
    ),
  ];
}

/** @param {string} name @param {string[]} allowed */
function packageRules(name, allowed) {
  const others = Object.keys(imports).filter((other) => other !== name && other !== 'hub' && !allowed.includes(other));
  const forbidden = others.flatMap((other) => {
    const parts = allowed
      .filter((entry) => entry.startsWith(`${other}/`))
      .map((entry) => entry.slice(other.length + 1));
    return parts.length === 0 ? [`${other}(/|$)`] : [`${other}($|/(${otherParts(other, parts).join('|')})$)`];
  });
  const list = allowed.map((entry) => `@tidings/${entry}`).join(', ') || 'nothing';
  return [
    ...(name === 'hub' ? [] : [noHub]),
    ...(forbidden.length === 0
      ? []
      : [
          {
            regex: `^@tidings/(${forbidden.join('|')})`,
            message: `Layer rule: ${name} imports ${list} of this project.`,
          },
        ]),
    { regex: '^(\\.\\./)+[\\w-]+/(src|dist)/', message: 'Layer rule: packages import each other by name.' },
  ];
}

/** The subpaths of a package that are not among `parts`. @param {string} name @param {string[]} parts */
function otherParts(name, parts) {
  const { exports } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'));
  return Object.keys(exports).flatMap((path) => (path === '.' || parts.includes(path.slice(2)) ? [] : [path.slice(2)]));
}

/**
 * The rules of the folders and files in a folder. `above` are the rules that hold for all of it.
 * @param {string} folder @param {Stages} stages @param {Rule[]} above @param {Outer[]} [outer]
 * @typedef {{ regex: string, message: string }} Rule
 * @typedef {(depth: number) => Rule} Outer
 */
function folderRules(folder, { as, stages, last, rooms = {}, withoutNode = [] }, above, outer = []) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => !/\.test\.|^testing$|\.css$/.test(name),
  );
  const placed = Object.entries(stages).flatMap(([stage, names]) =>
    names.map((name) => ({ name, stage: Number(stage) })),
  );
  const missing = placed.filter(({ name }) => !entries.some((entry) => entry.name === name));
  const loose = entries.filter((entry) => entry.isFile() && !placed.some(({ name }) => name === entry.name));
  const unplaced = entries.filter((entry) => entry.isDirectory() && !placed.some(({ name }) => name === entry.name));
  const wrong = [...missing, ...unplaced].map(({ name }) => name);
  if (wrong.length > 0) throw new Error(`The stages of ${folder} in scripts/layers.js do not fit: ${wrong.join(', ')}`);
  const afterAll = last ?? loose.map(({ name }) => name);
  return placed.flatMap(({ name, stage }) => {
    const isFile = name.includes('.');
    const later = placed.filter(
      (other) =>
        other.name !== name && other.stage >= stage && !(isFile && other.name.includes('.') && other.stage === stage),
    );
    const banned = [...later.map((other) => other.name), ...afterAll];
    const message = `Layer rule: ${isFile ? name : `${name}/`} is stage ${stage} of ${as} and imports only earlier stages.`;
    /** @type {Outer} */
    const own = (depth) => ({
      regex: `^${depth === 0 ? '\\./' : `(\\.\\./){${depth}}`}(${banned.map(asPattern).join('|')})`,
      message,
    });
    const rules = withoutNode.includes(name)
      ? [...above, { regex: '^node:', message: `Layer rule: ${name}/ of ${as} needs no Node.` }]
      : above;
    if (isFile) return [override([`**/${folder}/${name}`], [...rules, own(0), ...outer.map((rule) => rule(0))])];
    const inner = depthsOf(`${folder}/${name}`).map((depth) =>
      override(
        [`**/${folder}/${name}/${'*/'.repeat(depth)}*.{ts,tsx}`],
        [...rules, own(depth + 1), ...outer.map((rule) => rule(depth + 1))],
      ),
    );
    const ofRoom = rooms[name];
    if (!ofRoom) return inner;
    return inner.concat(folderRules(`${folder}/${name}`, ofRoom, rules, [...outer.map(deeper), deeper(own)]));
  });
}

/** @param {Outer} rule @returns {Outer} */
function deeper(rule) {
  return (depth) => rule(depth + 1);
}

/** The depths at which this folder has files, from 0. @param {string} folder */
function depthsOf(folder) {
  const depths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.split('/').length);
  return Array.from({ length: Math.max(...depths) }, (_, depth) => depth);
}

/** @param {string} name */
function asPattern(name) {
  return name.includes('.') ? `${name.replaceAll('.', '\\.')}$` : `${name}/`;
}

/** @param {string[]} files @param {Rule[]} patterns */
function override(files, patterns) {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

if (import.meta.filename === process.argv[1]) writeFileSync(rulesFile, layerRules());
