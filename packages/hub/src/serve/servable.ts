// The description of a server that `tidings serve` can serve.
import type { LiveServer } from '@tidings/live';
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

/** Settings that only a configuration can have. */
interface CreateMore {
  /** The current ones: a configuration can be edited. */
  redactions?: (() => Redactions) | undefined;
}

type Values<Flags> = { [K in keyof Flags]: Flags[K] extends { required: true } ? string : string | undefined };

interface Definition<Settings> {
  name: string;
  summary: string;
  flags?: Record<string, Flag>;
  /** Whether it applies the redaction of a caller's credential. */
  redacts?: boolean;
  /** Imports the server's code, so that other commands do not wait for it to load. */
  create(this: void, settings: Settings, more?: CreateMore): Promise<LiveServer>;
}

export type Servable = Definition<{ data: string } & Record<string, string | undefined>>;

/** `create` gets the server's own flags and `data`, the place of its state. */
export function servable<const Flags extends Record<string, Flag> = Record<string, never>>(
  definition: Definition<{ data: string } & Values<Flags>> & { flags?: Flags },
): Servable;
export function servable(definition: Servable): Servable {
  return definition;
}
