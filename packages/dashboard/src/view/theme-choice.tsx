// Light, dark, or the system's theme. The choice is stored in this browser.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

const key = 'tidings-theme';
const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const;
type Theme = keyof typeof themes;

/** Called before the first render, so that the page does not change its colours afterwards. */
export function applyKeptTheme(): void {
  apply(keptTheme());
}

export function ThemeChoice(): JSX.Element {
  const [theme, setTheme] = useState(keptTheme);
  const choose = (value: string) => {
    const chosen = isTheme(value) ? value : 'system';
    keep(chosen);
    apply(chosen);
    setTheme(chosen);
  };
  return (
    <select
      class="theme"
      aria-label="Theme"
      value={theme}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {Object.entries(themes).map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

function apply(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(key) ?? '';
    return isTheme(kept) ? kept : 'system';
  } catch {
    // The browser may forbid storage.
    return 'system';
  }
}

function keep(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}

function isTheme(text: string): text is Theme {
  return text in themes;
}
