// The measured reads, by name: as a URI of a server, and as a call of the plain table.
import { uuidOf } from './document.js';

const base = 'vcon://v1/vcons';
/** The number of different vCons that are read in turn, spread over the library. */
const different = 997;

export const readings = {
  metadata: {
    uri: (turn, size) => `${base}/${uuidAt(turn, size)}/metadata`,
    bare: (table, turn, size) => table.metadata(uuidAt(turn, size)),
  },
  recentIds: { uri: () => `${base}/recent/ids`, bare: (table) => table.recentIds() },
  thousandIds: { uri: () => `${base}/ids/1000`, bare: (table) => table.ids(1000) },
};

function uuidAt(turn, size) {
  return uuidOf(Math.floor(((turn % different) / different) * size));
}
