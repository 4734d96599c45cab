import { render } from 'preact';
import { App } from './app.tsx';
import { HubState } from './state/hub-state.ts';
import './style.css';

const hub = new HubState();
void hub.start();
const place = document.getElementById('app');
if (place) render(<App hub={hub} />, place);
