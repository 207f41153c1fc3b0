'use strict';
const http = require('node:http');
const { LaneLimit, MockRefused, MockUnreachable, MockUnsupported } = require('./errors');

/** The version of the API that this package speaks. */
const apiVersion = 1;

/** The admin API at an address. */
class Admin {
  constructor(url, { timeout = 60_000, onExchange, explain } = {}) {
    let parsed;
    try {
      parsed = new URL(url);
    } catch {
      parsed = {};
    }
    if (parsed.protocol !== 'http:') {
      throw new MockUnreachable(`\`${url}\` is not the address of a mock: expected http://127.0.0.1:4010`);
    }
    this.url = parsed.origin;
    this.timeout = timeout;
    this.onExchange = onExchange;
    this.explain = explain;
  }

  /** Sends a request and returns the JSON of its answer; members of `query` that are undefined are left out. */
  async call(method, path, { body, query = {}, wait = 0 } = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const target = `/__admin${path}${given.length ? `?${new URLSearchParams(given)}` : ''}`;
    const content = body === undefined ? undefined : JSON.stringify(body);
    const answer = await this.#send(method, target, content, this.timeout + wait);
    this.onExchange?.({ method, url: this.url + target, requestBody: content, ...answer });
    let value;
    try {
      value = answer.body ? JSON.parse(answer.body) : undefined;
    } catch {
      throw new MockUnsupported(
        `${method} ${this.url}${target} answers ${answer.status} with what is not JSON: is another server on this port?`);
    }
    if (answer.status < 400) return value;
    let message = value?.detail ?? `${method} ${target} answers ${answer.status}`;
    if (answer.status === 401) message += '; set UNDERSTUDY_ADMIN_TOKEN to the token that the mock has printed';
    throw new (answer.status === 503 ? LaneLimit : MockRefused)(message, answer.status);
  }

  #send(method, target, content, timeout) {
    const headers = { Accept: 'application/json, application/problem+json' };
    if (content !== undefined) {
      headers['Content-Type'] = 'application/json';
      headers['Content-Length'] = Buffer.byteLength(content);
    }
    const token = process.env.UNDERSTUDY_ADMIN_TOKEN;
    if (token) headers.Authorization = `Bearer ${token}`;
    return new Promise((resolve, reject) => {
      const fail = (error) => reject(new MockUnreachable(`no mock answers at ${this.url} (${error.message || error.code})${this.#reason()}`));
      // Without an agent, each request has a connection of its own, and none keeps the process alive.
      const request = http.request(this.url + target, { method, headers, agent: false }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('error', fail);
        response.on('end', () => {
          clearTimeout(timer);
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts).toString() });
        });
      });
      const timer = setTimeout(() => {
        reject(new MockUnreachable(
          `the mock at ${this.url} has not answered within ${timeout / 1000} s: is the machine busy, or is another server on this`
            + ' port? A longer `timeout` waits longer'));
        request.destroy();
      }, timeout);
      request.on('error', (error) => {
        clearTimeout(timer);
        fail(error);
      });
      request.end(content);
    });
  }

  #reason() {
    return this.explain?.() || `: start one with \`understudy serve CONTRACT --port ${new URL(this.url).port || 80}\``;
  }

  /** The version of the mock; one that is too old to tell has API 0 and no features. */
  async version() {
    this.known ??= await this.#readVersion();
    return this.known;
  }

  async #readVersion() {
    let version;
    try {
      version = await this.call('GET', '/version');
    } catch (error) {
      if (error.status !== 404) throw error;
      // A mock from before the handshake tells its program here; another server has no such resource.
      const health = await this.call('GET', '/health').catch(() => {
        throw new MockUnsupported(
          `the server at ${this.url} is no Understudy mock, or one with --no-admin: start one with \`understudy serve CONTRACT\``);
      });
      return { api: 0, program: health.version, features: [] };
    }
    if (version.api !== apiVersion) {
      const side = version.api > apiVersion ? 'package understudy-mock' : 'program `understudy`';
      throw new MockUnsupported(
        `the mock at ${this.url} (${version.program}) speaks version ${version.api} of the admin API, and this client version`
          + ` ${apiVersion}: update the ${side}`);
    }
    return version;
  }

  /** Throws `MockUnsupported` where the mock lacks a feature. */
  async require(feature) {
    const version = await this.version();
    if (version.features.includes(feature)) return;
    throw new MockUnsupported(
      `the mock at ${this.url} (${version.program}) has no feature \`${feature}\`: update the program \`understudy\``);
  }
}

module.exports = { Admin };
