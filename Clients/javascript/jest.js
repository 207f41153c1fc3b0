'use strict';
/* global afterAll */
const { lanes } = require('./lib/lanes');

/** Lanes for tests of jest: the mock starts with the first test of the file and ends after the last one. */
module.exports = { useMock: lanes((end) => afterAll(end)) };
