import { Lane, LaneSettings, Mock, StartOptions } from './index';

/** What `test.extend` takes. */
export function laneFixtures(contract?: string | string[], options?: StartOptions & { url?: string }): {
  laneSettings: [LaneSettings, { option: true }];
  understudy: [({}: {}, use: (mock: Mock) => Promise<void>) => Promise<void>, { scope: 'worker' }];
  lane: ({}: { understudy: Mock; laneSettings: LaneSettings }, use: (lane: Lane) => Promise<void>, testInfo: any) => Promise<void>;
};
