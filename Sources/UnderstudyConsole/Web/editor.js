// A fixture as text, validated while one types.

import {byId, make, notify, rich} from './dom.js';
import {call} from './api.js';

let cell;
let timer;
let isNew = true;

export function start(onChange) {
  for (const id of ['editor-text', 'editor-name']) byId(id).addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(check, 250);
  });
  byId('editor-form').addEventListener('submit', (event) => {
    if (event.submitter?.value === 'cancel') return;
    event.preventDefault();
    // What lies behind the dialog cannot be read.
    save(event.submitter.value === 'serve', onChange).catch((error) => {
      byId('editor-findings').replaceChildren(make('p', {className: 'bad'}, rich(error.message)));
    });
  });
}

/** Opens the answer `200.empty` of an operation, or a new variant made of it. */
export async function open(operation, answer, {variant, empty} = {}) {
  const query = new URLSearchParams({operation: key(operation), answer});
  const found = await call('GET', `fixtures?${query}`);
  cell = {operation, status: answer.split('.')[0], type: found.type};
  isNew = variant !== undefined;
  byId('editor-title').textContent = `${operation.id} ${isNew ? cell.status : answer}`;
  byId('editor-facts').textContent = `${found.type || 'no media type'} · ${isNew ? 'made from' : 'served now'}: ${found.source}`;
  byId('editor-name').value = isNew ? variant : answer.split('.').slice(1).join('.');
  byId('editor-name').readOnly = !isNew;
  byId('editor-text').value = empty ? emptied(found.text) : found.text;
  byId('editor').showModal();
  await check();
}

const key = (operation) => `${operation.contract}/${operation.id}`;
const answer = () => cell.status + (byId('editor-name').value ? `.${byId('editor-name').value}` : '');
const draft = (more) => ({
  operation: key(cell.operation), answer: answer(), text: byId('editor-text').value, ...(cell.type ? {type: cell.type} : {}), ...more,
});

/** The same JSON with empty lists; any other text stays. */
function emptied(text) {
  const empty = (value) => Array.isArray(value) ? []
    : value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, empty(item)])) : value;
  try { return `${JSON.stringify(empty(JSON.parse(text)), null, 2)}\n`; } catch { return text; }
}

async function check() {
  const checked = byId('editor-text').value;
  const result = await call('POST', 'fixtures', draft()).catch((error) => ({error: error.message}));
  // An older result says nothing about what has been typed since.
  if (checked !== byId('editor-text').value) return;
  const findings = result.findings ?? [];
  byId('editor-findings').replaceChildren(
    ...(result.error ? [make('p', {className: 'bad'}, rich(result.error))] : []),
    ...findings.map((finding) => make('div', {className: 'finding'}, make('b', {}, `${finding.severity}: `),
      finding.pointer ? `${finding.pointer}: ` : '', rich(finding.message), ' ', make('code', {className: 'soft'}, finding.rule))),
    ...(!result.error && !findings.length ? [make('p', {className: 'good'}, 'It keeps the contract.')] : []));
}

async function save(isServed, onChange) {
  const written = await call('POST', 'fixtures', draft({write: true, replace: !isNew}));
  // A mock that does not watch its files has to load them.
  await call('POST', 'reload');
  if (isServed) await call('PATCH', 'lanes/default', {force: {[cell.operation.id]: answer()}});
  byId('editor').close();
  notify(`written: ${written.files.join(', ')}${isServed ? '; it is served now' : ''}`);
  onChange();
}
