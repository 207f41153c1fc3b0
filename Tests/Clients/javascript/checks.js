'use strict';
// The tests that the helpers of both test runners run: `test` is that of the runner, `useMock` its helper.
const assert = require('node:assert/strict');
const http = require('node:http');
const path = require('node:path');

const root = path.resolve(__dirname, '../../..');

/** The status of a response. */
function get(url, headers = {}) {
  return new Promise((resolve, reject) => {
    http.get(url, { headers, agent: false }, (response) => response.resume().on('end', () => resolve(response.statusCode))).on('error', reject);
  });
}

/** Runs the body of a test that must fail. */
async function failure(run, ...context) {
  try {
    await run(...context);
  } catch (error) {
    return error;
  }
  throw new Error('the test passed, but must fail');
}

module.exports = function checks(test, useMock) {
  const lane = useMock(path.join(root, 'specs/slp.yaml'), { fixtures: path.join(root, 'fixtures') });

  test('a lane answers with what is forced in it', lane({ force: { readUser: 406 } }, async (api) => {
    assert.equal(await get(`${api.url}/v1/user`, { idtoken: 't' }), 406);
    assert.equal((await api.next('readUser')).status, 406);
  }));

  test('a test without settings gets a lane', lane(async (api) => {
    assert.equal(await get(`${api.url}/v1/user`, { idtoken: 't' }), 200);
  }));

  test('replies answer in turn', lane({ allow: 'req.security.missing' }, async (api) => {
    await api.reply('readUser', 401, { status: 418, text: 'tea' });
    assert.deepEqual([await get(`${api.url}/v1/user`), await get(`${api.url}/v1/user`)], [401, 418]);
  }));

  test('a request that breaks the contract fails its test, with the exchange', async () => {
    const error = await failure(lane(async (api) => void (await get(`${api.url}/v1/user`))));
    assert.deepEqual(error.rules, ['req.security.missing']);
    assert.match(error.message, /GET \/v1\/user/);
  });

  test('a reply that no request has met fails its test', async () => {
    const error = await failure(lane((api) => api.reply('readUser', 401)));
    assert.deepEqual(error.rules, ['test.reply-unused']);
  });

  test('a body that throws fails with its own error, and leaves no lane', async () => {
    const error = await failure(lane(async () => {
      throw new Error('own');
    }));
    assert.equal(error.message, 'own');
  });

  test('a test that forgets to await its client fails', async () => {
    let send;
    const later = new Promise((resolve) => (send = resolve));
    const error = await failure(lane(async (api) => {
      await api.reply('readUser', 401);
      later.then(() => get(`${api.url}/v1/user`));
    }));
    assert.deepEqual(error.rules, ['test.reply-unused']);
    assert.ok(send);
  });
};
