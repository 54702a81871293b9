#!/usr/bin/env node
// CommonJS, because Node starts the loader of ES modules later, when --version has already been printed.
const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  const text = `${require('../package.json').version}\n`
  try {
    // Creating the stream of stdout takes longer than everything else here.
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
  loadProgram().run(argv)
}

function loadProgram() {
  const bundle = require('node:path').join(__dirname, '../dist/cli.cjs')
  if (require('node:fs').existsSync(bundle)) return require(bundle)
  process.stderr.write(
    `error: facescan is not built. Run: npm --prefix ${require('node:path').dirname(__dirname)} run setup\n`,
  )
  process.exit(1)
}
