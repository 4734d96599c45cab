// An animated SVG of a change, without scripts: a tool call at the top, then all of its notifications.

const width = 860;
const pane = { width: 274, height: 132, gap: 19, top: 190 };
const lineHeight = 17;
const characterWidth = 6.65;
/** The duration of the animation in seconds. */
const period = 9;

const colours = {
  light: { page: '#ffffff', pane: '#f6f8fa', edge: '#d0d7de', text: '#1f2328', dim: '#59636e', accent: '#0f766e' },
  dark: { page: '#0d1117', pane: '#161b22', edge: '#3d444d', text: '#f0f6fc', dim: '#9198a1', accent: '#2dd4bf' },
};

/**
 * @param {{ call: string, event: string, watch: string[], agent: string }} change
 * @param {'light' | 'dark'} theme
 */
export function changePicture(change, theme) {
  const panes = [
    { title: 'Event stream (SSE)', lines: [change.event] },
    { title: 'tidings watch', lines: change.watch },
    { title: "An agent's session", lines: [change.agent] },
  ];
  const height = pane.top + pane.height + 8;
  const hub = { x: width / 2, y: 128 };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="11">`,
    `<style>${style(colours[theme])}</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    box(0, 8, width, 74, 'A tool call changes a schedule', [`$ ${change.call}`], 0.3),
    `<rect class="hub" x="${hub.x - 90}" y="${hub.y - 17}" width="180" height="34" rx="17"/>`,
    `<text class="name" x="${hub.x}" y="${hub.y + 4}" text-anchor="middle">the hub</text>`,
    dot([hub.x, 82], [hub.x, hub.y - 17], 2.2),
    ...panes.flatMap(({ title, lines }, n) => {
      const x = n * (pane.width + pane.gap);
      const end = /** @type {[number, number]} */ ([x + pane.width / 2, pane.top]);
      return [
        `<path class="way" d="M${hub.x} ${hub.y + 17} L${end.join(' ')}"/>`,
        dot([hub.x, hub.y + 17], end, 3),
        box(x, pane.top, pane.width, pane.height, title, lines, 3.6),
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
}

/** @param {typeof colours.light} colour */
function style({ page, pane: fill, edge, text, dim, accent }) {
  return [
    `.page{fill:${page}}.pane{fill:${fill};stroke:${edge}}.hub{fill:${fill};stroke:${accent};stroke-width:1.5}`,
    `.title{fill:${dim};font-family:system-ui,sans-serif;font-size:12px}.name{fill:${text};font-family:system-ui,sans-serif;font-size:13px;font-weight:600}`,
    `.line{fill:${text}}.way{stroke:${edge};fill:none}.dot{fill:${accent};opacity:0}`,
    `.line,.dot{animation-duration:${period}s;animation-iteration-count:infinite;animation-fill-mode:both}`,
    '@keyframes shown{0%{opacity:0}3%{opacity:1}60%{opacity:1}66%,100%{opacity:0}}',
    '@keyframes travel{0%{opacity:1;transform:translate(0,0)}6%{opacity:1;transform:var(--way)}7%,100%{opacity:0;transform:var(--way)}}',
    '.line{animation-name:shown}.dot{animation-name:travel;animation-timing-function:ease-in-out}',
    '@media (prefers-reduced-motion:reduce){.line{animation:none}.dot{animation:none}}',
  ].join('');
}

/**
 * @param {number} x @param {number} y @param {number} across @param {number} down
 * @param {string} title @param {string[]} lines @param {number} delay
 */
function box(x, y, across, down, title, lines, delay) {
  const room = Math.floor((across - 24) / characterWidth);
  const most = Math.floor((down - 34) / lineHeight);
  const wrapped = lines.flatMap((line) => wrap(line, room)).slice(0, most);
  return [
    `<rect class="pane" x="${x + 0.5}" y="${y + 0.5}" width="${across - 1}" height="${down - 1}" rx="8"/>`,
    `<text class="title" x="${x + 12}" y="${y + 20}">${escaped(title)}</text>`,
    ...wrapped.map(
      (line, n) =>
        `<text class="line" xml:space="preserve" x="${x + 12}" y="${y + 42 + n * lineHeight}" style="animation-delay:${delay}s">${escaped(line)}</text>`,
    ),
  ].join('\n');
}

/** @param {[number, number]} from @param {[number, number]} to @param {number} delay */
function dot([x, y], [toX, toY], delay) {
  const way = `translate(${toX - x}px,${toY - y}px)`;
  return `<circle class="dot" cx="${x}" cy="${y}" r="5" style="animation-delay:${delay}s;--way:${way}"/>`;
}

/** @param {string} line @param {number} room */
function wrap(line, room) {
  const parts = [];
  for (let rest = line; rest !== '';) {
    const space = rest.length <= room ? -1 : rest.lastIndexOf(' ', room);
    const end = rest.length <= room ? rest.length : space > room / 2 ? space : room;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return parts;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
