// Has to be reported: Layer rule: dashboard imports @tidings/live/time, @tidings/live/version, @tidings/live/shortened, @tidings/live/bounded-map, @tidings/live/is-object, @tidings/live/log-levels, @tidings/client of this project.
export { openTracker } from '@tidings/track';
