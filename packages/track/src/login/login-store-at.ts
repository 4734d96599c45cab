// The default login store of a tracker: files in its data folder. With a database, logins are kept in memory: see
// ARCHITECTURE.md.
import type { Clock } from '@tidings/live';
import { FileLoginStore } from './file-login-store.ts';
import type { LoginStore } from './login-store.ts';
import { MemoryLoginStore } from './memory-login-store.ts';

export function loginStore(place: string | undefined, clock: Clock): LoginStore {
  if (place === undefined || /^postgres(ql)?:/.test(place)) return new MemoryLoginStore();
  return new FileLoginStore(place, clock);
}
