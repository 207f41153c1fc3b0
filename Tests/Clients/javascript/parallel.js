#!/usr/bin/env node
'use strict';
// Runs many tests with a lane each against one mock: parallel.js [TESTS] [ROUNDS]
//
// No lane has the request of another one, and none is left at the end.
const assert = require('node:assert/strict');
const http = require('node:http');
const path = require('node:path');

const root = path.resolve(__dirname, '../../..');
const { startMock } = require(path.join(root, 'Clients/javascript'));

function get(url) {
  return new Promise((resolve, reject) => {
    http.get(url, { agent: false }, (response) => response.resume().on('end', () => resolve(response.statusCode))).on('error', reject);
  });
}

/** One test: its answers are its own, and its requests those that it has sent. */
async function run(mock, number) {
  const lane = await mock.lane();
  const expected = number % 2 ? [404, 200] : [200, 404];
  await lane.reply('readPet', ...expected);
  const url = `${lane.url}/api/pets/${number}`;
  assert.deepEqual([await get(url), await get(url)], expected);
  const paths = (await lane.requests()).map((request) => request.path);
  assert.deepEqual(paths, [`/api/pets/${number}`, `/api/pets/${number}`]);
  await lane.finish();
}

async function main([tests = 200, rounds = 20]) {
  const begin = Date.now();
  const mock = await startMock(path.join(root, 'specs/petstore.yaml'), { fixtures: path.join(root, 'fixtures'), args: ['--quiet'] });
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(Array.from({ length: tests }, (_, index) => run(mock, index + 1)));
    assert.deepEqual(await mock.lanes(), ['default']);
  }
  await mock.stop();
  console.log(`JavaScript: ${tests} parallel tests, ${rounds} times: ${(Date.now() - begin) / 1000} s, no lane is left`);
}

main(process.argv.slice(2).map(Number));
