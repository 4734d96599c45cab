// Loaded into a node's process (`--import`): on SIGUSR2 it sets the clock to the offset in the file, in milliseconds
// from the true time. Timers are not affected, as when the clock of a machine is set.
import { readFileSync } from 'node:fs';

const { CHAOS_CLOCK_FILE: file } = process.env;
const TrueDate = globalThis.Date;
let aheadMs = 0;

globalThis.Date = class Date extends TrueDate {
  constructor(...given) {
    if (given.length === 0) super(TrueDate.now() + aheadMs);
    else super(...given);
  }

  static now() {
    return TrueDate.now() + aheadMs;
  }
};

process.on('SIGUSR2', () => {
  aheadMs = Number(readFileSync(file, 'utf8'));
});
