// Has to be reported: Layer rule: bus imports @tidings/live of this project.
export { openStore } from '@tidings/store';
