'use strict';
const { connectMock, startMock } = require('./index');

/** Fixtures for `test.extend`: one mock a worker, and a lane a test, which fails with what its client broke. */
function laneFixtures(contract, options = {}) {
  return {
    laneSettings: [{}, { option: true }],
    // Playwright reads the names of the fixtures that one needs from this pattern.
    // eslint-disable-next-line no-empty-pattern
    understudy: [async ({}, use) => {
      const mock = options.url ? await connectMock(options.url) : await startMock(contract, options);
      try {
        await use(mock);
      } finally {
        await mock.stop();
      }
    }, { scope: 'worker' }],
    lane: async ({ understudy, laneSettings }, use, testInfo) => {
      const lane = await understudy.lane(laneSettings);
      await use(lane);
      if (testInfo.status === testInfo.expectedStatus) await lane.finish();
      else await lane.close();
    },
  };
}

module.exports = { laneFixtures };
