// The console of a running mock.

import {byId, notify} from './dom.js';
import {call, follow} from './api.js';
import * as matrix from './matrix.js';
import * as log from './log.js';
import * as lanes from './lanes.js';

const views = ['matrix', 'log', 'lanes'];

function select(name) {
  for (const view of views) {
    byId(view).hidden = view !== name;
    byId(`tab-${view}`).setAttribute('aria-selected', `${view === name}`);
    byId(`tab-${view}`).tabIndex = view === name ? 0 : -1;
  }
  if (name === 'lanes') lanes.load().catch((error) => notify(error.message));
  history.replaceState(null, '', `#${name}`);
}

for (const [index, view] of views.entries()) {
  byId(`tab-${view}`).addEventListener('click', () => select(view));
  byId(`tab-${view}`).addEventListener('keydown', (event) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    const next = views[(index + step + views.length) % views.length];
    select(next);
    byId(`tab-${next}`).focus();
  });
}

const refresh = () => matrix.load().catch((error) => notify(error.message));

byId('release').addEventListener('click', async () => {
  try { await call('DELETE', 'lanes/default/forced'); } catch (error) { notify(error.message); }
  refresh();
});

matrix.start(refresh);
log.start(refresh);
select(views.includes(location.hash.slice(1)) ? location.hash.slice(1) : 'matrix');

const health = await call('GET', 'health');
byId('facts').textContent =
  `${health.contracts.join(', ')} · ${health.operations} operations · version ${health.version}`;
await Promise.all([refresh(), log.load()]);
follow(log.last(), (requests, skipped) => {
  log.add(requests);
  for (const request of requests) matrix.count(request);
  // A forced answer may have been used up.
  if (skipped || !byId('overrides').hidden) refresh(); else matrix.draw();
}, (stands) => {
  byId('connection').textContent = stands ? 'live' : 'not connected: the mock has stopped, or is starting again';
  byId('connection').className = stands ? 'good' : 'bad';
});
