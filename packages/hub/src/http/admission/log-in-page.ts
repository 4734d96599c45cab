// The login form for browsers. A token after # in the address is not sent to the hub; the page reads it from there and
// posts it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { digestOf } from '@tidings/live/internal';

const script = `const form = document.forms[0];
function take() {
  const [, given] = /[#&]token=([^&]+)/.exec(location.hash) ?? [];
  if (location.hash !== '' || location.search !== '') history.replaceState(null, '', '/');
  if (given === undefined) return;
  try { form.token.value = decodeURIComponent(given); } catch { form.token.value = given; }
  form.submit();
}
addEventListener('hashchange', take);
take();`;

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui;max-width:26rem;margin:15vh auto;padding:0 1rem}
label,input{display:block;width:100%;box-sizing:border-box}input,button{font:inherit;padding:.5rem .75rem;margin:.5rem 0}`;

const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Whether the client is a browser that expects a page. */
export function isForBrowser({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true;
}

/** `problem`: why the last attempt failed. */
export function sendLogInPage(res: ServerResponse, status: number, problem?: string): void {
  res.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    // With "no-referrer" the form would be sent with "Origin: null".
    'Referrer-Policy': 'same-origin',
  });
  res.end(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tidings</title>
<style>${style}</style>
<h1>Tidings</h1>
<p role="${problem === undefined ? 'note' : 'alert'}">${problem ?? 'This hub asks for a token.'} It is what the hub was given as TIDINGS_TOKEN, or in a variable that its configuration names.</p>
<form method="post" action="/login"><label>Token <input type="password" name="token" required autofocus autocomplete="current-password"></label>
<button>Open</button></form>
<script>${script}</script></html>
`);
}

function hashOf(text: string): string {
  return `'sha256-${digestOf(text, 'base64')}'`;
}
