#!/usr/bin/env node
// Old syntax only: this file must run on any Node, to say which one is needed instead of failing with a syntax error.
var needed = [22, 18]
var found = process.versions.node.split('.').map(Number)

if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  console.error('tao needs Node ' + needed.join('.') + ' or newer; this is Node ' + process.versions.node + '.')
  console.error('Install a newer one from https://nodejs.org, or with your version manager, such as: nvm install --lts')
  process.exit(2)
}

import('../dist/cli/main.js').catch((error) => {
  // A clone that was not built has the sources only, and they run as they are.
  var isMissing = error.code === 'ERR_MODULE_NOT_FOUND' && /dist\/cli\/main\.js'/.test(error.message)
  if (!isMissing) throw error
  return import('../src/cli/main.ts')
})
