// Where presets are kept: in OBS's own persistent data, so that they do not depend on the program that saved them, and
// survive restarts of OBS and of the server. Each scene collection has its own, since names of scenes and ids of
// sources mean something in one collection only.
export function presetSlot(collection: string) {
  return { realm: 'OBS_WEBSOCKET_DATA_REALM_GLOBAL', slotName: `tidings.presets.${collection}` };
}
