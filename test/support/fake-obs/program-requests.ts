// What belongs to the program of the fake OBS and not to a scene collection: profiles, kept data, hotkeys.
import { Declined, type Handler, text } from './request.ts';

type Emit = (type: string, data: object) => void;

const hotkeys = ['OBSBasic.Screenshot', 'libobs.mute'];

export function programRequests(emit: Emit): Record<string, Handler> {
  const kept = new Map<string, unknown>();
  const profiles = new Set(['Untitled']);
  let current = 'Untitled';
  const change = (name: string) => {
    if (!profiles.has(name)) throw new Declined(600, '');
    if (name === current) return;
    emit('CurrentProfileChanging', { profileName: current });
    current = name;
    emit('CurrentProfileChanged', { profileName: name });
  };
  return {
    GetProfileList: () => ({ currentProfileName: current, profiles: [...profiles] }),
    SetCurrentProfile: (_world, data) => change(text(data, 'profileName')),
    CreateProfile: (_world, data) => {
      const name = text(data, 'profileName');
      if (profiles.has(name)) throw new Declined(601, '');
      profiles.add(name);
      emit('ProfileListChanged', { profiles: [...profiles] });
      change(name);
    },
    RemoveProfile: (_world, data) => {
      const name = text(data, 'profileName');
      if (!profiles.delete(name)) throw new Declined(600, '');
      const [next] = profiles;
      if (current === name && next) change(next);
      emit('ProfileListChanged', { profiles: [...profiles] });
    },
    GetPersistentData: (_world, data) => ({ slotValue: kept.get(slotOf(data)) ?? null }),
    SetPersistentData: (_world, data) => void kept.set(slotOf(data), data['slotValue']),
    // OBS lists a hotkey once for each source that has it.
    GetHotkeyList: () => ({ hotkeys: [...hotkeys, 'libobs.mute'] }),
    TriggerHotkeyByName: (_world, data) => {
      if (hotkeys.includes(text(data, 'hotkeyName'))) return;
      throw new Declined(600, 'No hotkeys were found by that name.');
    },
    TriggerHotkeyByKeySequence: () => undefined,
  };
}

function slotOf(data: Record<string, unknown>): string {
  return `${text(data, 'realm')} ${text(data, 'slotName')}`;
}
