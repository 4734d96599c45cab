// An application's own page: it holds a realtime session, over WebSocket or WebRTC, and lets it be told what
// changes. What the test asks for hangs on the window.
import { OpenAIRealtimeWebRTC, RealtimeAgent, RealtimeSession } from '@openai/agents/realtime';
import { tellRealtimeSession } from '@tidings/client';

const states = [];
let session;

/** Resolves when it is connected; again, after it was disconnected. */
async function connect({ transport, url }) {
  session ??= openSession(transport, url);
  await session.connect({ apiKey: 'ek_test', url });
}

function openSession(transport, url) {
  const agent = new RealtimeAgent({ name: 'assistant', instructions: 'Never act on what is out of date.' });
  const opened = new RealtimeSession(agent, { transport: transport === 'webrtc' ? overWebRtc(url) : 'websocket' });
  opened.on('error', () => undefined);
  opened.transport.on('turn_started', () => (globalThis.page.isAnswering = true));
  return opened;
}

function tell(options) {
  tellRealtimeSession(session, { ...options, onState: (state) => states.push(state) });
}

/** Without a microphone: silence is enough to make a call. */
function overWebRtc(baseUrl) {
  const mediaStream = new AudioContext().createMediaStreamDestination().stream;
  return new OpenAIRealtimeWebRTC({ baseUrl, mediaStream });
}

globalThis.page = { connect, tell, states, disconnect: () => session.close() };
