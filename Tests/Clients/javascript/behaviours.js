#!/usr/bin/env node
'use strict';
// Runs Tests/Clients/behaviours.yaml with the client in JavaScript: behaviours.js [--har FILE] [NAME]
//
// Prints each behaviour that fails and the counts; --har writes the requests to the admin API, for `understudy verify --har`.
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

const root = path.resolve(__dirname, '../../..');
const understudy = require(path.join(root, 'Clients/javascript'));
const kinds = [
  ['full', 'LaneLimit'], ['refused', 'MockRefused'], ['unreachable', 'MockUnreachable'], ['unsupported', 'MockUnsupported'],
  ['start', 'MockNotStarted'], ['silent', 'NoRequest'], ['failed', 'LaneFailed'],
];

/** The behaviours: each has a name, the features that it needs, and steps. */
function read(file) {
  const found = [];
  fs.readFileSync(file, 'utf8').split('\n').forEach((line, index) => {
    if (line.startsWith('- name: ')) found.push({ name: line.slice(8), needs: [], steps: [] });
    else if (line.startsWith('  needs: [')) found.at(-1).needs = line.slice(10, -1).split(', ');
    else if (line.startsWith('    - {')) found.at(-1).steps.push([index + 1, JSON.parse(line.slice(6))]);
    else if (line && !line.startsWith('#') && line !== '  steps:') throw new Error(`behaviours.yaml:${index + 1}: not a step: ${line}`);
  });
  return found;
}

function matches(expected, seen) {
  if (Array.isArray(expected)) {
    return Array.isArray(seen) && seen.length === expected.length && expected.every((value, index) => matches(value, seen[index]));
  }
  if (expected !== null && typeof expected === 'object') {
    if ('contains' in expected) return seen?.includes(expected.contains) ?? false;
    if ('atLeast' in expected) return seen >= expected.atLeast;
    if ('present' in expected) return seen !== undefined && seen !== null;
    return seen !== null && typeof seen === 'object' && Object.entries(expected).every(([name, value]) => matches(value, seen[name]));
  }
  return expected === (seen ?? null);
}

/** One request of an app. */
function send(url, { method = 'GET', path: target, headers = {}, body }) {
  return new Promise((resolve) => {
    const failed = () => resolve({ failed: true, status: null });
    const fields = body === undefined ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) };
    const request = http.request(url + target, { method, headers: fields, agent: false, timeout: 20_000 }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part)).on('error', failed).on('end', () => {
        const text = Buffer.concat(parts).toString();
        let json = null;
        try {
          json = JSON.parse(text);
        } catch {
          // A text.
        }
        resolve({ status: response.statusCode, text, json, headers: response.headers });
      });
    });
    request.on('error', failed).on('timeout', () => request.destroy());
    request.end(body);
  });
}

const verdictOf = (verdict) => ({
  verdict: verdict.passed ? 'passed' : 'failed', requests: verdict.requests, rules: verdict.rules,
  messages: verdict.findings.map(({ message }) => message), unused: verdict.unused.map(({ operation }) => operation),
});

function replyOf({ operation, method, path: target, steps, base64, ...rest }) {
  return {
    ...rest,
    ...(base64 === undefined ? {} : { body: Buffer.from(base64, 'base64') }),
    ...(steps === undefined ? {} : { steps: steps.map(replyOf) }),
  };
}

const actions = {
  async start(runner, value, name) {
    const port = value.port === 'taken' ? Number(new URL(runner.mocks.shared.url).port) : 0;
    const contracts = (value.contracts ?? []).map((file) => path.join(root, file));
    const mock = await understudy.startMock(contracts, { port, args: value.arguments });
    runner.own.push(mock);
    runner.mocks[name] = mock;
  },
  async connect(runner, value, name) {
    const mock = await understudy.connectMock(value.url ?? runner.mocks[name].url);
    return await mock.version();
  },
  stop: (runner, _, name) => runner.mocks[name].stop(),
  version: (runner, _, name) => runner.mocks[name].version(),
  async operations(runner, value, name) {
    const operations = await runner.mocks[name].operations();
    const cells = operations.find(({ id }) => id === value)?.cells ?? [];
    return { ids: operations.map(({ id }) => id), statuses: cells.map(({ status }) => status) };
  },
  lanes: async (runner, _, name) => ({ names: await runner.mocks[name].lanes() }),
};

const sessions = new Map();

const laneActions = {
  async begin(lane, value) {
    const count = (await lane.verdict()).requests;
    const end = Date.now() + 20_000;
    send(lane.url, value);
    while ((await lane.verdict()).requests === count && Date.now() < end);
  },
  async socket(lane, { id, packet }) {
    const polling = '/socket.io/?EIO=4&transport=polling';
    const key = `${lane.name} ${id}`;
    if (!sessions.has(key)) sessions.set(key, JSON.parse((await send(lane.url, { path: polling })).text.slice(1)).sid);
    const own = `${polling}&sid=${sessions.get(key)}`;
    await send(lane.url, { method: 'POST', path: own, body: packet });
    return packet === '40' ? await send(lane.url, { path: own }) : undefined;
  },
  async request(lane, value) {
    const answers = [];
    for (let number = 0; number < (value.times ?? 1); number += 1) answers.push(await send(lane.url, value));
    return { ...answers.at(-1), statuses: answers.map(({ status }) => status) };
  },
  force: (lane, value) => lane.force(value),
  release: (lane) => lane.release(),
  async fault(lane, value) {
    for (const one of value) await lane.fault(...one.split(/=(.*)/s));
  },
  async delay(lane, value) {
    for (const one of value) await lane.delay(...one.split(/=(.*)/s));
  },
  mend: (lane) => lane.mend(),
  play: (lane, value) => (value?.scenario ? lane.play(value.scenario, value.state) : lane.play(value)),
  checks: (lane, value) => lane.checks(...value),
  advance: (lane, value) => lane.advance(value),
  stopClock: (lane) => lane.stopClock(),
  limit: (lane, value) => lane.limit(value),
  reply: (lane, value) => lane.reply(value.operation ?? { method: value.method, path: value.path }, replyOf(value)),
  replies: async (lane) => ({ replies: await lane.replies() }),
  forget: (lane) => lane.forgetReplies(),
  next: (lane, value) => lane.next(value.operation, { within: value.within ?? '5s' }),
  async sweep(lane, { within = '5s', operations, throwsFor = [], ...request }) {
    const client = async (run) => {
      const { status } = await send(run.url, request);
      if (status !== 200) throw new Error(`status ${status}`);
    };
    const sweep = await lane.sweep(client, { within, operations });
    sweep.expect({ throwsFor });
    const rules = sweep.rows.flatMap(({ violations }) => violations.map((text) => text.replace(/.*\[|\]$/g, '')));
    return {
      count: sweep.rows.length, rows: sweep.rows.map(({ operation, variant, outcome }) => `${operation} ${variant}: ${outcome}`),
      rules: [...new Set(rules)].sort(),
    };
  },
  async pushes(lane) {
    const pushes = await lane.pushes();
    return { names: pushes.map(({ name }) => name), json: pushes.at(-1)?.content };
  },
  async requests(lane, value) {
    const requests = await lane.requests(value.operation);
    const rules = requests.flatMap(({ findings }) => findings.map(({ rule }) => rule));
    return {
      count: requests.length, operations: requests.map(({ operation }) => operation ?? null),
      statuses: requests.map(({ status }) => status ?? null), rules: [...new Set(rules)].sort(),
    };
  },
  expect: (lane, { operation, ...count }) => lane.expect(operation, count),
  verdict: async (lane) => verdictOf(await lane.verdict()),
  close: async (lane) => verdictOf(await lane.close()),
  reset: (lane) => lane.reset(),
  finish: async (lane, value) => verdictOf(await lane.finish(value)),
};

async function run(runner, step) {
  const [action, value] = Object.entries(step)[0];
  const mock = step.mock ?? 'shared';
  const name = step.lane ?? 'a';
  if (action === 'open') return (runner.lanes[name] = await runner.mocks[mock].lane(value));
  if (actions[action]) return await actions[action](runner, value, mock);
  if (laneActions[action]) return await laneActions[action](runner.lanes[name], value);
  throw new Error(`no action \`${action}\``);
}

/** What a step has shown that it should not. */
async function problem(runner, step) {
  const expected = step.error;
  let seen;
  try {
    for (let count = 0; count < (step.repeat ?? 1); count += 1) seen = (await run(runner, step)) ?? {};
  } catch (error) {
    if (!(error instanceof understudy.UnderstudyError)) throw error;
    if (!expected) return `unexpected ${error.name}: ${error.message}`;
    const [kind] = kinds.find(([, type]) => error instanceof understudy[type]);
    if (kind !== expected.kind) return `expected the error ${expected.kind}, but it was ${kind}: ${error.message}`;
    if (expected.status && error.status !== expected.status) return `expected the status ${expected.status}, but it was ${error.status}`;
    const missing = (expected.contains ?? []).filter((part) => !error.message.includes(part));
    return missing.length ? `the message lacks ${JSON.stringify(missing)}: ${error.message}` : undefined;
  }
  if (expected) return `expected the error ${expected.kind}, but there was none`;
  const wrong = Object.entries(step.see ?? {}).filter(([name, value]) => !matches(value, seen[name])).map(([name]) => [name, seen[name]]);
  return wrong.length ? `observed ${JSON.stringify(Object.fromEntries(wrong))}` : undefined;
}

function har(exchanges) {
  const fields = (headers) => Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }));
  const entries = exchanges.map(({ method, url, requestBody, status, headers, body }) => ({
    startedDateTime: '2026-01-01T00:00:00Z', time: 1,
    request: {
      method, url: `http://127.0.0.1:4010${url.slice(url.indexOf('/', 8))}`, httpVersion: 'HTTP/1.1', cookies: [], queryString: [],
      headersSize: -1, bodySize: -1,
      headers: requestBody === undefined ? [] : fields({ 'Content-Type': 'application/json' }),
      ...(requestBody === undefined ? {} : { postData: { mimeType: 'application/json', text: requestBody } }),
    },
    response: {
      status, statusText: '', httpVersion: 'HTTP/1.1', cookies: [], redirectURL: '', headers: fields(headers), headersSize: -1,
      bodySize: -1, content: { size: body.length, mimeType: headers['content-type'] ?? '', text: body },
    },
    cache: {}, timings: { send: 0, wait: 1, receive: 0 },
  }));
  return { log: { version: '1.2', creator: { name: 'behaviours', version: '1' }, entries } };
}

async function main(parameters) {
  const position = parameters.indexOf('--har');
  const recording = position < 0 ? undefined : parameters.splice(position, 2)[1];
  const exchanges = [];
  const options = { fixtures: path.join(root, 'fixtures'), onExchange: (exchange) => exchanges.push(exchange) };
  const contracts = ['specs/slp.yaml', 'specs/petstore.yaml'].map((file) => path.join(root, file));
  const shared = await understudy.startMock(contracts, options);
  const { features } = await shared.version();
  let [passed, failed, skipped] = [0, 0, 0];
  const why = {};
  for (const { name, needs, steps } of read(path.join(root, 'Tests/Clients/behaviours.yaml'))) {
    if (parameters.length && !parameters.some((part) => name.includes(part))) continue;
    const lacking = needs.find((feature) => !features.includes(feature));
    if (lacking) {
      skipped += 1;
      why[lacking] = (why[lacking] ?? 0) + 1;
      continue;
    }
    const runner = { mocks: { shared }, lanes: {}, own: [] };
    let wrong;
    for (const [line, step] of steps) {
      wrong = await problem(runner, step);
      if (!wrong) continue;
      console.log(`FAILED ${name}\n  behaviours.yaml:${line}: ${wrong}`);
      break;
    }
    for (const mock of runner.own) await mock.stop();
    if (wrong) failed += 1;
    else passed += 1;
  }
  const left = (await shared.lanes()).filter((name) => name !== 'default');
  if (left.length && !failed && !parameters.length) {
    failed += 1;
    console.log(`FAILED lanes are left: ${left.join(', ')}`);
  }
  await shared.stop();
  const reasons = Object.entries(why).map(([feature, count]) => `, ${count} without \`${feature}\``).join('');
  console.log(`JavaScript ${process.version}: ${passed} behaviours passed, ${failed} failed, ${skipped} skipped${reasons}`);
  if (recording) fs.writeFileSync(recording, JSON.stringify(har(exchanges)));
  process.exitCode = failed ? 1 : 0;
}

main(process.argv.slice(2));
