// Has to be reported: Layer rule: client imports @tidings/live/time, @tidings/live/parsed-url, @tidings/live/shortened, @tidings/live/bounded-map, @tidings/live/is-object of this project.
export { LiveServer } from '@tidings/live';
