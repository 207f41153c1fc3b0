// The journal as it grows, and one request in full.

import {attempt, button, byId, copy, make, notify, rich, took} from './dom.js';
import {call} from './api.js';
import {body, headers} from './message.js';
import {languages, test} from './code.js';

const limit = 500;
let requests = [];
let waiting = [];
/** The exchanges that have not ended, the newest first. */
let streams = [];
/** The request that is shown; `stream 1` for one that has not ended. */
let selected;

export const last = () => requests.find((request) => !request.gap)?.id ?? 0;

export async function load() {
  requests = (await call('GET', `requests?sent=true&limit=${limit}`)).requests;
  draw();
}

export function start(onChange) {
  for (const id of ['log-filter', 'problems', 'lane-filter']) byId(id).addEventListener('input', draw);
  byId('pause').addEventListener('change', () => {
    if (!byId('pause').checked) { const held = waiting; waiting = []; add(held); }
  });
  byId('clear').addEventListener('click', async () => {
    await attempt(() => call('DELETE', 'requests'));
    requests = [];
    waiting = [];
    close();
    draw();
    onChange();
  });
  byId('save').addEventListener('close', async () => {
    if (byId('save').returnValue !== 'save') return;
    const name = byId('save-name').value;
    await attempt(async () => {
      const saved = await call('POST', `requests/${selected}/fixture`, name ? {name} : {});
      notify(`written: ${saved.files.join(', ')}`);
      // A mock that does not watch its files has to load them.
      await call('POST', 'reload');
    });
    onChange();
  });
}

/** Adds requests, the oldest first, of which `skipped` older ones are not shown. */
export function add(more, skipped = 0) {
  if (byId('pause').checked) { waiting = [...waiting, ...more].slice(-limit); return; }
  const known = new Set(requests.map((request) => request.id));
  const gap = skipped ? [{id: `gap ${more[0]?.id}`, gap: skipped}] : [];
  requests = [...more.filter((request) => !known.has(request.id)).toReversed(), ...gap, ...requests].slice(0, limit);
  draw();
}

/** Takes the open streams, the oldest first. */
export function showStreams(open) {
  streams = open.toReversed();
  if (byId('pause').checked) return;
  draw();
  const shown = streams.find((stream) => key(stream) === selected);
  if (shown) showStream(shown.id);
}

const key = (stream) => `stream ${stream.id}`;

function draw() {
  const words = byId('log-filter').value.toLowerCase().split(/\s+/).filter(Boolean);
  const names = [...new Set(requests.filter((request) => !request.gap).map((request) => request.lane ?? 'default'))].sort();
  const lane = byId('lane-filter').value;
  byId('lane-filter').replaceChildren(make('option', {value: ''}, 'all'),
    ...names.map((name) => make('option', {value: name, selected: name === lane}, name)));
  const fits = (request) => {
    if (request.gap) return !words.length;
    const text = [request.method, request.target, request.status, request.operation, request.reply]
      .join(' ').toLowerCase();
    return words.every((word) => text.includes(word)) && (!lane || (request.lane ?? 'default') === lane)
      && (!byId('problems').checked || request.errors + request.warnings > 0);
  };
  const shown = [...streams.filter(fits).map(streamRow), ...requests.filter(fits).map(row)];
  byId('no-requests').hidden = shown.length > 0;
  byId('no-requests').textContent = requests.length + streams.length ? 'No request fits.' : 'No request has arrived yet.';
  const focused = document.activeElement?.dataset?.request;
  byId('requests').replaceChildren(...shown);
  if (focused) document.querySelector(`[data-request="${focused}"]`)?.focus();
}

function streamRow(stream) {
  const open = button(`${stream.method} ${stream.target}`, () => showStream(stream.id));
  open.dataset.request = key(stream);
  const last = stream.messages?.last.at(-1);
  const element = make('tr', {},
    make('td', {className: 'soft'}, 'open'),
    make('td', {className: 'nowrap mono'}, clock(stream.time)),
    make('td', {className: 'mono'}, open, stream.lane ? make('span', {className: 'soft'}, ` in ${stream.lane}`) : ''),
    make('td', {className: 'good'}, `${stream.status ?? 'none'}`),
    make('td', {className: 'nowrap'}, took(stream.microseconds)),
    make('td', {}, stream.late ?? messages(stream), last ? make('div', {className: 'soft mono'}, last.text.slice(0, 100)) : ''));
  if (key(stream) === selected) element.className = 'selected';
  return element;
}

const clock = (time) => new Date(time).toLocaleTimeString([], {hour12: false});

const messages = (request) => request.messages ? counted(request.messages.count, 'message') : 'no messages';

const counted = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;

function row(request) {
  if (request.gap) {
    return make('tr', {}, make('td', {colSpan: 6, className: 'soft'}, `${request.gap} more came at once`));
  }
  const open = button(`${request.method} ${request.target}`, () => show(request.id));
  open.dataset.request = request.id;
  const findings = request.errors ? ` ${counted(request.errors, 'error')}`
    : request.warnings ? ` ${counted(request.warnings, 'warning')}` : '';
  const element = make('tr', {},
    make('td', {className: 'soft'}, `${request.id}`),
    make('td', {className: 'nowrap mono'}, clock(request.time)),
    make('td', {className: 'mono'}, open, request.lane ? make('span', {className: 'soft'}, ` in ${request.lane}`) : ''),
    make('td', {className: request.status >= 400 || !request.status ? 'bad' : 'good'}, `${request.status ?? 'none'}`),
    make('td', {className: 'nowrap'}, took(request.microseconds)),
    make('td', {}, request.reply, request.messages ? `, ${messages(request)}` : '', findings ? make('span', {className: 'bad'}, findings) : ''));
  if (request.id === selected) element.className = 'selected';
  return element;
}

function close() {
  selected = undefined;
  byId('detail').hidden = true;
}

async function show(id) {
  const request = await attempt(() => call('GET', `requests/${id}`));
  if (request) present(request, request.id);
}

/** Shows an answer as far as it has come; one that has ended in the meantime stays as it was shown last. */
async function showStream(id) {
  try {
    present(await call('GET', `streams/${id}`), key({id}));
  } catch { /* It is a request of the list now. */ }
}

function present(request, shown) {
  const isNew = shown !== selected;
  selected = shown;
  draw();
  const ended = typeof shown === 'number';
  const sent = request.exchange?.request;
  const answer = request.exchange?.response;
  byId('detail').hidden = false;
  byId('detail').replaceChildren(
    make('h2', {}, `${request.method} ${request.target}`),
    make('dl', {}, facts({
      answered: `${request.status ?? 'not'}, ${took(request.microseconds)}`, because: request.reply,
      operation: request.operation ?? 'none', lane: request.lane, fault: request.fault,
    })),
    make('p', {className: 'actions'},
      ...(sent ? copies(sent) : []),
      request.operation && request.status ? button('Copy as test', () => copy(test(request), 'The line of a test')) : '',
      sent && ended ? button('Send again', () => again(request.id)) : '',
      request.operation && request.status && ended ? button('Save as fixture', () => save()) : '',
      button('Close', () => { close(); draw(); })),
    ...(request.messages ? [make('h3', {}, messages(request)), messageTable(request.messages.last)] : []),
    ...list('Findings', request.findings.map(finding)),
    ...list('Nearest operations', (request.nearMisses ?? []).map((miss) => make('div', {},
      make('code', {}, `${miss.method} ${miss.path}`), ' ', rich(miss.differences.join('; '))))),
    ...list('Not validated', request.notValidated.map((item) => make('div', {}, `${item.place} ${item.reason}`))),
    ...list('Why this answer', (request.steps ?? []).map((step) => make('div', {className: `step ${step.outcome}`},
      make('span', {className: 'soft'}, {decided: '▸ ', passed: '– ', unasked: '· '}[step.outcome]),
      make('b', {}, step.rule), ': ', rich(step.text)))),
    ...(sent ? [make('h3', {}, 'Request'), headers(sent.headers),
      ...body(sent.postData?.text, sent.postData?.mimeType, sent.postData?.encoding)] : []),
    ...(answer?.status ? [make('h3', {}, 'Answer'), headers(answer.headers),
      ...body(answer.content.text, answer.content.mimeType, answer.content.encoding)] : []));
  if (isNew) byId('detail').focus({preventScroll: true});
}

/** A button for each language that a request is copied as. */
export const copies = (sent) => languages.map(([name, text]) =>
  button(`Copy as ${name}`, () => copy(text(sent), `The ${name === 'curl' ? 'curl line' : `code of ${name}`}`)));

/** The newest first. */
function messageTable(list) {
  return make('table', {className: 'messages'}, make('tbody', {}, list.toReversed().map((message) => make('tr', {},
    make('td', {className: 'soft'}, `${message.number}`),
    make('td', {className: 'nowrap'}, `after ${took(message.microseconds)}`),
    make('td', {className: 'soft'}, message.event ?? ''),
    make('td', {}, ...body(message.text), message.size ? make('div', {className: 'soft'}, `of ${message.size} bytes`) : '')))));
}

async function again(id) {
  const request = await attempt(() => call('POST', `requests/${id}/again`));
  if (request) present(request, request.id);
}

function save() {
  byId('save-name').value = '';
  byId('save').showModal();
}

const list = (title, items) => items.length ? [make('h3', {}, title), ...items] : [];

function facts(values) {
  return Object.entries(values).filter(([, value]) => value)
    .flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]);
}

function finding(item) {
  return make('div', {className: 'finding'},
    make('div', {}, make('b', {}, `${item.severity}: `), item.pointer ? `${item.pointer}: ` : '', rich(item.message), ' ',
      make('code', {className: 'soft'}, item.rule)),
    item.notes.map((note) => make('div', {className: 'soft'}, note.place ? `${note.place}: ` : '', rich(note.message))),
    item.help ? make('div', {className: 'soft'}, rich(item.help)) : '');
}
