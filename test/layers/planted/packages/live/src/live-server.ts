// Has to be reported: Layer rule: live-server.ts is stage 7 of the kit and imports only earlier stages.
export { serveHttp } from './serve/http.ts';
