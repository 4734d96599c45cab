// Has to be reported: Layer rule: dashboard imports @tidings/live/time, @tidings/live/version, @tidings/live/portable, @tidings/client of this project.
export { openTracker } from '@tidings/track';
