// What a server has to say of itself so that `tidings serve` can serve it.
import type { LiveServer } from '@tidings/live';
import type { Redactions } from '../setup/known-redaction.ts';

/** A flag of one server. Its key `someName` becomes `--some-name`. */
export interface Flag {
  /** What stands for the value in the help. */
  placeholder: string;
  summary: string;
  /** The environment variable that can stand in for it. */
  variable: `TIDINGS_${string}`;
  required?: boolean;
  /** Checks the value; throw commander's InvalidArgumentError to refuse it. */
  parse?(this: void, value: string): string;
}

/** What only a configuration can say. */
interface CreateMore {
  /** As they are now. */
  redactions?: (() => Redactions) | undefined;
}

type Values<Flags> = { [K in keyof Flags]: Flags[K] extends { required: true } ? string : string | undefined };

interface Definition<Settings> {
  name: string;
  summary: string;
  flags?: Record<string, Flag>;
  /** Whether it keeps from its callers what the redaction of their credential says. */
  redacts?: boolean;
  /** Imports the server's code only now: nobody waits for what is not served. */
  create(this: void, settings: Settings, more?: CreateMore): Promise<LiveServer>;
}

export type Servable = Definition<{ data: string } & Record<string, string | undefined>>;

/** A server under its name; `create` gets its own flags and `data`, the folder for its state. */
export function servable<const Flags extends Record<string, Flag> = Record<string, never>>(
  definition: Definition<{ data: string } & Values<Flags>> & { flags?: Flags },
): Servable;
export function servable(definition: Servable): Servable {
  return definition;
}
