// Example vCons for authors of vCons. A test accepts each of them strictly.
import type { JsonObject } from './json.ts';
import { formatVersion } from './vcon.ts';

const start = '2025-10-14T10:30:00Z';
const hash = `sha512-${'A'.repeat(86)}`;
const customer = { name: 'Ada Example', tel: '+12025550142' };
const agent = { name: 'Ben Agent', mailto: 'ben@example.com' };
const tags = { purpose: 'tags', encoding: 'json', body: ['department:support', 'priority:normal'] };

const recording = {
  type: 'recording',
  start,
  duration: 183.5,
  parties: [0, 1],
  originator: 0,
  mediatype: 'audio/wav',
  filename: 'call.wav',
  url: 'https://files.example.com/call.wav',
  content_hash: hash,
};

const transcript = {
  type: 'transcript',
  dialog: 0,
  vendor: 'Example Speech',
  mediatype: 'application/json',
  encoding: 'json',
  body: { text: 'Hello, my invoice seems wrong. Let me look at it.' },
};

const summary = {
  type: 'summary',
  dialog: 0,
  vendor: 'Example Model',
  mediatype: 'text/plain',
  encoding: 'none',
  body: 'The customer asked about an invoice, and the agent corrected it.',
};

const said = (party: number, body: string) => ({
  type: 'text',
  start,
  parties: [party],
  mediatype: 'text/plain',
  encoding: 'none',
  body,
});

export const exampleNames = ['minimal', 'phone_call', 'chat', 'email', 'video', 'full_featured'] as const;
type ExampleName = (typeof exampleNames)[number];

const fields: Record<ExampleName, JsonObject> = {
  minimal: { parties: [{ name: 'Ada Example' }] },
  phone_call: {
    subject: 'Question about an invoice',
    parties: [customer, agent],
    dialog: [recording],
    analysis: [transcript, summary],
    attachments: [tags],
  },
  chat: {
    subject: 'Chat about prices',
    parties: [customer, { name: 'Helper', type: 'bot' }],
    dialog: [said(0, 'What does it cost for fifty people?'), said(1, 'I will send you an offer.')],
  },
  email: {
    subject: 'Contract to sign',
    parties: [agent, { name: 'Ada Example', mailto: 'ada@example.com' }],
    dialog: [{ ...said(0, 'Please sign the attached contract.'), message_id: '<1@example.com>' }],
    attachments: [
      {
        purpose: 'contract',
        start,
        party: 0,
        dialog: 0,
        mediatype: 'application/pdf',
        filename: 'contract.pdf',
        url: 'https://files.example.com/contract.pdf',
        content_hash: hash,
      },
    ],
  },
  video: {
    subject: 'Quarterly review',
    parties: [agent, customer, { name: 'Cy Guest' }],
    dialog: [
      {
        ...recording,
        parties: [0, 1, 2],
        mediatype: 'video/mp4',
        filename: 'review.mp4',
        url: 'https://files.example.com/review.mp4',
      },
    ],
    analysis: [transcript],
  },
  full_featured: {
    subject: 'Question about an invoice, transferred',
    updated_at: '2025-10-14T11:00:00Z',
    parties: [customer, agent, { name: 'Accounts', type: 'organization', org: 'Example Ltd' }],
    dialog: [
      {
        ...recording,
        session_id: { local: '5c1f', remote: '9a2e' },
        party_history: [
          { party: 0, time: start, event: 'join' },
          { party: 1, time: start, event: 'join' },
        ],
      },
      { type: 'transfer', start, transferee: 0, transferor: 1, transfer_target: 2, original: 0 },
      said(1, 'Ada was put through to Accounts.'),
    ],
    analysis: [
      transcript,
      summary,
      { type: 'sentiment', dialog: [0], vendor: 'Example Model', encoding: 'json', body: { label: 'positive' } },
    ],
    attachments: [tags],
  },
};

/** The example with a new uuid and the current time. */
export function exampleOf(name: ExampleName, { uuid, now }: { uuid: string; now: Date }): JsonObject {
  return { vcon: formatVersion, uuid, created_at: now.toISOString(), ...fields[name] };
}
