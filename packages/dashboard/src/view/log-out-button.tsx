// Shown if the browser is logged in; a hub without tokens has no logins.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { endBrowserSession, readLogin } from '../hub/api.ts';

export function LogOutButton(): JSX.Element | null {
  const [isLoggedIn, setLoggedIn] = useState(false);
  useEffect(() => {
    readLogin().then(
      (until) => setLoggedIn(until !== undefined),
      // Without an answer there is no button; the connection note shows the problem.
      () => undefined,
    );
  }, []);
  if (!isLoggedIn) return null;
  return (
    <button
      type="button"
      class="button log-out"
      onClick={() => void endBrowserSession().then(() => location.assign('/'))}
    >
      Log out
    </button>
  );
}
