// The vCons of the benchmark: calls to a contact centre, each generated from its number alone, so that every run and
// every server has the same ones. Two of them share each second, one of them with another spelling of its offset.

const subjects = ['Billing question', 'Late delivery', 'Password reset', 'Change of address', 'Broken screen'];
const names = ['Ada Park', 'Bo Lindqvist', 'Chidi Okafor', 'Dana Weiss', 'Élise Martin', 'Farah Aziz'];
const moods = ['positive', 'neutral', 'negative'];
const departments = ['support', 'sales', 'returns', 'billing'];
const vocabulary = (
  'hello thanks for calling how can i help you today my order number is not the one on invoice could please check ' +
  'when parcel left warehouse sure one moment see it was sent on monday and should arrive tomorrow would like refund ' +
  'instead of replacement screen stays dark after update tried twice account locked reset link expired new address street'
).split(' ');

const firstSecond = Date.UTC(2024, 0, 1) / 1000;
const turns = 6;
const wordsPerTurn = 30;

export function documentOf(number) {
  const random = randomOf(number);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const start = startOf(number);
  const said = Array.from({ length: turns }, () =>
    Array.from({ length: wordsPerTurn }, () => pick(vocabulary)).join(' '),
  );
  const department = pick(departments);
  return {
    vcon: '0.3.0',
    uuid: uuidOf(number),
    created_at: createdOf(number),
    subject: subjectOf(number),
    parties: [
      { name: pick(names), mailto: `agent${number % 40}@example.com`, type: 'person' },
      { name: pick(names), tel: `+1202555${String(number % 10_000).padStart(4, '0')}` },
    ],
    dialog: said.map((body, turn) => ({
      type: 'text',
      start,
      parties: [turn % 2],
      mediatype: 'text/plain',
      body,
      encoding: 'none',
    })),
    analysis: [
      { type: 'summary', vendor: 'Example', dialog: [0, 1], body: said[0], encoding: 'none' },
      {
        type: 'sentiment',
        vendor: 'Example',
        body: JSON.stringify({ mood: pick(moods), score: random() }),
        encoding: 'json',
      },
    ],
    attachments: [
      { type: 'tags', body: JSON.stringify([`department:${department}`, `agent:${number % 40}`]), encoding: 'json' },
    ],
  };
}

export function createdOf(number) {
  const start = startOf(number);
  return number % 2 === 0 ? start : start.replace('.000Z', '+00:00');
}

export function subjectOf(number) {
  return `${subjects[number % subjects.length]} ${number}`;
}

function startOf(number) {
  return new Date((firstSecond + Math.floor(number / 2)) * 1000).toISOString();
}

/** In random order, as UUIDs are. */
export function uuidOf(number) {
  const random = randomOf(~number);
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `9${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

/** mulberry32: small, fast and reproducible. */
function randomOf(seed) {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
