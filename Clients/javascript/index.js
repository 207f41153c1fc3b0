'use strict';
const errors = require('./lib/errors');
const { Lane } = require('./lib/lane');
const { lanes } = require('./lib/lanes');
const { Mock, connectMock, startMock } = require('./lib/mock');
const { program } = require('./lib/program');
const { Request } = require('./lib/request');
const { Sweep } = require('./lib/sweep');

const { LaneFailed, LaneLimit, MockNotStarted, MockRefused, MockUnreachable, MockUnsupported, NoRequest, UnderstudyError } = errors;

// Names in this form are those of `import { startMock } from 'understudy-mock'` too.
module.exports = {
  Lane, LaneFailed, LaneLimit, Mock, MockNotStarted, MockRefused, MockUnreachable, MockUnsupported, NoRequest, Request, Sweep,
  UnderstudyError, connectMock, lanes, program, startMock,
};
