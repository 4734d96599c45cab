// The routes of a user's own logins at servers.
import {
  begunLogin,
  endedLogin,
  loginCallback,
  loginRequest,
  userLogin,
  userLoginsAnswer,
} from '@tidings/client/contract';
import { type DescribedRoute, jsonContent, ok, taken } from './described-route.ts';

export const describedLoginRoutes: readonly DescribedRoute[] = [
  {
    method: 'get',
    path: '/api/logins',
    summary: 'The servers at which every user has a login of its own, with yours',
    answers: ok('The logins, without tokens', userLoginsAnswer),
  },
  {
    method: 'post',
    path: '/api/logins/{id}',
    summary: 'Begins a login at such a server: the address to open in your browser',
    body: taken(loginRequest),
    answers: { 201: { description: 'It is begun', content: jsonContent(begunLogin) } },
  },
  {
    method: 'post',
    path: '/api/logins/{id}/callback',
    summary: 'Finishes the login that you have begun, with what your browser came back with',
    body: taken(loginCallback),
    answers: ok('The login, without tokens', userLogin),
  },
  {
    method: 'delete',
    path: '/api/logins/{id}',
    summary: 'Revokes and deletes your login at such a server',
    answers: ok('Whether it was revoked', endedLogin),
  },
];
