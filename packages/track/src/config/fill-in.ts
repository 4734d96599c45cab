// Replaces `${…}` in the entries of a configuration: environment variables in the forms that hosts use (`${NAME}`,
// `${env:NAME}`, `${NAME:-default}`), paths of VS Code and Cursor (`${workspaceFolder}`), and answers that VS Code asks
// its user for (`${input:id}`).
import { basename, dirname, resolve, sep } from 'node:path';

export interface Variables {
  env: Readonly<Record<string, string | undefined>>;
  /** The declared inputs of the file, by id. */
  inputs: ReadonlyMap<string, HostInput>;
  /** The folder that the host would have open. */
  workspace: string;
}

/** A question that VS Code asks its user. */
interface HostInput {
  description?: string | undefined;
  default?: string | undefined;
}

export interface Filled {
  value: unknown;
  /** Values that came from the environment: most of them are secrets. */
  filledIn: ReadonlySet<string>;
  /** Descriptions of the variables without a value. */
  missing: ReadonlySet<string>;
}

/** Paths are not secrets, and are often needed to understand an error. */
const places = /^(HOME|PATH|PWD|TMPDIR|TEMP|TMP|USERPROFILE|APPDATA|LOCALAPPDATA)$/i;
/** Variables that only the host can fill in. */
const ofTheHost = /^(command|config|extensionInstallFolder|workspaceFolder):/;

/** Fills in every string of an entry. Variables without a value stay as written. */
export function fillIn(entry: unknown, variables: Variables): Filled {
  const filledIn = new Set<string>();
  const missing = new Set<string>();
  const known = (name: string, value: string) => {
    if (value !== '' && !places.test(name)) filledIn.add(value);
    return value;
  };
  // Members that every object inherits, such as `constructor`, are no variables.
  const environment = (name: string) => (Object.hasOwn(variables.env, name) ? variables.env[name] : undefined);
  const valueOf = (written: string, path: readonly string[]): string | undefined => {
    const noteMissing = (words: string) => void missing.add(`${path.join('.')}: ${words}`);
    const place = placeNamed(written, variables);
    if (place !== undefined) return place;
    const [, id] = /^input:(.+)$/.exec(written) ?? [];
    if (id !== undefined) {
      const name = inputVariable(id);
      const { description, default: byDefault } = variables.inputs.get(id) ?? {};
      const given = environment(name);
      if (given !== undefined) return known(name, given);
      if (byDefault !== undefined) return byDefault;
      return noteMissing(`the host would ask for "${id}"${description ? ` (${description})` : ''}. Set ${name}.`);
    }
    if (ofTheHost.test(written)) return noteMissing(`only the host knows \${${written}}. Write the value itself.`);
    const [, name, byDefault] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(written) ?? [];
    if (name === undefined) return undefined;
    const given = environment(name);
    // As in a shell, a default also replaces an empty variable.
    if (given !== undefined && (given !== '' || byDefault === undefined)) return known(name, given);
    return byDefault ?? noteMissing(`the environment has no ${name}. Set it, or leave this out.`);
  };
  const fill = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value === 'string')
      return value.replaceAll(/\$\{([^{}]+)\}/g, (text, written: string) => valueOf(written, path) ?? text);
    if (Array.isArray(value)) return value.map((each, index) => fill(each, [...path, String(index)]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, [...path, key])]));
  };
  return { value: fill(entry, []), filledIn, missing };
}

/** The folder that a host would have open with this file: that of a project's file, else the working folder. */
export function workspaceOf(file: string): string {
  const folder = dirname(resolve(file));
  return ['.vscode', '.cursor'].includes(basename(folder)) ? dirname(folder) : resolve('.');
}

/** The environment variable that answers an input: TIDINGS_INPUT_API_KEY for "api-key". */
function inputVariable(id: string): string {
  return `TIDINGS_INPUT_${id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

function placeNamed(written: string, { env, workspace }: Variables): string | undefined {
  switch (written) {
    case 'workspaceFolder':
      return workspace;
    case 'workspaceFolderBasename':
      return basename(workspace);
    case 'userHome':
      return env['HOME'] ?? env['USERPROFILE'];
    case 'pathSeparator':
    case '/':
      return sep;
    default:
      return undefined;
  }
}
