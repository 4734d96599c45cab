// `tidings config`: the configuration that all nodes on a database use. It is checked before it is stored, as far as
// that is possible without the environment of a node.
import { systemCode } from '@tidings/live/portable';
import { readFileSync } from 'node:fs';
import { LiveError } from '@tidings/live';
import { type Config, type ServerEntry, parseConfig } from '@tidings/track';
import { withConfigTable } from '@tidings/track/internal';
import { recordCommand } from '../audit/record-command.ts';
import { isSecretName, withoutSecretsInUri } from '../base/without-secrets.ts';
import { isDatabase, shownPlace } from '../base/data-place.ts';
import { accessTerms } from '../setup/access-terms.ts';
import { Failure } from '../terminal/failure.ts';
import { assertBuiltIn } from '../setup/built-in-names.ts';

interface StoredConfig {
  /** Ids. */
  servers: string[];
  /** Environment variables that every node needs. */
  variables: string[];
}

export async function storeConfig(file: string, data: string): Promise<StoredConfig> {
  assertDatabase(data);
  const text = readText(file);
  const { config, variables } = await checked(text, file);
  const servers = config.servers.map(({ id }) => id);
  await withConfigTable(data, (table) => table.put(text));
  await record(data, `stored: servers ${servers.join(', ')}`);
  return { servers, variables };
}

/** The text of the configuration, as it was stored. */
export async function storedConfig(data: string): Promise<string> {
  assertDatabase(data);
  const text = await withConfigTable(data, (table) => table.read());
  if (text !== undefined) return text;
  throw new Failure(`No configuration is stored in ${shownPlace(data)}. Store one with "tidings config push FILE".`);
}

export async function removeConfig(data: string): Promise<void> {
  await storedConfig(data);
  await withConfigTable(data, (table) => table.put(undefined));
  await record(data, 'removed');
}

/** A placeholder for the value of a variable, different for each: it may be part of an address, a header or a path. */
const unknownValue = 'http://variable.invalid';
const unknownValueOf = (name: string) => `${unknownValue}/${name}`;

async function checked(text: string, file: string): Promise<{ config: Config; variables: string[] }> {
  const named = [...text.matchAll(/\$\{(?:env:)?([A-Za-z_]\w*)\}/g)].flatMap(([, name]) => name ?? []);
  const env: Record<string, string> = Object.fromEntries(named.map((name) => [name, unknownValueOf(name)]));
  try {
    const config = parseConfig(text, { file, env });
    for (const { env: name } of config.tokens) env[name] = unknownValueOf(name);
    assertBuiltIn(config, { file: undefined });
    for (const entry of config.servers) assertNoSecrets(entry);
    await accessTerms(config, { file: undefined, env });
    return { config, variables: Object.keys(env).sort() };
  } catch (error) {
    if (error instanceof LiveError) throw new Failure(error.message);
    throw error instanceof Failure ? new Failure(`${file}: ${error.message}`) : error;
  }
}

/** More programs and people can read the database than the environment of a node. */
function assertNoSecrets(entry: ServerEntry): void {
  const named = 'command' in entry ? { env: entry.env } : 'url' in entry ? { headers: entry.headers } : {};
  for (const [field, values] of Object.entries(named)) {
    for (const [name, value] of Object.entries(values)) {
      if (isSecretName(name) && value !== '' && !value.includes(unknownValue))
        throw secret(entry.id, `${field}.${name}`);
    }
  }
  if ('url' in entry && withoutSecretsInUri(entry.url) !== entry.url) throw secret(entry.id, 'url');
}

function secret(id: string, field: string): Failure {
  return new Failure(
    `${id}: ${field}: looks like a secret, which is not stored. Write \${NAME}, and set that variable on every node.`,
  );
}

function assertDatabase(data: string): void {
  if (isDatabase(data)) return;
  throw new Failure('A stored configuration needs a database: name it with --data postgres://…', 2);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`${file} cannot be read (${systemCode(error) ?? String(error)}). Check the path.`);
  }
}

function record(data: string, detail: string): Promise<void> {
  return recordCommand(data, { method: 'configuration', outcome: 'ok', detail });
}
