// A state machine as a picture: states in columns by their distance from the start, with what leads from one to another.

import {make} from './dom.js';

const size = {width: 150, height: 38, gapX: 130, gapY: 34, margin: 16};

function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** `places` has the instances with their states: `[['alice', 'matched']]`. */
export function picture(machine, places) {
  const spots = layout(machine);
  const columns = Math.max(...[...spots.values()].map((spot) => spot.column)) + 1;
  const rows = Math.max(...[...spots.values()].map((spot) => spot.row)) + 1;
  const width = columns * size.width + (columns - 1) * size.gapX + 2 * size.margin;
  const height = rows * (size.height + size.gapY) + 2 * size.margin + 20;
  const current = new Map();
  for (const [name, state] of places) current.set(state, [...(current.get(state) ?? []), name].filter(Boolean));
  if (!places.length) current.set(machine.start, []);
  const title = machine.name ? `The machine ${machine.name}` : 'The machine';
  const summary = places.length ? places.map(([name, state]) => `${name || 'it'} is ${state}`).join(', ')
    : `it begins with ${machine.start}`;
  const element = svg('svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
    'aria-label': `${title}: ${summary}`},
  svg('defs', {}, svg('marker', {id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
    orient: 'auto'}, svg('path', {d: 'M0 0L8 4L0 8z', class: 'head'}))),
  ...edges(machine, spots), ...machine.states.map((state) => box(state, spots.get(state.name), current.get(state.name))));
  return make('div', {}, make('h3', {}, title), make('p', {className: 'soft'}, summary),
    make('div', {className: 'machine', tabIndex: 0}, element));
}

/** The column of a state is its distance from the start. */
function layout(machine) {
  const columns = new Map([[machine.start, 0]]);
  const queue = [machine.start];
  while (queue.length) {
    const state = queue.shift();
    for (const edge of machine.edges.filter((one) => one.from === state)) {
      if (columns.has(edge.to)) continue;
      columns.set(edge.to, columns.get(state) + 1);
      queue.push(edge.to);
    }
  }
  const used = [];
  return new Map(machine.states.map(({name}) => {
    const column = columns.get(name) ?? 0;
    used[column] = (used[column] ?? -1) + 1;
    return [name, {column, row: used[column], x: size.margin + column * (size.width + size.gapX),
      y: size.margin + 10 + used[column] * (size.height + size.gapY)}];
  }));
}

const short = (text, limit) => text.length > limit ? `${text.slice(0, limit - 1)}…` : text;

function box(state, spot, names) {
  const group = svg('g', {class: `state${names ? ' current' : ''}${state.isFinal ? ' final' : ''}`},
    svg('title', {}, [state.summary ?? state.name, ...(names ?? [])].join(', ')),
    svg('rect', {x: spot.x, y: spot.y, width: size.width, height: size.height, rx: 9}),
    svg('text', {x: spot.x + size.width / 2, y: spot.y + size.height / 2 + 5, 'text-anchor': 'middle'},
      short(state.name, 18)));
  if (names?.length) {
    group.append(svg('text', {x: spot.x + size.width / 2, y: spot.y - 5, 'text-anchor': 'middle', class: 'who'},
      short(names.join(', '), 24)));
  }
  return group;
}

/** Edges with the same ends share a line. */
function edges(machine, spots) {
  const lines = new Map();
  for (const edge of machine.edges) {
    if (edge.from === edge.to || !spots.has(edge.to) || !spots.has(edge.from)) continue;
    const key = JSON.stringify([edge.from, edge.to]);
    lines.set(key, [...(lines.get(key) ?? []), edge.label.trim()]);
  }
  return [...lines].map(([key, labels]) => {
    const [from, to] = JSON.parse(key).map((name) => spots.get(name));
    const forward = to.column > from.column;
    const same = to.column === from.column;
    const x1 = forward || same ? from.x + size.width : from.x;
    const x2 = forward ? to.x : to.x + size.width;
    const y1 = from.y + size.height / 2 + (forward ? -6 : 8);
    const y2 = to.y + size.height / 2 + (forward ? -6 : 8);
    const bend = same ? 46 : (x2 - x1) / 2;
    const d = same ? `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 + bend} ${y2} ${x2 + 3} ${y2}`
      : `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 + (forward ? -3 : 3)} ${y2}`;
    const label = labels.length > 1 ? `${short(labels[0], 16)} +${labels.length - 1}` : short(labels[0], 20);
    return svg('g', {class: 'edge'}, svg('title', {}, labels.join('\n')),
      svg('path', {d, 'marker-end': 'url(#arrow)'}),
      svg('text', {x: (x1 + x2) / 2 + (same ? 36 : 0), y: (y1 + y2) / 2 - 4, 'text-anchor': same ? 'start' : 'middle'},
        label));
  });
}
