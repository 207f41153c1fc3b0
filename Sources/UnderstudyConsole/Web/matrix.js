// Operations and statuses: what answers in each cell, how often it was served, and a click that serves it.

import {attempt, byId, make, notify} from './dom.js';
import {call} from './api.js';

/** ` for the next request`; empty for all requests. */
const forTheNext = (times) => !times ? '' : times === 1 ? ' for the next request' : ` for the next ${times} requests`;

let operations = [];
/** What sockets declare, each event in one direction. */
let events = [];
let faults = [];
let chosen;

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
  const rows = [...shown.map(row), ...shownEvents.map(eventRow)];
  byId('rows').replaceChildren(...(rows.length ? rows : [make('p', {className: 'soft'}, 'No operation fits.')]));
  if (focused) document.querySelector(`[data-cell="${CSS.escape(focused)}"]`)?.focus();
  const forced = operations.filter((operation) => operation.forced);
  const fixed = operations.filter((operation) => operation.forcedAtStart && !operation.forced);
  byId('overrides').hidden = forced.length + faults.length + fixed.length === 0;
  byId('release').hidden = forced.length + faults.length === 0;
  byId('override-list').replaceChildren(...forced.map((operation) => make('li', {},
    make('code', {}, operation.id), ` answers ${operation.forced}`,
    forTheNext(operation.forcedTimes))),
  ...fixed.map((operation) => make('li', {},
    make('code', {}, operation.id), ` answers ${operation.forcedAtStart} since the start (--force)`)),
  ...faults.map((fault) => make('li', {}, fault.isDelay ? 'delay ' : 'fault ', make('code', {}, fault.text))));
  const cells = [...operations.flatMap((operation) => operation.cells), ...events];
  byId('covered').textContent = `${cells.filter((cell) => cell.served).length} of ${cells.length} cells served`;
}

function row(operation) {
  return make('div', {className: 'row'},
    make('div', {className: 'name'}, make('b', {}, `${operation.method} ${operation.path}`), make('br'),
      make('span', {className: 'soft'}, operation.id)),
    make('div', {className: 'cells'}, operation.cells.map((cell) => button(operation, cell))));
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
  return make('div', {className: 'row'},
    make('div', {className: 'name'}, make('b', {}, `EVENT ${event.path}`), make('br'),
      make('span', {className: 'soft'}, event.name)),
    make('div', {className: 'cells'}, element));
}

function button(operation, cell) {
  const forced = operation.forced === cell.status || operation.forced?.startsWith(`${cell.status}.`);
  const element = make('button', {
    type: 'button', className: `cell ${cell.answer}${forced ? ' forced' : ''}`,
    title: [cell.meaning, meanings[cell.answer], ...cell.names.slice(0, 12)].filter(Boolean).join(', '),
  }, cell.status, cell.served ? make('span', {className: 'count'}, `${cell.served}×`) : '');
  element.dataset.cell = `${operation.contract}/${operation.id}/${cell.status}`;
  element.setAttribute('aria-label',
    `${operation.id} ${cell.status}, ${cell.meaning ?? ''}, ${meanings[cell.answer]}, served ${cell.served} times`);
  element.addEventListener('click', () => open(operation, cell));
  return element;
}

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
