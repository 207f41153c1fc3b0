/// <reference types="node" />

/** A time: `500ms`, `2s`, `5m`, `1h`, or a number of milliseconds. */
export type Duration = string | number;

/** A cell: a status, a meaning or a fixture; `'401*2'` is for two requests, `'500@20%'` for a fifth of them. */
export type Cell = number | string;

export interface LaneSettings {
  name?: string;
  scenario?: string | null;
  /** The state in which the machine of the scenario begins, or those of several machines by their names. */
  state?: string | Record<string, string>;
  seed?: string;
  /** Samples, new for each request, in place of fixtures and examples. */
  dynamic?: boolean;
  force?: Record<string, Cell>;
  fault?: string | string[];
  delay?: string | string[];
  checks?: ClientCheck | ClientCheck[];
  advance?: Duration;
  stopClock?: boolean;
  /** Ends requests that wait longer for their answer. */
  limit?: Duration;
  /** 0 for a port of its own. */
  port?: number;
  /** Rules whose findings do not fail the test. */
  allow?: string | string[];
}

export type ClientCheck = string | Record<string, Record<string, unknown>>;

/** A documented cell, a response of its own, or with neither the usual one, perhaps with a delay or a fault. */
export interface Reply {
  status?: number;
  meaning?: string;
  fixture?: string;
  variant?: string;
  json?: unknown;
  text?: string;
  /** Whether placeholders such as `{{request.path.id}}` in the body and in headers are filled for each request. */
  template?: boolean;
  body?: string | Uint8Array;
  headers?: Record<string, string | string[]>;
  events?: StreamEvent[];
  delay?: Duration;
  fault?: string;
  times?: number;
}

export type StreamEvent = string | { event?: string; data: unknown } | { event?: string; text: string } | { pause: string }
  | { comment: true } | { event?: string; cut: unknown } | { end: 'stall' | 'drop' };

export interface ReplySequence extends Reply {
  steps?: (Reply | Cell)[];
  when?: Record<string, Record<string, unknown>>;
}

export interface ReplyState { number: number; operation: string; steps: string[]; answered: number; isOver: boolean }
export interface Finding { rule: string; severity: 'error' | 'warning' | 'info'; message: string; operation?: string; help?: string; requests?: string[] }
export interface UnusedReply { operation: string; message: string }
export interface Verdict {
  passed: boolean;
  requests: number;
  findings: Finding[];
  unused: UnusedReply[];
  /** The reasons that requests may be missing, so that the verdict is unknown. */
  unknown: string[];
  rules: string[];
}
export interface Operation { id: string; contract: string; method: string; path: string; cells: { status: string; meaning?: string; names: string[]; served: number }[] }
export interface Version { api: number; program: string; features: string[] }
export interface Exchange { method: string; url: string; requestBody?: string; status: number; headers: Record<string, string | string[] | undefined>; body: string }

/** A request that reached the mock, with its answer, without secrets. */
export class Request {
  /** Its number in the journal; absent for one that has not ended. */
  readonly number?: number;
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: string;
  /** Absent where the client has no response, or not yet. */
  readonly status?: number;
  readonly operation?: string;
  readonly findings: Finding[];
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly responseHeaders: Record<string, string>;
  readonly responseBody: Buffer;
  readonly text: string;
  readonly json: any;
  readonly fields: Record<string, any>;
  header(name: string): string | undefined;
  field(name: string): any;
}

/** A mock of its own for one test. */
/** A push message that a scenario has sent. */
export interface Push { name: string; content: unknown; recipient?: string; schema?: string; request: number; microseconds: number }

export class Lane {
  readonly name: string;
  readonly url: string;
  change(settings: Omit<LaneSettings, 'name' | 'port' | 'allow'>): Promise<void>;
  force(answers: Record<string, Cell>): Promise<void>;
  release(): Promise<void>;
  fault(operation: string, fault: string): Promise<void>;
  delay(operation: string, time: Duration): Promise<void>;
  mend(): Promise<void>;
  play(scenario: string | null, state?: string | Record<string, string>): Promise<void>;
  advance(time: Duration): Promise<void>;
  stopClock(): Promise<void>;
  checks(...checks: ClientCheck[]): Promise<void>;
  limit(time: Duration): Promise<void>;
  reply(operation: string | { method: string; path: string }, ...steps: (ReplySequence | Cell)[]): Promise<ReplyState>;
  replies(): Promise<ReplyState[]>;
  forgetReplies(): Promise<void>;
  /** The next request of an operation, at its arrival, within two seconds; throws `NoRequest`. */
  next(operation?: string, options?: { within?: Duration }): Promise<Request>;
  requests(operation?: string): Promise<Request[]>;
  expect(operation: string, count: { times?: number; atLeast?: number; atMost?: number }): Promise<void>;
  verdict(): Promise<Verdict>;
  pushes(): Promise<Push[]>;
  allow(...rules: string[]): void;
  reset(): Promise<void>;
  /** Runs a client once for each documented status of every operation that it calls, then for each hostile variant. */
  sweep(client: (lane: Lane) => unknown, options?: { within?: Duration; operations?: string[]; seed?: string }): Promise<Sweep>;
  close(): Promise<Verdict>;
  /** Closes the lane as the end of a test does: throws `LaneFailed` for findings of the client and unused replies. */
  finish(options?: { allow?: string[] }): Promise<Verdict>;
}

/** One response or event, and what the client did with it. */
export interface SweepRow {
  /** `readUser`, and for events of sockets `EVENT chat`. */
  operation: string;
  /** `status 401 firebaseTokenError`, `required-null /nick`, `html`. */
  variant: string;
  kind: string;
  /** The code of a documented response. */
  status?: number;
  outcome: 'returned' | 'threw' | 'hung';
  /** What it returned, or the error. */
  value?: unknown;
  /** The operations that it called next: `readUser x3`. */
  next: string[];
  requestsAfter: number;
  violations: string[];
  isUnusable: boolean;
}

/** The rows of a sweep, in the order of the runs. */
export class Sweep {
  readonly rows: SweepRow[];
  readonly kinds: string[];
  row(operation: string, variant: string): SweepRow;
  /** Throws `LaneFailed` with each row that an expectation refuses; `noHang` is expected without an option. */
  expect(expectations?: {
    noHang?: boolean; nothingSwallowed?: boolean; requestsObeyTheContract?: boolean;
    /** Kinds of variants, statuses and ranges of statuses: `['html', 401, [500, 599]]`. */
    throwsFor?: (string | number | [number, number])[];
    returnsFor?: string[]; callsAtMost?: number;
  }): void;
}

export class Mock {
  readonly url: string;
  version(): Promise<Version>;
  operations(): Promise<Operation[]>;
  lanes(): Promise<string[]>;
  lane(settings?: LaneSettings): Promise<Lane>;
  stop(): Promise<void>;
}

export interface StartOptions {
  fixtures?: string;
  /** A free one without it. */
  port?: number;
  /** Further arguments of `understudy serve`. */
  args?: string[];
  /** Milliseconds. */
  timeout?: number;
  onExchange?: (exchange: Exchange) => void;
}

/** Starts a mock of contracts; without any, of those of `understudy.yaml`. Throws `MockNotStarted`. */
export function startMock(contract?: string | string[], options?: StartOptions): Promise<Mock>;
/** A mock that runs already: at `url`, else at UNDERSTUDY_BASE_URL, else at http://127.0.0.1:4010. */
export function connectMock(url?: string, options?: Pick<StartOptions, 'timeout' | 'onExchange'>): Promise<Mock>;

/** Makes the body of a test from one that takes a lane. */
export interface UseLane {
  <Context extends unknown[]>(body: (lane: Lane, ...context: Context) => unknown): (...context: Context) => Promise<any>;
  <Context extends unknown[]>(settings: LaneSettings, body: (lane: Lane, ...context: Context) => unknown): (...context: Context) => Promise<any>;
}
export type UseMock = (contract?: string | string[], options?: StartOptions & { url?: string }) => UseLane;
/** Helpers for another test runner, whose `afterAll` runs a function after the tests of a file. */
export function lanes(afterAll: (end: () => Promise<void>) => unknown): UseMock;

/** The path of the program `understudy`. Throws if this platform has no package, or if npm did not install it. */
export function program(): string;

export class UnderstudyError extends Error {}
export class MockNotStarted extends UnderstudyError {}
export class MockUnreachable extends UnderstudyError {}
export class MockUnsupported extends UnderstudyError {}
export class MockRefused extends UnderstudyError { readonly status: number }
export class LaneLimit extends MockRefused {}
export class NoRequest extends UnderstudyError {}
export class LaneFailed extends UnderstudyError { readonly rules: string[]; readonly verdict?: Verdict }
