#!/usr/bin/env node
'use strict';
const { spawn } = require('node:child_process');
const { program } = require('..');

let path;
try {
  path = program();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exit(70);
}

const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
child.on('error', (error) => {
  console.error(`error: ${path} cannot be run: ${error.message}`);
  process.exit(70);
});
for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP']) {
  // A terminal sends Ctrl-C to both; a second one would mean something else.
  const isFromTerminal = () => process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT');
  process.on(signal, () => isFromTerminal() || child.kill(signal));
}
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
