// Has to be reported: Layer rule: packages import each other by name.
export { openStore } from '../../../store/src/open-store.ts';
