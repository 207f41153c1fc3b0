'use strict';
// What goes wrong, each with the next step in its message.

/** An error of the mock or of its client. */
class UnderstudyError extends Error {
  constructor(message) {
    super(message);
    this.name = this.constructor.name;
  }
}

/** The program is missing, or has ended before the mock listened. */
class MockNotStarted extends UnderstudyError {}

/** No mock answers at the address, or it has ended in the middle of a test. */
class MockUnreachable extends UnderstudyError {}

/** The mock is of another version, or lacks a feature that a call needs. */
class MockUnsupported extends UnderstudyError {}

/** The mock refuses a request, with the status and the detail of its problem document (RFC 9457). */
class MockRefused extends UnderstudyError {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** The mock has as many lanes as it allows. */
class LaneLimit extends MockRefused {}

/** A request that a test waits for has not arrived. */
class NoRequest extends UnderstudyError {}

/** The client broke the contract or a check, or a reply was not used (`test.reply-unused`). */
class LaneFailed extends UnderstudyError {
  constructor(message, rules = [], verdict = undefined) {
    super(message);
    this.rules = rules;
    this.verdict = verdict;
  }
}

module.exports = { UnderstudyError, MockNotStarted, MockUnreachable, MockUnsupported, MockRefused, LaneLimit, NoRequest, LaneFailed };
