// Has to be reported: Layer rule: client imports @tidings/live/time, @tidings/live/portable of this project.
export { LiveServer } from '@tidings/live';
