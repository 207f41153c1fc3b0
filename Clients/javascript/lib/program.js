'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { MockNotStarted } = require('./errors');

// The package of each platform, which npm installs as an optional dependency.
const platforms = {
  'linux-x64': 'understudy-mock-linux-x64',
  'linux-arm64': 'understudy-mock-linux-arm64',
  'darwin-x64': 'understudy-mock-darwin-x64',
  'darwin-arm64': 'understudy-mock-darwin-arm64',
};

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Whether it is the script of this package, which would start itself. */
function isOwnScript(file) {
  return path.basename(fs.realpathSync(file)) === 'understudy.js';
}

/** The path of the program: that of the variable UNDERSTUDY, else of the package of this platform, else on PATH. */
function program() {
  const named = process.env.UNDERSTUDY;
  if (named) {
    if (isProgram(named)) return path.resolve(named);
    throw new MockNotStarted(`UNDERSTUDY names ${named}, which is not a program: set it to the path of \`understudy\``);
  }
  const platform = `${process.platform}-${process.arch}`;
  const name = platforms[platform];
  if (name) {
    try {
      return require.resolve(`${name}/bin/understudy`);
    } catch {
      // npm has not installed it; PATH may have another one.
    }
  }
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder || '.', 'understudy');
    if (isProgram(file) && !isOwnScript(file)) return file;
  }
  throw new MockNotStarted(
    name
      ? `${name} is not installed: install understudy-mock without --omit=optional, on this platform, or set UNDERSTUDY to the path of the program`
      : `understudy-mock has no program for ${platform}: set UNDERSTUDY to the path of one`);
}

module.exports = { program };
