// What a browser is shown that has not shown a token: a place to put one.
import type { IncomingMessage, ServerResponse } from 'node:http';

const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

/** Whether a person is looking, rather than a program. */
export function isForBrowser({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true;
}

export function sendLogInPage(res: ServerResponse, wasWrong: boolean): void {
  res.writeHead(401, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
  res.end(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tidings</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui;max-width:26rem;margin:15vh auto;padding:0 1rem}
label,input{display:block;width:100%;box-sizing:border-box}input,button{font:inherit;padding:.5rem .75rem;margin:.5rem 0}</style>
<h1>Tidings</h1>
<p role="${wasWrong ? 'alert' : 'note'}">${wasWrong ? 'That is none of its tokens.' : 'This hub asks for a token.'} It is what the hub was given as TIDINGS_TOKEN, or in a variable that its configuration names.</p>
<form><label>Token <input type="password" name="token" required autofocus autocomplete="current-password"></label>
<button>Open</button></form></html>
`);
}
