// A delay such as `1h30m`.
import { quotedValue, refusal } from './refusal.ts';

const pattern = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;
const unitsMs = [86_400_000, 3_600_000, 60_000, 1000];
const longestDays = 365;
const example = '"30s", "10m", "2h", "1d" or "1h30m"';

/** In milliseconds. */
export function parseDelay(delay: string): number {
  const amounts = delay === '' ? null : pattern.exec(delay);
  if (!amounts) {
    throw refusal(
      `${quotedValue(delay)} is not a delay: give days, hours, minutes and seconds, in that order.`,
      example,
    );
  }
  const ms = unitsMs.reduce((sum, unit, index) => sum + unit * Number(amounts[index + 1] ?? 0), 0);
  if (ms === 0) throw refusal(`The delay ${delay} is too short: give one second or more.`, example);
  if (ms > longestDays * 86_400_000) {
    throw refusal(`A delay of ${delay} is too long: at most ${longestDays} days.`, '"365d", or a datetime');
  }
  return ms;
}
