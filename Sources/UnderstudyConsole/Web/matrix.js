// Operations and statuses: what answers in each cell, how often it was served, and a click that serves it.

import {attempt, button as action, byId, make, notify} from './dom.js';
import {call} from './api.js';
import * as editor from './editor.js';

/** ` for the next request`; empty for all requests. */
const forTheNext = (times) => !times ? '' : times === 1 ? ' for the next request' : ` for the next ${times} requests`;

let operations = [];
/** What sockets declare, each event in one direction. */
let events = [];
let faults = [];
let chosen;
let refresh;

const meanings = {
  fixture: 'a fixture', example: 'an example of the contract', sample: 'made from the schema', empty: 'no body',
};

export async function load() {
  const [list, lane] = await Promise.all([call('GET', 'operations'), call('GET', 'lanes/default?state=true')]);
  operations = list.operations;
  events = list.events;
  faults = lane.state.faults;
  draw();
}

export function start(onChange) {
  refresh = onChange;
  editor.start(onChange);
  byId('cell-edit').addEventListener('click', () => edit(byId('cell-answer').value));
  byId('cell-variant').addEventListener('click', () => edit(byId('cell-answer').value, {variant: ''}));
  byId('cell-empty').addEventListener('click', () => edit(byId('cell-answer').value, {variant: 'empty', empty: true}));
  byId('legend').append(...Object.entries(meanings).flatMap(([kind, text]) => [
    make('span', {className: `mark ${kind}`}, text), ' ',
  ]));
  byId('filter').addEventListener('input', draw);
  byId('unserved').addEventListener('change', draw);
  byId('cell').addEventListener('close', async () => {
    if (byId('cell').returnValue !== 'force' || !chosen) return;
    const [answer, times] = [byId('cell-answer').value, byId('cell-times').value];
    const change = {force: {[chosen.id]: answer + (times ? `*${times}` : '')}};
    for (const kind of ['delay', 'fault']) {
      if (byId(`cell-${kind}`).value) change[kind] = [`${chosen.id}=${byId(`cell-${kind}`).value}`];
    }
    await attempt(async () => {
      await call('PATCH', 'lanes/default', change);
      notify(`${chosen.id} answers ${answer}`);
    });
    onChange();
  });
}

/** Counts a request of the log. */
export function count(request) {
  const operation = operations.find((one) => one.id === request.operation && one.contract === request.contract);
  const status = `${request.status ?? ''}`;
  const cell = operation?.cells.find((one) => one.status === status)
    ?? operation?.cells.find((one) => one.status === `${status[0]}XX`)
    ?? operation?.cells.find((one) => one.status === 'default');
  if (cell) cell.served += 1;
}

/** Draws what the filter selects, and the banner of what is forced. */
export function draw() {
  const words = byId('filter').value.toLowerCase().split(/\s+/).filter(Boolean);
  const onlyUnserved = byId('unserved').checked;
  const shown = operations.filter((operation) => {
    const text = [operation.method, operation.path, operation.id, operation.contract,
      ...operation.cells.flatMap((cell) => [cell.status, cell.meaning ?? ''])].join(' ').toLowerCase();
    return words.every((word) => text.includes(word))
      && (!onlyUnserved || operation.cells.some((cell) => cell.served === 0));
  });
  const focused = document.activeElement?.dataset?.cell;
  const shownEvents = events.filter((event) => {
    const text = ['event', event.path, event.name, event.contract, event.status].join(' ').toLowerCase();
    return words.every((word) => text.includes(word)) && (!onlyUnserved || event.served === 0);
  });
  const tables = [...(shown.length ? [table(shown)] : []), ...(shownEvents.length ? [eventTable(shownEvents)] : [])];
  byId('rows').replaceChildren(...(tables.length ? tables : [make('p', {className: 'soft'}, 'Nothing fits.')]));
  if (focused) document.querySelector(`[data-cell="${CSS.escape(focused)}"]`)?.focus();
  const forced = operations.filter((operation) => operation.forced);
  const fixed = operations.filter((operation) => operation.forcedAtStart && !operation.forced);
  byId('overrides').hidden = forced.length + faults.length + fixed.length === 0;
  byId('release').hidden = forced.length + faults.length === 0;
  byId('override-list').replaceChildren(...forced.map((operation) => make('li', {},
    make('code', {}, operation.id), ` answers ${operation.forced}`,
    forTheNext(operation.forcedTimes), ' ', clearing(operation))),
  ...fixed.map((operation) => make('li', {},
    make('code', {}, operation.id), ` answers ${operation.forcedAtStart} since the start (--force)`)),
  ...faults.map((fault) => make('li', {}, fault.isDelay ? 'delay ' : 'fault ', make('code', {}, fault.text))));
  const cells = [...operations.flatMap((operation) => operation.cells), ...events];
  byId('covered').textContent = `${cells.filter((cell) => cell.served).length} of ${cells.length} cells served`;
}

/** The operations as rows, and the statuses that they have as columns. */
function table(shown) {
  const statuses = [...new Set(shown.flatMap((operation) => operation.cells.map((cell) => cell.status)))].sort();
  return make('table', {className: 'matrix'},
    make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, 'Operation'),
      statuses.map((status) => make('th', {scope: 'col'}, status)))),
    make('tbody', {}, shown.map((operation) => row(operation, statuses))));
}

function row(operation, statuses) {
  return make('tr', {},
    make('th', {scope: 'row', title: operation.summary ?? ''}, make('b', {}, `${operation.method} ${operation.path}`), make('br'),
      make('span', {className: 'soft'}, operation.id)),
    statuses.map((status) => {
      const cell = operation.cells.find((one) => one.status === status);
      return make('td', {}, cell ? button(operation, cell) : '');
    }));
}

/** Clears one forced response: the others stay as they are. */
function clearing(operation) {
  const element = action('Clear', () => attempt(async () => {
    const others = operations.filter((one) => one.forced && one !== operation);
    await call('DELETE', 'lanes/default/forced');
    const force = Object.fromEntries(others.map((one) => [one.id, one.forced + (one.forcedTimes ? `*${one.forcedTimes}` : '')]));
    if (others.length) await call('PATCH', 'lanes/default', {force});
    refresh();
  }));
  element.setAttribute('aria-label', `Clear the response of ${operation.id}`);
  return element;
}

function edit(answer, how) {
  byId('cell').close();
  attempt(() => editor.open(chosen, answer, how));
}

/** An event of a socket: a click sends its file to all sockets. */
function eventRow(event) {
  const [file] = event.files;
  const element = make('button', {
    type: 'button', className: `cell ${file ? 'fixture' : 'empty'}`, disabled: event.status !== 'sent' || !file,
    title: file ? `sends ${event.files.join(', ')}` : event.status === 'recv' ? 'from a client' : 'no file in _events',
  }, event.status, event.served ? make('span', {className: 'count'}, `${event.served}×`) : '');
  element.dataset.cell = `${event.contract}/${event.path}/${event.name}/${event.status}`;
  element.setAttribute('aria-label', `event ${event.name} ${event.status}, ${event.served} times`);
  element.addEventListener('click', () => attempt(async () => {
    const {recipients} = await call('POST', 'sockets', {emit: event.name, fixture: file});
    notify(`${event.name} sent to ${recipients} ${recipients === 1 ? 'socket' : 'sockets'}`);
  }));
  return make('tr', {},
    make('th', {scope: 'row'}, make('b', {}, `EVENT ${event.path}`), make('br'),
      make('span', {className: 'soft'}, event.name)),
    make('td', {}, element));
}

function eventTable(shown) {
  return make('table', {className: 'matrix'},
    make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, 'Event'), make('th', {scope: 'col'}, 'Sent or received'))),
    make('tbody', {}, shown.map(eventRow)));
}

function button(operation, cell) {
  const forced = operation.forced === cell.status || operation.forced?.startsWith(`${cell.status}.`);
  const element = make('button', {
    type: 'button', className: `cell ${cell.answer}${forced ? ' forced' : ''}`,
    title: [cell.meaning, meanings[cell.answer], ...cell.names.slice(0, 12)].filter(Boolean).join(', '),
  }, make('b', {}, cell.status), cell.meaning ? make('span', {className: 'meaning'}, cell.meaning) : '',
  cell.names.length ? make('span', {className: 'variants'}, variants(cell.names)) : '',
  cell.served ? make('span', {className: 'count'}, `${cell.served}×`) : '');
  element.dataset.cell = `${operation.contract}/${operation.id}/${cell.status}`;
  element.setAttribute('aria-label',
    `${operation.id} ${cell.status}, ${cell.meaning ?? ''}, ${meanings[cell.answer]}, served ${cell.served} times`);
  element.addEventListener('click', () => open(operation, cell));
  return element;
}

const variants = (names) => names.slice(0, 2).join(', ') + (names.length > 2 ? ` and ${names.length - 2} more` : '');

function open(operation, cell) {
  chosen = operation;
  byId('cell-title').textContent = `${operation.id} ${cell.status}`;
  byId('cell-facts').textContent = [cell.meaning, meanings[cell.answer], `served ${cell.served} times`]
    .filter(Boolean).join(' · ');
  // A range has no status of its own: its fixtures and the contract decide.
  const code = /^\d+$/.test(cell.status) ? cell.status : cell.status === 'default' ? '500' : `${cell.status[0]}00`;
  byId('cell-answer').replaceChildren(
    make('option', {value: code}, `${code}, the default`),
    ...cell.names.map((name) => make('option', {value: `${code}.${name}`}, `${code}.${name}`)));
  byId('cell-delay').value = '';
  byId('cell-fault').value = '';
  byId('cell').showModal();
}
