// Where a tracker stores logins, unless it is told: in its data folder. A database has none: see ARCHITECTURE.md.
import type { Clock } from '@tidings/live';
import { FileLoginStore } from './file-login-store.ts';
import type { LoginStore } from './login-store.ts';
import { MemoryLoginStore } from './memory-login-store.ts';

export function loginStore(place: string | undefined, clock: Clock): LoginStore {
  if (place === undefined || /^postgres(ql)?:/.test(place)) return new MemoryLoginStore();
  return new FileLoginStore(place, clock);
}
