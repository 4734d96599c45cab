// The redaction of a caller. Its name comes with the credential, or is set for all callers.
import { type Caller, LiveError } from '@tidings/live';
import { Redaction, type RedactionRule, builtinRedactions } from './model/redaction.ts';

type Rules = Readonly<Record<string, RedactionRule>>;

export interface RedactionSettings {
  /** Redactions by name, in addition to the built-in ones; a function if they can change. */
  redactions?: Rules | (() => Rules) | undefined;
  /** The name of the redaction for callers whose credential names none. */
  redact?: string | undefined;
}

export function redactionFor(settings: RedactionSettings): (caller: Caller) => Redaction | undefined {
  const { redactions = {} } = settings;
  const current = typeof redactions === 'function' ? redactions : () => redactions;
  let rules = current();
  let made = redactionsOf(rules);
  if (settings.redact !== undefined && !made.has(settings.redact)) {
    throw new TypeError(`There is no redaction "${settings.redact}": there are ${[...made.keys()].join(', ')}.`);
  }
  return ({ auth }) => {
    const name = auth?.['redact'] ?? settings.redact;
    if (name === undefined) return undefined;
    if (current() !== rules) {
      rules = current();
      made = redactionsOf(rules);
    }
    const redaction = typeof name === 'string' ? made.get(name) : undefined;
    // A misspelled name must not show a caller more than intended.
    if (redaction === undefined) throw noSuchRedaction(name);
    return redaction;
  };
}

function redactionsOf(rules: Rules): ReadonlyMap<string, Redaction> {
  const all = Object.entries({ ...builtinRedactions, ...rules });
  return new Map(all.map(([name, rule]) => [name, new Redaction(rule)]));
}

function noSuchRedaction(name: unknown): LiveError {
  const problem = `Your credentials ask for the redaction "${String(name)}", which this server does not have.`;
  return new LiveError('PERMISSION_DENIED', `${problem} Ask its operator to define it.`);
}
