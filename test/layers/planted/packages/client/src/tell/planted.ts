// Has to be reported: Layer rule: client imports @tidings/live/time, @tidings/live/parsed-url, @tidings/live/shortened of this project.
export { LiveServer } from '@tidings/live';
