// The built-in servers, opened as `tidings serve` opens them, with settings from the environment.
import type { Bus } from '@tidings/live';
import type { TellSession } from '@tidings/schedules';
import type { Logger } from 'pino';
import { BuiltinServers, type OpenBuiltin } from '../builtins.ts';
import { isDatabase } from '../base/data-place.ts';
import type { Redactions } from '../setup/known-redaction.ts';
import { builtInNames } from '../setup/built-in-names.ts';
import { servables } from '../serve/servables.ts';

interface BuiltinSettings {
  data: string;
  isDemo: boolean;
  /** Whether a configuration names the servers. */
  isConfigured: () => boolean;
  /** The redactions of the current configuration. */
  redactions: () => Redactions;
  tellSession: TellSession;
  log: Logger;
  bus: Bus | undefined;
}

export function builtinServers(settings: BuiltinSettings): BuiltinServers {
  const { data, isDemo, isConfigured, redactions, tellSession, log, bus } = settings;
  const all = servables
    .filter(({ name }) => builtInNames.includes(name))
    .sort((a, b) => builtInNames.indexOf(a.name) - builtInNames.indexOf(b.name));
  const logOf = (name: string) => log.child({ server: name });
  const openers = all.map(({ name, flags = {}, create }): [string, OpenBuiltin] => {
    const values = Object.entries(flags).map(([key, { variable }]) => [key, process.env[variable] || undefined]);
    const more = () => ({
      redactions,
      tellSession,
      bus,
      log: logOf(name),
      isChosen: isConfigured(),
    });
    return [name, () => create({ ...Object.fromEntries(values), data }, more())];
  });
  const trial = async () =>
    (await import('@tidings/schedules')).openSchedules({ place: data, bus, isTrial: true, log: logOf('schedules') });
  const redacting = all.filter(({ redacts }) => redacts).map(({ name }) => name);
  const inDatabase = isDatabase(data) ? all.filter(({ storesInPlace }) => storesInPlace).map(({ name }) => name) : [];
  const opened = { ...Object.fromEntries(openers), ...(isDemo && { schedules: trial }) };
  return new BuiltinServers(opened, redacting, inDatabase);
}
