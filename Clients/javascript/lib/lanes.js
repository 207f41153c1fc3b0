'use strict';
const { connectMock, startMock } = require('./mock');

/**
 * What the helpers of each test runner are made of: `afterAll` runs a function after the tests of a file.
 *
 * The mock starts with the first test, so that a run of other tests does not wait for it.
 */
function lanes(afterAll) {
  return function useMock(contract, options = {}) {
    let mock;
    afterAll(async () => {
      const started = await mock?.catch(() => undefined);
      await started?.stop();
    });
    return (...parameters) => {
      const body = parameters.pop();
      const [settings] = parameters;
      if (typeof body !== 'function') throw new TypeError('expected the body of a test: lane({ force: ... }, async (lane) => { ... })');
      // A function that declares parameters would wait for a callback.
      return async function (...context) {
        mock ??= options.url ? connectMock(options.url) : startMock(contract, options);
        const lane = await (await mock).lane(settings);
        let result;
        try {
          result = await body(lane, ...context);
        } catch (error) {
          await lane.close().catch(() => undefined);
          throw error;
        }
        await lane.finish();
        return result;
      };
    };
  };
}

module.exports = { lanes };
