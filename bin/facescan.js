#!/usr/bin/env node
// CommonJS, because Node starts the loader of ES modules later, when --version has already been printed.
const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  try {
    // Creating the stream of stdout takes longer than everything else here.
    require('node:fs').writeSync(1, `${require('../package.json').version}\n`)
    process.exit()
  } catch {
    // The program waits for a full pipe, and reports other errors.
    loadProgram().run(argv)
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
