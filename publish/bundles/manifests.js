// The name and the settings of each MCPB bundle. All have the same files: the `tidings` command with its
// dependencies.
const command = 'node_modules/tidings/bin/tidings.js';

/**
 * @typedef {object} Bundle
 * @property {string} name
 * @property {string} title
 * @property {string} description
 * @property {string[]} args of `tidings`
 * @property {Record<string, { type: 'string' | 'directory', title: string, description: string, variable: string, sensitive?: true, default?: string }>} settings
 */

const data = {
  type: /** @type {const} */ ('directory'),
  title: 'Data folder',
  // Without a default here, the command's own applies: not all hosts fill in ${HOME} in a default.
  description: 'Where its state is kept: by default in your own data folder, as with `tidings up`.',
  variable: 'TIDINGS_DATA',
};

/** @type {readonly Bundle[]} */
const bundles = [
  {
    name: 'tidings-obs',
    title: 'OBS Studio, live',
    description: 'Scenes, sources, sound and filters of OBS Studio as live resources, with tools to control it.',
    args: ['serve', 'obs'],
    settings: {
      obs_url: {
        type: 'string',
        title: 'Address of OBS',
        description: 'As OBS shows it under Tools, WebSocket Server Settings.',
        variable: 'TIDINGS_OBS_URL',
        default: 'ws://127.0.0.1:4455',
      },
      obs_password: {
        type: 'string',
        title: 'Password of OBS',
        description: 'Empty if OBS asks for none.',
        variable: 'TIDINGS_OBS_PASSWORD',
        sensitive: true,
      },
    },
  },
  {
    name: 'tidings-schedules',
    title: 'Schedules, live',
    description: 'Recurring and one-off notifications as live resources, with tools to schedule them.',
    args: ['serve', 'schedules'],
    settings: { data },
  },
  {
    name: 'tidings-vcon',
    title: 'Conversations, live',
    description: 'Conversations (vCons) as live resources, with tools to search and change them.',
    args: ['serve', 'vcon'],
    settings: { data },
  },
  {
    name: 'tidings-hub',
    title: 'Tidings hub',
    description: 'All servers of a running Tidings hub: live resources, tools and prompts at one address.',
    args: ['connect'],
    settings: {
      hub: {
        type: 'string',
        title: 'Address of the hub',
        description: 'Where `tidings up` listens.',
        variable: 'TIDINGS_HUB',
        default: 'http://127.0.0.1:7411',
      },
      token: {
        type: 'string',
        title: 'Token',
        description: 'Where the hub requires one.',
        variable: 'TIDINGS_TOKEN',
        sensitive: true,
      },
    },
  },
];

/** The manifests by name, for a version of `tidings`. @param {string} version */
export function manifests(version) {
  return new Map(bundles.map((bundle) => [bundle.name, manifest(bundle, version)]));
}

/** @param {Bundle} bundle @param {string} version */
function manifest({ name, title, description, args, settings }, version) {
  const given = Object.entries(settings);
  return {
    manifest_version: '0.3',
    name,
    display_name: title,
    version,
    description,
    author: { name: 'The Tidings authors' },
    license: 'MIT',
    keywords: ['live', 'mcp', 'resources'],
    server: {
      type: 'node',
      entry_point: command,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${command}`, ...args],
        env: Object.fromEntries(given.map(([key, { variable }]) => [variable, `\${user_config.${key}}`])),
      },
    },
    tools_generated: true,
    prompts_generated: true,
    user_config: Object.fromEntries(
      given.map(([key, { variable: _variable, ...setting }]) => [key, { ...setting, required: false }]),
    ),
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: '>=20.19' } },
  };
}
