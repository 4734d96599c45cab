// The description of a server that `tidings serve` can serve.
import type { Bus, LiveServer, Log } from '@tidings/live';
import type { TellSession } from '@tidings/schedules';
import type { OwnRoutes } from './side-routes.ts';
import type { Redactions } from '../setup/known-redaction.ts';

/** A flag of one server. Its key `someName` becomes `--some-name`. */
export interface Flag {
  /** The name of the value in the help. */
  placeholder: string;
  summary: string;
  /** The environment variable that sets it too. */
  variable: `TIDINGS_${string}`;
  required?: boolean;
  /** Checks the value; throw commander's InvalidArgumentError to refuse it. */
  parse?(this: void, value: string): string;
}

/** Parts that the creating process provides, besides settings. */
interface CreateMore {
  log: Log;
  /** The current redactions: a configuration can be edited. */
  redactions?: (() => Redactions) | undefined;
  /** Sends a notification to an agent session of the hub. */
  tellSession?: TellSession | undefined;
  /** Whether the user chose this server, instead of getting it without a configuration. Default: true. */
  isChosen?: boolean;
  /** Wakes other processes on the same database. */
  bus?: Bus | undefined;
}

type Values<Flags> = { [K in keyof Flags]: Flags[K] extends { required: true } ? string : string | undefined };

interface ServableSpec<Settings> {
  name: string;
  summary: string;
  flags?: Record<string, Flag>;
  /** A secret that it takes from the environment only, since other users of the machine can see command lines. */
  secret?: { variable: `TIDINGS_${string}`; what: string };
  /** Whether it applies the redaction of a caller's credential. */
  redacts?: boolean;
  /** Whether all its state is in the place, so that several processes can serve it. */
  storesInPlace?: boolean;
  /** HTTP routes besides MCP. */
  routes?(this: void): Promise<OwnRoutes>;
  /** Imports the server's code, so that other commands do not wait for it to load. */
  create(this: void, settings: Settings, more: CreateMore): Promise<LiveServer>;
}

export type Servable = ServableSpec<{ data: string } & Record<string, string | undefined>>;

/** `create` gets the server's own flags and `data`, the place of its state. */
export function servable<const Flags extends Record<string, Flag> = Record<string, never>>(
  definition: ServableSpec<{ data: string } & Values<Flags>> & { flags?: Flags },
): Servable;
export function servable(definition: Servable): Servable {
  return definition;
}
