// A request of any operation, as a form that is filled already.

import {attempt, byId, make, rich, took} from './dom.js';
import {copies} from './log.js';
import {call} from './api.js';
import {body, headers} from './message.js';

let form;
let operations = [];

export function start() {
  byId('try-operation').addEventListener('change', () => attempt(fill));
  byId('try-filter').addEventListener('input', list);
  byId('try-form').addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(send);
  });
}

export async function load() {
  if (byId('try-operation').options.length) return;
  operations = (await call('GET', 'operations')).operations;
  list();
  await fill();
}

const named = (operation) => `${operation.contract}/${operation.id}`;

/** Lists the operations that the search fits, by their tags. */
function list() {
  const words = byId('try-filter').value.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = operations.filter((operation) => {
    const text = [operation.method, operation.path, operation.id, operation.contract, operation.summary ?? '', ...(operation.tags ?? [])]
      .join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const chosen = byId('try-operation').value;
  const groups = new Map();
  for (const operation of fitting) {
    const tag = operation.tags?.[0] ?? operation.contract;
    groups.set(tag, [...(groups.get(tag) ?? []), operation]);
  }
  byId('try-operation').replaceChildren(...[...groups].map(([tag, members]) => {
    const group = make('optgroup', {label: tag}, members.map((operation) => make('option',
      {value: named(operation), selected: named(operation) === chosen},
      `${operation.method} ${operation.path}${operation.summary ? ` · ${operation.summary}` : ''}`)));
    return group;
  }));
  byId('try-found').textContent = words.length ? `${fitting.length} of ${operations.length} fit` : '';
  if (fitting.length && byId('try-operation').value !== chosen && form) attempt(fill);
}

async function fill() {
  if (!byId('try-operation').value) return;
  const described = operations.find((operation) => named(operation) === byId('try-operation').value);
  byId('try-summary').textContent = [described?.id, described?.summary, ...(described?.tags ?? []).map((tag) => `#${tag}`)]
    .filter(Boolean).join(' · ');
  form = await call('GET', `operations/${encodeURIComponent(byId('try-operation').value)}`);
  byId('try-answer').hidden = true;
  byId('try-form').replaceChildren(
    ...form.fields.map((field, index) => row(field, index)),
    ...(form.body ? [
      make('label', {className: 'block'}, `body, ${form.body.type}${form.body.required ? '' : ' (optional)'}`,
        make('textarea', {id: 'try-body', rows: Math.min(14, form.body.text.split('\n').length + 1)}, form.body.text)),
    ] : []),
    make('label', {className: 'block'}, 'Ask for another answer ',
      make('input', {id: 'try-prefer', type: 'text', placeholder: '500, 200.empty, penaltyFirst or nothing'})),
    make('p', {className: 'actions'}, make('button', {type: 'submit', className: 'main'}, 'Send')),
    make('p', {className: 'actions'}, copies({
      get method() { return form.method; },
      get url() { return new URL(request().path, location.href).href; },
      get headers() { return [...request().fields].map(([name, value]) => ({name, value})); },
      get postData() { const {content} = request(); return content ? {text: content} : undefined; },
    })));
}

function row(field, index) {
  const check = make('input', {type: 'checkbox', id: `try-use-${index}`, checked: field.required});
  check.setAttribute('aria-label', `send ${field.name}`);
  if (field.in === 'path') check.disabled = true;
  const input = make('input', {type: 'text', id: `try-field-${index}`, value: field.text});
  return make('div', {className: 'field'}, check,
    make('label', {htmlFor: `try-field-${index}`}, make('b', {}, field.name),
      make('span', {className: 'soft'}, ` ${field.in}${field.summary ? ': ' : ''}`, rich(field.summary))), input);
}

/** A value as a segment of a path: what is encoded already stays. */
const encoded = (text) => text.replace(/[^\w.~%!$&'()*+,;=:@-]/g, encodeURIComponent);

/** What the form says. */
function request() {
  let path = form.path;
  const query = [];
  const fields = new Headers();
  for (const [index, field] of form.fields.entries()) {
    const text = byId(`try-field-${index}`).value;
    if (field.in === 'path') { path = path.replaceAll(`{${field.name}}`, () => encoded(text)); continue; }
    if (!byId(`try-use-${index}`).checked) continue;
    if (field.in === 'query') query.push(text);
    if (field.in === 'header') fields.append(field.name, text);
  }
  const content = byId('try-body')?.value;
  if (content) fields.set('Content-Type', form.body.type);
  const [code, name] = byId('try-prefer').value.trim().split('.');
  if (code) fields.set('Prefer', `code=${code}${name ? `, example=${name}` : ''}`);
  const isSent = content && !['GET', 'HEAD'].includes(form.method);
  return {path: path + (query.length ? `?${query.join('&')}` : ''), fields, content: isSent ? content : undefined};
}

async function send() {
  const {path, fields, content} = request();
  const start = performance.now();
  const response = await fetch(path, {
    method: form.method, headers: fields, cache: 'no-store', redirect: 'manual', ...(content ? {body: content} : {}),
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = response.headers.get('content-type') ?? '';
  byId('try-answer').hidden = false;
  byId('try-answer').replaceChildren(
    make('h2', {}, `${response.status || 'a redirect'} in ${took((performance.now() - start) * 1000)}`),
    headers([...response.headers].map(([name, value]) => ({name, value}))), ...shown(bytes, type));
}

function shown(bytes, type) {
  try {
    return body(new TextDecoder('utf-8', {fatal: true}).decode(bytes), type);
  } catch {
    return body(btoa(String.fromCharCode(...bytes.slice(0, 1 << 16))), type, 'base64');
  }
}
