// What is read, by name: as a URI from a server, and as a call from the bare table.
import { uuidOf } from './document.js';

const base = 'vcon://v1/vcons';
/** So many different ones are read in turn, from all over the library. */
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
