'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Admin } = require('./admin');
const { MockNotStarted } = require('./errors');
const { Lane } = require('./lane');
const { program } = require('./program');

/** A running mock: one that `startMock` has started, or one that runs already. */
class Mock {
  #admin;
  #process;

  constructor(admin, child) {
    this.#admin = admin;
    this.#process = child;
    this.url = admin.url;
  }

  /** The version of the API, that of the program, and the features. */
  version() { return this.#admin.version(); }

  /** The operations of all contracts, with their documented statuses. */
  async operations() { return (await this.#admin.call('GET', '/operations')).operations; }

  /** The names of the open lanes; `default` is that of requests without a name. */
  async lanes() { return (await this.#admin.call('GET', '/lanes')).lanes.map(({ name }) => name); }

  /** Opens a lane, a mock of its own. */
  lane(settings) { return Lane.open(this.#admin, settings); }

  /** Ends a mock that `startMock` has started. */
  async stop() { await this.#process?.stop(); }
}

/** The program, until it is stopped or this process ends. */
class Process {
  #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'understudy-mock-'));
  #log = path.join(this.#folder, 'log');
  #tail;

  constructor(line) {
    // A file, since a pipe that is not read would stop the mock when it is full.
    const log = fs.openSync(this.#log, 'w');
    this.ready = path.join(this.#folder, 'ready');
    this.child = spawn(line[0], [...line.slice(1), '--ready-file', this.ready], { stdio: ['ignore', log, log] });
    fs.closeSync(log);
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => resolve(error.message));
      this.child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    }).then((how) => (this.how = how));
    // A mock that a test forgets to stop does not keep the process alive, and does not outlive it.
    this.child.unref();
    this.kill = () => this.child.kill('SIGKILL');
    process.once('exit', this.kill);
  }

  async url(timeout) {
    const end = Date.now() + timeout;
    for (;;) {
      const url = fs.existsSync(this.ready) ? fs.readFileSync(this.ready, 'utf8').trim() : '';
      if (url) return url;
      if (this.how || Date.now() > end) {
        const text = this.tail();
        const what = this.how ? `\`understudy serve\` ended with ${this.how}` : `the mock did not listen within ${timeout / 1000} s`;
        await this.stop();
        throw new MockNotStarted(text ? `${what}:\n${text}` : what);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  tail() {
    this.#tail ??= this.how && fs.readFileSync(this.#log, 'utf8').slice(-2000).trim();
    return this.#tail ?? '';
  }

  /** Why the mock does not answer; empty while it runs. */
  explanation() {
    if (this.isStopped) return ': it was stopped; open lanes before `stop`';
    return this.how ? `: it ended with ${this.how}, run the test again; its last lines:\n${this.tail()}` : '';
  }

  async stop() {
    if (this.isStopped) return;
    this.isStopped = true;
    process.off('exit', this.kill);
    this.child.ref();
    this.child.kill('SIGTERM');
    const timer = setTimeout(this.kill, 10_000);
    await this.ended;
    clearTimeout(timer);
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Starts a mock of contracts on a free port; without any, of those of `understudy.yaml`. */
async function startMock(contract = [], { fixtures, port = 0, args = [], timeout = 60_000, onExchange } = {}) {
  const line = [program(), 'serve', ...[contract].flat(), '--port', String(port), '--no-watch', '--color', 'never'];
  if (fixtures !== undefined) line.push('--fixtures', fixtures);
  const child = new Process([...line, ...args]);
  const url = await child.url(timeout);
  const mock = new Mock(new Admin(url, { timeout, onExchange, explain: () => child.explanation() }), child);
  try {
    await mock.version();
  } catch (error) {
    await mock.stop();
    throw error;
  }
  return mock;
}

/** A mock that runs already: at `url`, else at UNDERSTUDY_BASE_URL, else at http://127.0.0.1:4010. */
async function connectMock(url, { timeout, onExchange } = {}) {
  const mock = new Mock(new Admin(url ?? process.env.UNDERSTUDY_BASE_URL ?? 'http://127.0.0.1:4010', { timeout, onExchange }));
  await mock.version();
  return mock;
}

module.exports = { Mock, startMock, connectMock };
