// Light, dark, or as the system has it. The choice is kept in this browser.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

const key = 'tidings-theme';
const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const;
type Theme = keyof typeof themes;

/** Before the page is drawn, so that it does not change its colours then. */
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
    // A browser may keep nothing for this page.
    return 'system';
  }
}

function keep(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Then it lasts as long as the page.
  }
}

function isTheme(text: string): text is Theme {
  return text in themes;
}
