'use strict';
const { test } = require('node:test');
const { useMock } = require('../../../Clients/javascript/node-test');
require('./checks')(test, useMock);
