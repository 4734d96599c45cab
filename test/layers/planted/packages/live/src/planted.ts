// Has to be reported: Layer rule: live imports nothing of this project.
export { openTracker } from '@tidings/track';
