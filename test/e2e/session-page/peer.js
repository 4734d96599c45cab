// The other end of a WebRTC call, in a page since only browsers speak WebRTC here: greets like the Realtime API,
// stores received messages, and answers on request.

const received = [];
const channels = new Set();

/** Accepts an offer and returns the answer with all its addresses. */
async function answer(offer) {
  const connection = new RTCPeerConnection();
  connection.ondatachannel = ({ channel }) => serve(channel);
  await connection.setRemoteDescription({ type: 'offer', sdp: offer });
  await connection.setLocalDescription(await connection.createAnswer());
  while (connection.iceGatheringState !== 'complete') {
    await new Promise((resolve) => connection.addEventListener('icegatheringstatechange', resolve, { once: true }));
  }
  return connection.localDescription.sdp;
}

function serve(channel) {
  channels.add(channel);
  channel.onclose = () => channels.delete(channel);
  channel.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    received.push(message);
    if (message.type === 'session.update') send(channel, { type: 'session.updated', session: message.session });
  };
  const greet = () => send(channel, { type: 'session.created', session: { id: 's1', type: 'realtime' } });
  if (channel.readyState === 'open') greet();
  else channel.onopen = greet;
}

function answering(isAnswering) {
  const response = { id: 'r1', status: isAnswering ? 'in_progress' : 'completed', output: [] };
  for (const channel of channels) send(channel, { type: isAnswering ? 'response.created' : 'response.done', response });
}

function send(channel, message) {
  channel.send(JSON.stringify({ event_id: crypto.randomUUID(), ...message }));
}

globalThis.peer = { answer, answering, received };
