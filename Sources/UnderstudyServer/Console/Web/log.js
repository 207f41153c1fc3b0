// The journal as it grows, and one request in full.

import {attempt, button, byId, copy, make, notify, rich, took} from './dom.js';
import {call} from './api.js';
import {body, headers} from './message.js';
import {curl, swift, test} from './code.js';

const limit = 500;
let requests = [];
let waiting = [];
let selected;

export const last = () => requests.find((request) => !request.gap)?.id ?? 0;

export async function load() {
  requests = (await call('GET', `requests?limit=${limit}`)).requests;
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

function draw() {
  const words = byId('log-filter').value.toLowerCase().split(/\s+/).filter(Boolean);
  const names = [...new Set(requests.filter((request) => !request.gap).map((request) => request.lane ?? 'default'))].sort();
  const lane = byId('lane-filter').value;
  byId('lane-filter').replaceChildren(make('option', {value: ''}, 'all'),
    ...names.map((name) => make('option', {value: name, selected: name === lane}, name)));
  const shown = requests.filter((request) => {
    if (request.gap) return !words.length;
    const text = [request.method, request.target, request.status, request.operation, request.reply]
      .join(' ').toLowerCase();
    return words.every((word) => text.includes(word)) && (!lane || (request.lane ?? 'default') === lane)
      && (!byId('problems').checked || request.errors + request.warnings > 0);
  });
  byId('no-requests').hidden = shown.length > 0;
  byId('no-requests').textContent = requests.length ? 'No request fits.' : 'No request has arrived yet.';
  const focused = document.activeElement?.dataset?.request;
  byId('requests').replaceChildren(...shown.map(row));
  if (focused) document.querySelector(`[data-request="${focused}"]`)?.focus();
}

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
    make('td', {className: 'nowrap mono'}, new Date(request.time).toLocaleTimeString([], {hour12: false})),
    make('td', {className: 'mono'}, open, request.lane ? make('span', {className: 'soft'}, ` in ${request.lane}`) : ''),
    make('td', {className: request.status >= 400 || !request.status ? 'bad' : 'good'}, `${request.status ?? 'none'}`),
    make('td', {className: 'nowrap'}, took(request.microseconds)),
    make('td', {}, request.reply, findings ? make('span', {className: 'bad'}, findings) : ''));
  if (request.id === selected) element.className = 'selected';
  return element;
}

function close() {
  selected = undefined;
  byId('detail').hidden = true;
}

async function show(id) {
  const request = await attempt(() => call('GET', `requests/${id}`));
  if (request) present(request);
}

function present(request) {
  selected = request.id;
  draw();
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
      sent ? button('Copy as curl', () => copy(curl(sent), 'The curl line')) : '',
      sent ? button('Copy as Swift', () => copy(swift(sent), 'The Swift code')) : '',
      request.operation && request.status ? button('Copy as test', () => copy(test(request), 'The line of a test')) : '',
      sent ? button('Send again', () => again(request.id)) : '',
      request.operation && request.status ? button('Save as fixture', () => save()) : '',
      button('Close', () => { close(); draw(); })),
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
  byId('detail').focus({preventScroll: true});
}

async function again(id) {
  const request = await attempt(() => call('POST', `requests/${id}/again`));
  if (request) present(request);
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
