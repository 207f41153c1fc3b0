'use strict';
const { setTimeout: sleep } = require('node:timers/promises');
const { Returned, arrivals } = require('./arrivals');
const { LaneFailed, NoRequest } = require('./errors');
const { Request } = require('./request');
const { runSweep } = require('./sweep');

const features = ['limit', 'port'];
/** The milliseconds that a client which has given up may need until its connection is closed. */
const leavingLimit = 5000;
const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time as the admin API takes it: `2s`, or a number of milliseconds. */
function duration(value) {
  return typeof value === 'number' ? `${Math.round(value)}ms` : value;
}

function milliseconds(value) {
  if (typeof value === 'number') return value;
  const match = /^([0-9]+)(ms|s|m|h|d)$/.exec(value);
  if (!match) throw new TypeError(`\`${value}\` is not a time: expected one such as 500ms, 2s, 5m or 1h`);
  return Number(match[1]) * units[match[2]];
}

function settingsOf(values) {
  const body = { ...values };
  for (const name of ['advance', 'limit']) if (body[name] !== undefined) body[name] = duration(body[name]);
  if (body.checks !== undefined) body.checks = [body.checks].flat();
  return body;
}

/** A status as a number, a fixture such as `200.empty`, a meaning such as `notRegistered`, or the members of a reply. */
function replyOf(value) {
  if (typeof value === 'number') return { status: value };
  if (typeof value === 'string') return /^([0-9]|default\.)/.test(value) ? { fixture: value } : { meaning: value };
  const { body, delay, ...rest } = value;
  return {
    ...rest,
    ...(delay === undefined ? {} : { delay: duration(delay) }),
    ...(body === undefined ? {} : { base64: Buffer.from(body).toString('base64') }),
  };
}

/** A mock of its own for one test. */
class Lane {
  #admin;
  #path;
  #returned = new Map();
  #allowed = new Set();

  constructor(admin, name, url) {
    this.#admin = admin;
    this.name = name;
    this.url = url;
    this.#path = `/lanes/${encodeURIComponent(name)}`;
  }

  static async open(admin, settings = {}) {
    for (const feature of features) if (settings[feature] !== undefined) await admin.require(feature);
    const { allow = [], ...rest } = settings;
    const { name, url } = await admin.call('POST', '/lanes', { body: settingsOf(rest) });
    const lane = new Lane(admin, name, url);
    lane.allow(...[allow].flat());
    return lane;
  }

  /** Changes what is given: `scenario`, `state`, `force`, `fault`, `delay`, `checks`, `advance`, `stopClock`, `seed`, `dynamic`, `limit`. */
  async change(settings) {
    for (const [setting, feature] of [['limit', 'limit'], ['state', 'states'], ['dynamic', 'dynamic']]) {
      if (settings[setting] !== undefined) await this.#admin.require(feature);
    }
    await this.#admin.call('PATCH', this.#path, { body: settingsOf(settings) });
  }

  force(answers) { return this.change({ force: answers }); }
  async release() { await this.#admin.call('DELETE', `${this.#path}/forced`); }
  fault(operation, fault) { return this.change({ fault: [`${operation}=${fault}`] }); }
  delay(operation, time) { return this.change({ delay: [`${operation}=${duration(time)}`] }); }
  async mend() { await this.#admin.call('DELETE', `${this.#path}/faults`); }
  play(scenario, state) { return this.change(state === undefined ? { scenario } : { scenario, state }); }
  advance(time) { return this.change({ advance: time }); }
  stopClock() { return this.change({ stopClock: true }); }
  checks(...checks) { return this.change({ checks }); }
  limit(time) { return this.change({ limit: time }); }

  /** Answers an operation, or `{method, path}`, with the steps in turn; an object of the form `{steps, when, times}` has more. */
  async reply(operation, ...steps) {
    await this.#admin.require('replies');
    const target = typeof operation === 'string' ? { operation } : operation;
    const whole = steps.length === 1 ? replyOf(steps[0]) : { steps };
    if (whole.steps) whole.steps = whole.steps.map(replyOf);
    return await this.#admin.call('POST', `${this.#path}/replies`, { body: { ...target, ...whole } });
  }

  async replies() {
    await this.#admin.require('replies');
    return (await this.#admin.call('GET', `${this.#path}/replies`)).replies;
  }

  async forgetReplies() {
    await this.#admin.require('replies');
    await this.#admin.call('DELETE', `${this.#path}/replies`);
  }

  /**
   * The next request of an operation: each is returned once, at its arrival, those that have arrived first. Its response may be
   * late: then it has no status yet.
   */
  async next(operation, { within = 2000 } = {}) {
    await this.#admin.require('arrivals');
    const key = operation ?? '';
    if (!this.#returned.has(key)) this.#returned.set(key, new Returned());
    const returned = this.#returned.get(key);
    const limit = Math.min(milliseconds(within), 60_000);
    const end = performance.now() + limit;
    for (;;) {
      const rest = Math.max(0, end - performance.now());
      const query = { after: returned.last, open: returned.lastOpen };
      const found = returned.take(arrivals(await this.#list(operation, query, rest, '/requests/details')));
      if (found) return new Request(found.request);
      if (!rest) throw new NoRequest(await this.#silence(operation, limit));
    }
  }

  async #list(operation, more = {}, wait = 0, path = '/requests') {
    const query = { lane: this.name, operation, limit: 10_000, ...more, wait: wait >= 1 ? duration(wait) : undefined };
    return await this.#admin.call('GET', path, { query, wait });
  }

  async #read(number) {
    return new Request(await this.#admin.call('GET', `/requests/${number}`));
  }

  async #silence(operation, time) {
    const arrived = arrivals(await this.#list(undefined, { open: 0 }))
      .map(({ request: one }) => `  ${one.method} ${one.target} -> ${one.status ?? 'no answer'}`);
    const seen = arrived.length
      ? `these did:\n${arrived.slice(-20).join('\n')}`
      : `the lane got none at all: is ${this.url} the base URL of the client, and is it awaited?`;
    return `no request ${operation ? `to \`${operation}\` ` : ''}arrived within ${time / 1000} s; ${seen}`;
  }

  /** The requests of the lane so far, in the order of their arrival. */
  async requests(operation) {
    await this.#admin.require('arrivals');
    return arrivals(await this.#list(operation, { open: 0 }, 0, '/requests/details')).map(({ request }) => new Request(request));
  }

  /** Requires the number of requests to an operation so far: `{times}`, `{atLeast}` or `{atMost}`. */
  async expect(operation, { times, atLeast, atMost }) {
    await this.#admin.require('arrivals');
    const { count: ended, open } = await this.#admin.call('GET', '/requests/count', { query: { lane: this.name, operation, open: 0 } });
    const count = ended + open;
    const wanted = [[times, '', count === times], [atLeast, 'at least ', count >= atLeast], [atMost, 'at most ', count <= atMost]];
    for (const [number, name, holds] of wanted) {
      if (number === undefined || holds) continue;
      throw new LaneFailed(`expected ${name}${number} requests to \`${operation}\`, but there were ${count}`);
    }
  }

  async verdict() {
    return verdictOf((await this.#admin.call('GET', this.#path)).verdict);
  }

  /** The push messages that the scenario has sent so far, the oldest first. */
  async pushes() {
    return (await this.#admin.call('GET', this.#path)).pushes ?? [];
  }

  /**
   * Accepts findings of these rules; `test.reply-unused` accepts replies that no request has met, `test.request-pending` requests
   * that wait for their answer.
   */
  allow(...rules) {
    for (const rule of rules) this.#allowed.add(rule);
  }

  async reset() {
    await this.#admin.call('POST', `${this.#path}/reset`);
  }

  /**
   * Runs a client once for each documented status of every operation that it calls, then for each hostile variant. Each run has a
   * lane of its own, which begins as this one stands; the client gets it, with its `url`.
   */
  async sweep(client, { within = 10_000, operations, seed } = {}) {
    await this.#admin.require('variants');
    const parts = { path: this.#path, allowed: this.#allowed, open: ({ name, url }) => new Lane(this.#admin, name, url) };
    return await runSweep(this.#admin, parts, client, { within: milliseconds(within), operations, seed });
  }

  /** Closes the lane, with its verdict. */
  async close() {
    return verdictOf(await this.#admin.call('DELETE', this.#path));
  }

  /**
   * Closes the lane as the end of a test does: findings of the client, requests that wait for their answer and unused replies throw
   * `LaneFailed`.
   */
  async finish({ allow = [] } = {}) {
    this.allow(...allow);
    const pending = await this.#pending();
    const verdict = await this.close();
    const findings = verdict.findings.filter(({ severity, rule }) => severity === 'error' && !this.#allowed.has(rule));
    const lines = findings.map(shown);
    const rules = new Set(findings.map(({ rule }) => rule));
    for (const { method, target, operation = 'no operation', late } of pending) {
      lines.push(`error[test.request-pending]: ${method} ${pathOf(target)} (${operation}): the test ended before the response, `
        + `which is ${late}\n  help: await the client, or cancel it, before the test ends`);
      rules.add('test.request-pending');
    }
    for (const reason of verdict.unknown) {
      lines.push(`error[test.verdict-unknown]: the verdict is unknown: ${reason}\n  help: run the test again`);
      rules.add('test.verdict-unknown');
    }
    for (const { message } of this.#allowed.has('test.reply-unused') ? [] : verdict.unused) {
      lines.push(`error[test.reply-unused]: ${message}`);
      rules.add('test.reply-unused');
    }
    if (!lines.length) return verdict;
    // The journal has the requests of a lane that is closed.
    const exchanges = (await this.#broken()).filter(({ findings: own }) => own.some(({ rule }) => rules.has(rule))).map((one) => `\n${one}`);
    throw new LaneFailed([...lines, ...exchanges].join('\n'), [...rules].sort(), verdict);
  }

  /**
   * The requests that wait for their answer; those that are about to end are waited for. A request whose answer never comes is not
   * one of them: a test gives that answer to a client that gives up.
   */
  async #pending() {
    if (this.#allowed.has('test.request-pending') || !(await this.#admin.version()).features.includes('arrivals')) return [];
    const end = performance.now() + leavingLimit;
    for (let pause = 2; ; pause = Math.min(2 * pause, 100)) {
      const { open } = await this.#list(undefined, { open: 0, limit: 1 });
      const late = open.filter((request) => (request.late ?? 'hang') !== 'hang');
      if (!late.length || performance.now() >= end) return late.reverse();
      await sleep(pause);
    }
  }

  async #broken() {
    const query = { lane: this.name, findings: true, limit: 10_000 };
    const { requests } = await this.#admin.call('GET', '/requests', { query });
    return await Promise.all(requests.slice(-3).reverse().map(({ id }) => this.#read(id)));
  }
}

/** The path of a target without its lane and without the query. */
function pathOf(target) {
  return target.replace(/\?.*/s, '').replace(/^\/~[^/]*(?=\/)/, '');
}

function verdictOf({ verdict, requests = 0, findings = [], unused = [], reasons = [] }) {
  const unknown = verdict === 'unknown' && !reasons.length ? ['the mock gives no reason'] : reasons;
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  return { passed: verdict === 'passed', requests, findings, unused, unknown, rules };
}

function shown({ severity, rule, message, requests = [], help }) {
  return [`${severity}[${rule}]: ${message}`, ...requests.map((one) => `  ${one}`), ...(help ? [`  help: ${help}`] : [])].join('\n');
}

module.exports = { Lane };
