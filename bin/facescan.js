#!/usr/bin/env node
// CommonJS, so that --version costs no more than Node itself: the loader of ES modules starts with the program.
const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  const text = `${require('../package.json').version}\n`
  try {
    // The stream of stdout takes longer to make than all the rest.
    require('node:fs').writeSync(1, text)
    process.exit()
  } catch {
    process.stdout.on('error', ({ code, message }) => {
      if (code === 'EPIPE') return
      process.exitCode = 13
      process.stderr.write(`error: the output could not be written: ${message}\n`)
    })
    process.stdout.write(text)
  }
} else {
  require('../dist/cli.cjs').run(argv)
}
