import './hub/without-jit.ts';
import { render } from 'preact';
import { App } from './app.tsx';
import { takeTokenFromAddress } from './hub/token-in-address.ts';
import { HubState } from './state/hub-state.ts';
import { applyKeptTheme } from './view/theme-choice.tsx';
import './style.css';

applyKeptTheme();
takeTokenFromAddress();
addEventListener('hashchange', takeTokenFromAddress);

const hub = new HubState();
void hub.start();
const root = document.getElementById('app');
if (root) render(<App hub={hub} />, root);
