// Invented conversations of a fictional shop.

interface SampleLine {
  from: 'agent' | 'customer';
  says: string;
}

export interface SampleConversation {
  uuid: string;
  subject: string;
  agent: string;
  customer: string;
  tags: Readonly<Record<string, string>>;
  lines: readonly SampleLine[];
  summary: string;
}

const agent = (says: string): SampleLine => ({ from: 'agent', says });
const customer = (says: string): SampleLine => ({ from: 'customer', says });

export const sampleConversations: readonly SampleConversation[] = [
  {
    uuid: '0190d3a0-0000-8000-8000-00000000d001',
    subject: 'Kettle arrived without its lid',
    agent: 'Ines Falk',
    customer: 'Noor Haddad',
    tags: { department: 'support', product: 'kettle', status: 'open' },
    lines: [
      customer('Hello, my kettle came today, but there is no lid in the box.'),
      agent('I am sorry about that. Could you tell me the number on the delivery note?'),
      customer('It says 40 871.'),
      agent('Thank you. A lid is on its way, it should be with you on Thursday.'),
    ],
    summary: 'A kettle was delivered without its lid. A lid is being sent.',
  },
  {
    uuid: '0190d3a0-0000-8000-8000-00000000d002',
    subject: 'Changing a delivery date',
    agent: 'Tomas Brandt',
    customer: 'Aiko Mori',
    tags: { department: 'logistics', status: 'resolved' },
    lines: [
      customer('I will be away next week. Can my parcel come a week later?'),
      agent('Of course. The earliest day after that is the twelfth. Shall I book it?'),
      customer('Yes, please, in the morning if that is possible.'),
    ],
    summary: 'The delivery was moved to the morning of the twelfth.',
  },
  {
    uuid: '0190d3a0-0000-8000-8000-00000000d003',
    subject: 'Invoice shows the old address',
    agent: 'Ines Falk',
    customer: 'Luca Ferri',
    tags: { department: 'billing', priority: 'high', status: 'open' },
    lines: [
      customer('The invoice still has our old address on it, and accounting sends it back.'),
      agent('I see it. Your account was changed after the invoice had been made. I will issue it again.'),
    ],
    summary: 'An invoice with an old address will be issued again.',
  },
  {
    uuid: '0190d3a0-0000-8000-8000-00000000d004',
    subject: 'Can the lamp be dimmed?',
    agent: 'Sade Okoro',
    customer: 'Mikkel Holm',
    tags: { department: 'sales', product: 'lamp' },
    lines: [
      customer('Is the Vesper lamp made for a dimmer?'),
      agent('It is, with any dimmer for LEDs. The small one only has two steps.'),
    ],
    summary: 'The customer asked whether the Vesper lamp can be dimmed; it can.',
  },
];

/** Lines that fit into any of the conversations. */
export const furtherLines: readonly SampleLine[] = [
  customer('Thank you, that was quick.'),
  agent('I have just looked again: it has left our house.'),
  customer('One more thing: could I have the receipt by mail?'),
  agent('Of course, it is on its way.'),
  customer('It has arrived. Everything is as it should be.'),
  agent('I am glad to hear it. Have a good day.'),
];
