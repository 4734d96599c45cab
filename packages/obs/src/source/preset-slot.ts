// Where presets are kept: in OBS's own persistent data, so that they belong to the studio whichever program saved them,
// and are there after a restart of OBS or of the server. Each scene collection has its own, since names of scenes and
// ids of sources mean something in one collection only.
export function presetSlot(collection: string) {
  return { realm: 'OBS_WEBSOCKET_DATA_REALM_GLOBAL', slotName: `tidings.presets.${collection}` };
}
