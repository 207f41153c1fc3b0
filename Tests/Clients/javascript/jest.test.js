'use strict';
/* global test */
const { useMock } = require('../../../Clients/javascript/jest');
require('./checks')(test, useMock);
