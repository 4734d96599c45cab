// Has to be reported: Layer rule: nothing imports the hub.
export { hub } from 'tidings';
