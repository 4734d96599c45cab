// The grant of a credential according to the configuration. It is immutable; permissions.ts applies it to the current
// servers.
import type { Caller, Credential } from '@tidings/live';
import { digestOf } from '@tidings/live/internal';
import { type NamePattern, namePatterns } from './pattern/name-patterns.ts';
import { longestName, passedName } from './passed-name.ts';
import { AllowList } from './pattern/allow-list.ts';
import { overlap } from './pattern/template-reach.ts';

/** Each field is a limit; without any, everything is granted. */
export interface Terms {
  /** Patterns of resources. */
  readonly allow?: readonly string[] | undefined;
  /** Ids of servers. */
  readonly servers?: readonly string[] | undefined;
  /** Patterns of tool names as on `/mcp`: `{serverId}_{tool}`. */
  readonly tools?: readonly string[] | undefined;
  /** Patterns of prompt names as on `/mcp`. */
  readonly prompts?: readonly string[] | undefined;
  /** The name of a redaction. */
  readonly redact?: string | undefined;
  /** Decides how long names on `/mcp` may be; it limits nothing else. */
  readonly hostPrefix?: string | undefined;
}

/** An authenticated caller. */
export interface Principal extends Credential {
  readonly grant: Grant;
  /** Set for the operator of the hub: see user-of.ts. */
  readonly isOperator?: true;
  /** The user, if that is not the subject. */
  readonly user?: string;
}

export class Grant {
  /** Equal for equal terms; empty if everything is granted. */
  readonly id: string;
  readonly allow: AllowList | undefined;
  readonly servers: ReadonlySet<string> | undefined;
  readonly redact: string | undefined;
  readonly #tools: AllowedNames;
  readonly #prompts: AllowedNames;

  constructor({ allow, servers, tools, prompts, redact, hostPrefix }: Terms = {}) {
    const terms = [allow, servers, tools, prompts, redact];
    const isWhole = terms.every((term) => term === undefined);
    this.id = isWhole ? '' : digestOf(JSON.stringify(terms), 'hex').slice(0, 16);
    this.allow = allow && new AllowList(allow);
    this.servers = servers && new Set(servers);
    this.redact = redact;
    // A limited credential includes only the named tools and prompts.
    this.#tools = new AllowedNames(tools ?? (isWhole ? ['**'] : []), hostPrefix);
    this.#prompts = new AllowedNames(prompts ?? (isWhole ? ['**'] : []), hostPrefix);
  }

  get isWhole(): boolean {
    return this.id === '';
  }

  /** Whether the tool is granted. Without a server, `tool` is the name on `/mcp`. */
  namesTool(serverId: string | undefined, tool: string): boolean {
    return this.#tools.has(serverId, tool);
  }

  namesPrompt(serverId: string | undefined, prompt: string): boolean {
    return this.#prompts.has(serverId, prompt);
  }

  /** Whether a granted tool or prompt may be one of this server. */
  namesAnyOf(serverId: string): boolean {
    return this.#tools.mayNameOneOf(serverId) || this.#prompts.mayNameOneOf(serverId);
  }
}

class AllowedNames {
  readonly #patterns: readonly NamePattern[];
  readonly #longest: number;

  constructor(patterns: readonly string[], hostPrefix: string | undefined) {
    this.#patterns = namePatterns(patterns);
    this.#longest = longestName(hostPrefix);
  }

  /** A long name is shortened on `/mcp`: both forms match. */
  has(serverId: string | undefined, name: string): boolean {
    const names = serverId === undefined ? [name] : [`${serverId}_${name}`, passedName(serverId, name, this.#longest)];
    return this.#patterns.some(({ pattern }) => names.some((each) => pattern.test(each)));
  }

  mayNameOneOf(serverId: string): boolean {
    const parts = [{ literal: `${serverId}_` }, { kind: 'all' as const }];
    return this.#patterns.some((each) => overlap(parts, each.parts));
  }
}

const everything = new Grant();
const nothing = new Grant({ allow: [], servers: [] });

export function grantOf({ auth }: Pick<Caller, 'auth'>): Grant {
  if (auth === undefined) return everything;
  const grant = auth['grant'];
  // A credential without a grant is granted nothing.
  return grant instanceof Grant ? grant : nothing;
}
