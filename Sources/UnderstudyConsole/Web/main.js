// The console of a running mock.

import {attempt, byId, notify} from './dom.js';
import {address, call, follow, key} from './api.js';
import * as matrix from './matrix.js';
import * as log from './log.js';
import * as lanes from './lanes.js';
import * as form from './try.js';

const views = ['matrix', 'log', 'lanes', 'try'];

function select(name) {
  for (const view of views) {
    byId(view).hidden = view !== name;
    byId(`tab-${view}`).setAttribute('aria-selected', `${view === name}`);
    byId(`tab-${view}`).tabIndex = view === name ? 0 : -1;
  }
  if (name === 'lanes') attempt(lanes.load);
  if (name === 'try') attempt(form.load);
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

const refresh = () => attempt(matrix.load);

let due;

/** The same, at most once a second. */
function refreshSoon() {
  due ??= setTimeout(() => {
    due = undefined;
    refresh();
    if (!byId('lanes').hidden) attempt(lanes.load);
  }, 1000);
}

byId('release').addEventListener('click', async () => {
  await attempt(() => call('DELETE', 'lanes/default/forced'));
  await attempt(() => call('DELETE', 'lanes/default/faults'));
  refresh();
});

byId('reload').addEventListener('click', async () => {
  await attempt(async () => {
    await call('POST', 'reload');
    notify('contracts and fixtures are loaded again');
  });
  refresh();
});

// What is scrolled to, and what stays in place, begins below the header, whatever it shows.
new ResizeObserver(([{target}]) => {
  const isSticky = getComputedStyle(target).position === 'sticky';
  document.documentElement.style.setProperty('--top', `${isSticky ? target.offsetHeight : 0}px`);
}).observe(byId('top'));

matrix.start(refresh);
log.start(refresh);
lanes.start();
form.start();
select(views.includes(location.hash.slice(1)) ? location.hash.slice(1) : 'matrix');

if (!key) {
  byId('connection').textContent = 'Type this address into the browser: opened by another page, the console has no key.';
  byId('connection').className = 'bad';
  throw new Error('the console has no key');
}
byId('har').href = address('requests/har');
const health = await call('GET', 'health');
byId('facts').textContent =
  `${health.contracts.join(', ')} · ${health.operations} operations · version ${health.version}`;
await Promise.all([refresh(), log.load()]);
// Other programs force answers as well.
setInterval(() => { if (!document.hidden) refreshSoon(); }, 5000);
window.addEventListener('focus', refreshSoon);
follow(log.last(), (requests, skipped) => {
  log.add(requests, skipped);
  for (const request of requests) matrix.count(request);
  // A forced answer may have been used up, and the state of a lane is another.
  if (skipped || !byId('overrides').hidden || !byId('lanes').hidden) refreshSoon();
  if (!skipped) matrix.draw();
}, log.showStreams, (stands) => {
  byId('connection').textContent = stands ? 'live' : 'not connected: the mock has stopped, or is starting again';
  byId('connection').className = stands ? 'good' : 'bad';
  // After a new start there are other requests, and perhaps other operations.
  if (stands) {
    refresh();
    log.showStreams([]);
    attempt(log.load);
  }
});
