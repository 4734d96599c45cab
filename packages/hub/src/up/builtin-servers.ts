// The built-in servers, opened as `tidings serve` opens them, with settings from the environment.
import { BuiltinServers, type OpenBuiltin } from '../builtins.ts';
import type { Redactions } from '../setup/known-redaction.ts';
import { servables } from '../serve/servables.ts';

const builtinNames = ['vcon', 'schedules', 'obs'];

export interface BuiltinSettings {
  data: string;
  isDemo: boolean;
  /** The ones of the current configuration. */
  redactions: () => Redactions;
}

export function builtinServers({ data, isDemo, redactions }: BuiltinSettings): BuiltinServers {
  const all = servables
    .filter(({ name }) => builtinNames.includes(name))
    .sort((a, b) => builtinNames.indexOf(a.name) - builtinNames.indexOf(b.name));
  const openers = all.map(({ name, flags = {}, create }): [string, OpenBuiltin] => {
    const values = Object.entries(flags).map(([key, { variable }]) => [key, process.env[variable] || undefined]);
    return [name, () => create({ ...Object.fromEntries(values), data }, { redactions })];
  });
  const trial = async () => (await import('@tidings/schedules')).openSchedules({ place: data, isTrial: true });
  const redacting = all.filter(({ redacts }) => redacts).map(({ name }) => name);
  return new BuiltinServers({ ...Object.fromEntries(openers), ...(isDemo && { schedules: trial }) }, redacting);
}
