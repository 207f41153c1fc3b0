'use strict';
const { LaneFailed, UnderstudyError } = require('./errors');

/** How long the first run may take, in milliseconds: default responses give a client no reason to hang. */
const patience = 30_000;

/** The rows of a sweep, in the order of the runs. */
class Sweep {
  constructor(rows, kinds) {
    this.rows = rows;
    /** The kinds of variants that a sweep can have. */
    this.kinds = kinds;
  }

  /** The row of an operation and a variant, by its whole name: `sweep.row('readUser', 'required-null /nick')`. */
  row(operation, variant) {
    const name = `${operation} ${variant}`;
    const found = this.rows.find((row) => `${row.operation} ${row.variant}` === name);
    if (found) return found;
    const known = this.rows.map((row) => `${row.operation} ${row.variant}`);
    const near = known.find((one) => one.startsWith(`${name} `));
    throw new UnderstudyError(`the sweep has no row \`${name}\`: ${near ? `did you mean \`${near}\`?` : `it has ${known.join(', ')}`}`);
  }

  toString() { return this.rows.map(shown).join('\n'); }

  /**
   * Throws `LaneFailed` with each row that an expectation refuses. `throwsFor` has kinds of variants, statuses and ranges of
   * statuses: `['html', 401, [500, 599]]`.
   */
  expect({ noHang = true, nothingSwallowed = false, requestsObeyTheContract = false, throwsFor = [], returnsFor = [], callsAtMost } = {}) {
    const throwing = [throwsFor].flat(1);
    const lines = [];
    const rules = new Set();
    for (const kind of [...throwing.filter((one) => typeof one === 'string'), ...returnsFor]) {
      if (!this.kinds.includes(kind)) lines.push(`a sweep has no variant \`${kind}\`: it has ${this.kinds.join(', ')}`);
    }
    for (const row of this.rows) {
      const throws = throwing.some((one) => (typeof one === 'string' ? one === row.kind
        : Array.isArray(one) ? row.status >= one[0] && row.status <= one[1] : one === row.status));
      const broken = [
        [noHang && row.outcome === 'hung', 'sweep.hang', 'expected an end within the limit'],
        [nothingSwallowed && row.isUnusable && row.outcome === 'returned', 'sweep.swallowed', 'expected an error'],
        [requestsObeyTheContract && row.violations.length > 0, 'sweep.unexpected', 'expected valid requests'],
        [throws && row.outcome !== 'threw', 'sweep.unexpected', 'expected an error'],
        [returnsFor.includes(row.kind) && row.outcome !== 'returned', 'sweep.unexpected', 'expected a value'],
        [callsAtMost !== undefined && row.requestsAfter > callsAtMost, 'sweep.unexpected', `expected at most ${callsAtMost} further requests`],
      ].find(([fails]) => fails);
      if (!broken) continue;
      const [, rule, expected] = broken;
      lines.push(`error[${rule}]: ${row.operation} ${row.variant}: ${expected}, but it ${ended(row)}`);
      rules.add(rule);
    }
    if (lines.length) throw new LaneFailed(`${lines.length} ${lines.length === 1 ? 'row' : 'rows'} of the sweep fail:\n${lines.join('\n')}`, [...rules].sort());
  }
}

function ended({ outcome, value, next, violations }) {
  return outcome + (outcome === 'hung' || value === undefined ? '' : ` ${value instanceof Error ? value : JSON.stringify(value)}`)
    + (next.length ? `, then sent ${next.join(', ')}` : '') + (violations.length ? `; ${violations.join('; ')}` : '');
}

function shown(row) { return `${row.operation} ${row.variant}: ${ended(row)}`; }

/** Runs a client with default responses to see what it calls, then once for each variant that the mock makes of that. */
async function runSweep(admin, { path, allowed, open }, client, { within, operations = [], seed = '0' }) {
  const begin = async (of, variant) => open(await admin.call('POST', `${of}/runs`, { body: variant ? { variant } : {} }));
  const usual = await begin(path);
  const usualPath = `/lanes/${encodeURIComponent(usual.name)}`;
  const row = async (variant) => {
    const lane = await begin(usualPath, `${variant.operation} ${variant.name}`);
    const { outcome, value } = await run(client, lane, within);
    const { run: report } = await admin.call('DELETE', `/lanes/${encodeURIComponent(lane.name)}`);
    return {
      operation: variant.operation, variant: variant.name, kind: variant.kind, status: variant.status, outcome, value,
      next: report.next, requestsAfter: report.requestsAfter, isUnusable: variant.isUnusable,
      violations: report.violations.filter(({ rule }) => !allowed.has(rule)).map(({ message }) => message),
    };
  };
  try {
    const { outcome, value } = await run(client, usual, Math.max(within, patience));
    if (outcome !== 'returned') {
      throw new UnderstudyError(`the client must return with default responses before it is swept, but it ${ended({ outcome, value, next: [], violations: [] })}`);
    }
    const query = new URLSearchParams([['seed', seed], ...operations.map((id) => ['operation', id])]);
    const { variants, kinds } = await admin.call('GET', `${usualPath}/variants?${query}`);
    if (!variants.length) throw new UnderstudyError('the client calls no operation: is the `url` of the lane that it gets its base URL?');
    const rows = [];
    for (const variant of variants) rows.push(await row(variant));
    // Another test may have slowed it down.
    for (const [index, { outcome }] of rows.entries()) if (outcome === 'hung') rows[index] = await row(variants[index]);
    return new Sweep(rows, kinds);
  } finally {
    await admin.call('DELETE', usualPath);
  }
}

/** How a client ends; one that hangs is left behind. */
async function run(client, lane, within) {
  let timer;
  const limit = new Promise((resolve) => { timer = setTimeout(() => resolve({ outcome: 'hung' }), within); });
  const end = (async () => client(lane))().then((value) => ({ outcome: 'returned', value }), (value) => ({ outcome: 'threw', value }));
  const first = await Promise.race([end, limit]);
  clearTimeout(timer);
  return first;
}

module.exports = { Sweep, runSweep };
