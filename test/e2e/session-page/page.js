// An application's page that holds a realtime session over WebSocket or WebRTC and follows a hub. The test controls
// it through `window`.
import { OpenAIRealtimeWebRTC, RealtimeAgent, RealtimeSession } from '@openai/agents/realtime';
import { tellRealtimeSession } from '@tidings/client';

const states = [];
let session;

/** Resolves when the session is connected; also connects again after a disconnection. */
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

/** Without a microphone: a silent stream is enough for a call. */
function overWebRtc(baseUrl) {
  const mediaStream = new AudioContext().createMediaStreamDestination().stream;
  return new OpenAIRealtimeWebRTC({ baseUrl, mediaStream });
}

globalThis.page = { connect, tell, states, disconnect: () => session.close() };
