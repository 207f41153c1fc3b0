'use strict';
// Finds the program in the package of this platform, which npm installs as an optional dependency.
const platforms = {
  'linux-x64': 'understudy-mock-linux-x64',
  'linux-arm64': 'understudy-mock-linux-arm64',
  'darwin-x64': 'understudy-mock-darwin-x64',
  'darwin-arm64': 'understudy-mock-darwin-arm64',
};

/** The path of the program `understudy`. Throws if this platform has no package, or if npm did not install it. */
function program() {
  const platform = `${process.platform}-${process.arch}`;
  const name = platforms[platform];
  if (!name) throw new Error(`understudy-mock has no program for ${platform}`);
  try {
    return require.resolve(`${name}/bin/understudy`);
  } catch {
    throw new Error(`${name} is not installed: install understudy-mock without --omit=optional, on this platform`);
  }
}

module.exports = { program };
