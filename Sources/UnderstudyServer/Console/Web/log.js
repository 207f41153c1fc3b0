// The journal as it grows, and one request in full.

import {byId, copy, make, notify, took} from './dom.js';
import {call} from './api.js';

const limit = 500;
let requests = [];
let waiting = [];
let selected;

export const last = () => requests[0]?.id ?? 0;

export async function load() {
  requests = (await call('GET', `requests?limit=${limit}`)).requests;
  draw();
}

export function start(onChange) {
  for (const id of ['log-filter', 'problems']) byId(id).addEventListener('input', draw);
  byId('pause').addEventListener('change', () => {
    if (!byId('pause').checked) { add(waiting); waiting = []; }
  });
  byId('clear').addEventListener('click', async () => {
    try { await call('DELETE', 'requests'); } catch (error) { notify(error.message); }
    requests = [];
    close();
    draw();
    onChange();
  });
}

/** Adds requests, the oldest first. */
export function add(more) {
  if (byId('pause').checked) { waiting.push(...more); waiting.splice(0, waiting.length - limit); return; }
  requests = [...more.toReversed(), ...requests].slice(0, limit);
  draw();
}

function draw() {
  const words = byId('log-filter').value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = requests.filter((request) => {
    const text = [request.method, request.target, request.status, request.operation, request.lane, request.reply]
      .join(' ').toLowerCase();
    return words.every((word) => text.includes(word))
      && (!byId('problems').checked || request.errors + request.warnings > 0);
  });
  byId('no-requests').hidden = shown.length > 0;
  byId('no-requests').textContent = requests.length ? 'No request fits.' : 'No request has arrived yet.';
  const focused = document.activeElement?.dataset?.request;
  byId('requests').replaceChildren(...shown.map(row));
  if (focused) document.querySelector(`[data-request="${focused}"]`)?.focus();
}

function row(request) {
  const open = make('button', {type: 'button'}, `${request.method} ${request.target}`);
  open.dataset.request = request.id;
  open.addEventListener('click', () => show(request.id));
  const findings = request.errors ? ` ${request.errors} ${request.errors === 1 ? 'error' : 'errors'}`
    : request.warnings ? ` ${request.warnings} ${request.warnings === 1 ? 'warning' : 'warnings'}` : '';
  const element = make('tr', {},
    make('td', {className: 'soft'}, `${request.id}`),
    make('td', {className: 'nowrap mono'}, new Date(request.time).toLocaleTimeString([], {hour12: false})),
    make('td', {className: 'mono'}, open, request.lane ? make('span', {className: 'soft'}, ` in ${request.lane}`) : ''),
    make('td', {className: request.status >= 400 || !request.status ? 'bad' : 'good'}, `${request.status ?? 'none'}`),
    make('td', {className: 'nowrap'}, took(request.microseconds)),
    make('td', {}, request.reply, findings ? make('span', {className: 'bad'}, findings) : ''));
  element.setAttribute('aria-selected', `${request.id === selected}`);
  return element;
}

function close() {
  selected = undefined;
  byId('detail').hidden = true;
}

async function show(id) {
  let request;
  try {
    request = await call('GET', `requests/${id}`);
  } catch (error) {
    return notify(error.message);
  }
  selected = id;
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
      request.operation && request.status
        ? button('Copy as test', () => copy(test(request), 'The line of a test')) : '',
      button('Close', () => { close(); draw(); })),
    ...(request.findings.length ? [make('h3', {}, 'Findings')] : []),
    ...request.findings.map(finding),
    ...(request.notValidated.length ? [make('h3', {}, 'Not validated'),
      make('ul', {}, request.notValidated.map((item) => make('li', {}, `${item.place} ${item.reason}`)))] : []),
    ...(sent ? message('Request', sent.headers, sent.postData?.text) : []),
    ...(answer?.status ? message('Answer', answer.headers, answer.content.text, answer.content.encoding) : []));
  byId('detail').focus();
}

function facts(values) {
  return Object.entries(values).filter(([, value]) => value)
    .flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]);
}

function button(text, action) {
  const element = make('button', {type: 'button'}, text);
  element.addEventListener('click', action);
  return element;
}

function finding(item) {
  return make('div', {className: 'finding'},
    make('div', {}, make('b', {}, `${item.severity}: `), item.pointer ? `${item.pointer}: ` : '', item.message, ' ',
      make('code', {className: 'soft'}, item.rule)),
    item.notes.map((note) => make('div', {className: 'soft'}, note.place ? `${note.place}: ` : '', note.message)),
    item.help ? make('div', {className: 'soft'}, item.help) : '');
}

function message(title, headers, body, encoding) {
  const lines = headers.map((header) => `${header.name}: ${header.value}`).join('\n');
  return [make('h3', {}, title), make('pre', {tabIndex: 0}, lines || 'no header fields'),
    ...(body ? [make('pre', {tabIndex: 0}, encoding === 'base64' ? `base64: ${body}` : pretty(body))] : [])];
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl(sent) {
  const implied = ['host', 'content-length', 'connection', 'accept-encoding', 'user-agent'];
  return ['curl -i', ...(sent.method === 'GET' ? [] : [`-X ${sent.method}`]), quoted(sent.url),
    ...sent.headers.filter((header) => !implied.includes(header.name.toLowerCase()))
      .map((header) => `-H ${quoted(`${header.name}: ${header.value}`)}`),
    ...(sent.postData?.text ? [`--data-raw ${quoted(sent.postData.text)}`] : [])].join(' ');
}

function swift(sent) {
  const text = (value) => JSON.stringify(value).replaceAll('\\/', '/');
  const implied = ['host', 'content-length', 'connection', 'accept-encoding', 'user-agent'];
  return [`var request = URLRequest(url: URL(string: ${text(sent.url)})!)`, `request.httpMethod = ${text(sent.method)}`,
    ...sent.headers.filter((header) => !implied.includes(header.name.toLowerCase()))
      .map((header) => `request.setValue(${text(header.value)}, forHTTPHeaderField: ${text(header.name)})`),
    ...(sent.postData?.text ? [`request.httpBody = Data(${text(sent.postData.text)}.utf8)`] : [])].join('\n');
}

const test = (request) => `api.reply(to: ${JSON.stringify(request.operation)}, ${request.status})`;
