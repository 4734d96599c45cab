// Opens an address in the user's browser.
import { spawn } from 'node:child_process';

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Resolves with whether a program that opens addresses was started. */
export function openInBrowser(url: string): Promise<boolean> {
  const [command = '', ...args] = openers[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
}
