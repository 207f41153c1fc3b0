'use strict';
const { after } = require('node:test');
const { lanes } = require('./lib/lanes');

/** Lanes for tests of `node:test`: the mock starts with the first test of the file and ends after the last one. */
module.exports = { useMock: lanes(after) };
