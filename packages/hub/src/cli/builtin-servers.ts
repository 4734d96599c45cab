// The servers that are built in, opened as `tidings serve` would open them, with what the environment says.
import type { OpenBuiltin } from '../builtins.ts';
import { servables } from './servables.ts';

const builtinNames = ['vcon', 'schedules', 'obs'];

export interface BuiltinSettings {
  data: string;
  isDemo: boolean;
  /** As the configuration defines them; asked for when the server is opened. */
  redactions: () => Readonly<Record<string, unknown>> | undefined;
}

export function builtinOpeners({ data, isDemo, redactions }: BuiltinSettings): Record<string, OpenBuiltin> {
  const openers = servables
    .filter(({ name }) => builtinNames.includes(name))
    .sort((a, b) => builtinNames.indexOf(a.name) - builtinNames.indexOf(b.name))
    .map(({ name, flags = {}, create }): [string, OpenBuiltin] => {
      const values = Object.entries(flags).map(([key, { variable }]) => [key, process.env[variable] || undefined]);
      return [name, () => create({ ...Object.fromEntries(values), data }, { redactions: redactions() })];
    });
  const trial = async () => (await import('@tidings/schedules')).openSchedules({ place: data, isTrial: true });
  return { ...Object.fromEntries(openers), ...(isDemo && { schedules: trial }) };
}
