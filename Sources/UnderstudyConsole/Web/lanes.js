// Lanes with their scenarios, clocks and verdicts.

import {attempt, button, byId, make, rich} from './dom.js';
import {call, lane as path} from './api.js';
import {picture} from './machine.js';

const limit = 50;
const scenarios = new Map();
/** What can be wrong with sockets; empty where nothing declares any. */
let socketFaults = [];

export function start() {
  byId('open-lane').addEventListener('submit', async (event) => {
    event.preventDefault();
    const name = byId('lane-name').value;
    await attempt(() => call('POST', 'lanes', name ? {name} : {}));
    byId('lane-name').value = '';
    await attempt(load);
  });
}

export async function load() {
  const [{lanes}, list, sockets] = await Promise.all(
    [call('GET', 'lanes'), call('GET', 'scenarios'), call('GET', 'sockets').catch(() => ({faults: []}))]);
  socketFaults = sockets.faults;
  const details = await Promise.all(lanes.slice(0, limit).map((lane) => call('GET', `${path(lane.name)}?state=true`).catch(() => null)));
  const open = details.filter(Boolean);
  for (const name of new Set(open.map((lane) => lane.state.scenario).filter(Boolean))) {
    if (!scenarios.has(name)) scenarios.set(name, await call('GET', `scenarios/${encodeURIComponent(name)}`));
  }
  const focused = document.activeElement?.getAttribute('aria-label');
  byId('lane-list').replaceChildren(
    ...open.map((lane) => card(lane, list.scenarios)),
    ...(lanes.length > limit ? [make('p', {className: 'soft'}, `and ${lanes.length - limit} more lanes`)] : []));
  if (focused) byId('lane-list').querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
}

function card(lane, list) {
  const select = make('select', {},
    make('option', {value: ''}, 'none'),
    ...list.map(({name}) => make('option', {value: name, selected: name === lane.state.scenario}, name)));
  select.setAttribute('aria-label', `Scenario of the lane ${lane.name}`);
  select.addEventListener('change', () => change(lane, {scenario: select.value || null}));
  const scenario = scenarios.get(lane.state.scenario);
  const findings = lane.verdict.findings ?? [];
  const isDefault = lane.name === 'default';
  return make('section', {className: 'lane'},
    make('h2', {}, lane.name, ' ', make('span', {className: lane.verdict.verdict === 'passed' ? 'good' : 'bad'},
      `verdict: ${lane.verdict.verdict}`)),
    make('p', {}, make('code', {}, lane.url), ` · ${lane.verdict.requests} ${lane.verdict.requests === 1 ? 'request' : 'requests'} · clock ${clock(lane.state.clock)}`),
    make('p', {className: 'actions'}, make('label', {}, 'Scenario ', select),
      ...[['5s', '5 seconds'], ['1m', 'a minute'], ['1h', 'an hour']].map(([time, text]) =>
        labelled(lane, `advance ${text}`, () => change(lane, {advance: time}))),
      labelled(lane, 'Begin anew', () => apply(() => call('POST', `${path(lane.name)}/reset`))),
      isDefault ? '' : labelled(lane, 'Close', () => apply(() => call('DELETE', path(lane.name))))),
    ...(socketFaults.length ? [socketTools(lane)] : []),
    ...overrides(lane),
    ...findings.map((finding) => make('div', {className: 'finding'},
      make('div', {}, rich(finding.message ?? ''), ' ', make('code', {className: 'soft'}, finding.rule ?? '')))),
    ...(scenario?.machines ?? []).map((machine) => picture(machine, instances(lane, machine))),
    ...(scenario && !scenario.machines.length ? [make('pre', {tabIndex: 0}, scenario.text)] : []));
}

/** The faults of sockets, as a form: one of them, with its value, for all events or one. */
function socketTools(lane) {
  const event = make('input', {type: 'text', placeholder: 'all events', size: 12});
  event.setAttribute('aria-label', `Event of the fault, in the lane ${lane.name}`);
  const fault = make('input', {type: 'text', placeholder: 'a fault', size: 24});
  fault.setAttribute('list', 'socket-faults');
  fault.setAttribute('aria-label', `Fault of sockets, in the lane ${lane.name}`);
  const options = make('datalist', {id: 'socket-faults'},
    ...socketFaults.map(({example, summary}) => make('option', {value: example}, summary)));
  const target = () => (event.value ? `sockets/${event.value}` : 'sockets');
  return make('p', {className: 'actions'}, 'Sockets ', event, ' ', fault, options, ' ',
    labelled(lane, 'Break', () => change(lane, {fault: `${target()}=${fault.value}`})),
    labelled(lane, 'Drop the connections', () => apply(() => call('POST', `sockets?lane=${encodeURIComponent(lane.name)}`, {drop: true}))),
    labelled(lane, 'Mend', () => apply(() => call('DELETE', `${path(lane.name)}/faults`))));
}

function labelled(lane, text, action) {
  const element = button(text, action);
  element.setAttribute('aria-label', `${text}, in the lane ${lane.name}`);
  return element;
}

function overrides(lane) {
  const items = [
    ...lane.state.forced.map((reply) => `${reply.operation} answers ${reply.answer}`),
    ...lane.state.faults.map((fault) => `${fault.isDelay ? 'delay' : 'fault'} ${fault.text}`),
    ...lane.state.checks.map((check) => `checks ${check.rule}`),
  ];
  return items.length ? [make('ul', {}, items.map((text) => make('li', {}, text)))] : [];
}

/** Where the instances of a machine are: `[['alice', 'matched']]`. */
function instances(lane, machine) {
  const ends = (key) => key === machine.name || key.endsWith(`/${machine.name}`) || machine.name === '';
  return Object.entries(lane.state.machines ?? {}).filter(([key]) => ends(key))
    .flatMap(([, entries]) => Object.entries(entries).map(([name, value]) => [name, value.state]));
}

function clock(value) {
  if (value.stopped) return 'stopped';
  const seconds = Math.round(value.offset / 1e6);
  if (!seconds) return 'as the real one';
  const parts = [[Math.floor(seconds / 3600), 'h'], [Math.floor(seconds / 60) % 60, 'min'], [seconds % 60, 's']];
  return `${parts.filter(([number]) => number).map(([number, unit]) => `${number} ${unit}`).join(' ')} ahead`;
}

const change = (lane, values) => apply(() => call('PATCH', path(lane.name), values));

async function apply(action) {
  await attempt(action);
  await attempt(load);
}
