// Creates the OBS server from settings. It starts whether OBS runs or not.
import { type Clock, type LiveServer, type Log, stderrLog, systemClock } from '@tidings/live';
import { obsServer } from './obs-server.ts';
import { Obs } from './source/obs.ts';
import { givenPassword, passwordInFile } from './source/password.ts';

export interface ObsSettings {
  /** The address of obs-websocket. Default: this machine, its usual port. */
  url?: string | undefined;
  password?: string | undefined;
  /** Whether OBS may not be installed here: until OBS was seen, its absence is expected. */
  isOptional?: boolean;
  /** A file with the password; it may change while the server runs. */
  passwordFile?: string | undefined;
  /** The time limit of a request to OBS. */
  timeoutMs?: number | undefined;
  /** The interval at which watched settings are polled if OBS sends no events for their changes. */
  pollMs?: number | undefined;
  /** Updates of one resource within this time after another merge into one. */
  windowMs?: number | undefined;
  random?: () => number;
  clock?: Clock;
  log?: Log;
}

export function openObs(settings: ObsSettings = {}): LiveServer {
  const { url = 'ws://127.0.0.1:4455', password, passwordFile, timeoutMs = 10_000, pollMs, windowMs } = settings;
  const { random = Math.random, clock = systemClock, log = stderrLog, isOptional } = settings;
  const source = password === undefined && passwordFile ? passwordInFile(passwordFile) : givenPassword(password);
  const obs = new Obs({ url, password: source, clock, random, log, timeoutMs });
  return obsServer(obs, { clock, log, pollMs, windowMs, isOptional });
}
