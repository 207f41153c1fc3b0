// Lanes with their scenarios, clocks and verdicts.

import {byId, make, notify} from './dom.js';
import {call, lane as path} from './api.js';

export async function load() {
  const [{lanes}, {scenarios}] = await Promise.all([call('GET', 'lanes'), call('GET', 'scenarios')]);
  const details = await Promise.all(lanes.slice(0, 50).map((lane) => call('GET', path(lane.name)).catch(() => null)));
  byId('lane-list').replaceChildren(
    ...details.filter(Boolean).map((lane) => card(lane, scenarios)),
    ...(lanes.length > 50 ? [make('p', {className: 'soft'}, `and ${lanes.length - 50} more lanes`)] : []));
}

function card(lane, scenarios) {
  const select = make('select', {},
    make('option', {value: ''}, 'none'),
    ...scenarios.map(({name}) => make('option', {value: name, selected: name === lane.state.scenario}, name)));
  select.setAttribute('aria-label', `Scenario of the lane ${lane.name}`);
  select.addEventListener('change', () => change(lane, {scenario: select.value || null}));
  const places = Object.entries(lane.state.machines ?? {}).flatMap(([machine, instances]) =>
    Object.entries(instances).map(([key, value]) => `${machine}${key ? ` ${key}` : ''}: ${value.state ?? JSON.stringify(value)}`));
  const findings = lane.verdict.findings ?? [];
  return make('section', {className: 'lane'},
    make('h2', {}, lane.name), make('code', {}, lane.url),
    make('p', {}, make('label', {}, 'Scenario ', select)),
    ...(places.length ? [make('ul', {}, places.map((text) => make('li', {}, text)))] : []),
    make('p', {className: 'actions'}, 'Clock:',
      ...[['5s', '5 seconds'], ['1m', 'a minute'], ['1h', 'an hour']].map(([time, text]) =>
        button(`advance ${text}`, () => change(lane, {advance: time}))),
      button('Begin anew', async () => {
        await attempt(() => call('POST', `${path(lane.name)}/reset`));
      })),
    make('p', {className: lane.verdict.verdict === 'failed' ? 'bad' : 'good'}, `verdict: ${lane.verdict.verdict}`),
    ...findings.map((finding) => make('div', {className: 'finding'},
      make('div', {}, finding.message ?? '', ' ', make('code', {className: 'soft'}, finding.rule ?? '')))));
}

function button(text, action) {
  const element = make('button', {type: 'button'}, text);
  element.addEventListener('click', action);
  return element;
}

const change = (lane, values) => attempt(() => call('PATCH', path(lane.name), values));

async function attempt(action) {
  try { await action(); } catch (error) { notify(error.message); }
  await load();
}
