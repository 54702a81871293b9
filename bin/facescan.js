#!/usr/bin/env node
// This file is CommonJS, so that Node does not need to start the loader of ES modules before --version is printed.
const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  try {
    // Writes directly to file descriptor 1, because creating the stream of stdout takes longer than the rest of this file.
    require('node:fs').writeSync(1, `${require('../package.json').version}\n`)
    process.exit()
  } catch {
    // If this quick write of the version fails, the full program is loaded and prints the version. It waits if a pipe is full, and reports
    // other errors.
    loadProgram().run(argv).catch(reportUnloaded)
  }
} else {
  loadProgram().run(argv).catch(reportUnloaded)
}

function loadProgram() {
  const bundle = require('node:path').join(__dirname, '../dist/cli.cjs')
  if (require('node:fs').existsSync(bundle)) return require(bundle)
  process.stderr.write(
    `error: facescan is not built. Run: npm --prefix ${require('node:path').dirname(__dirname)} run setup\n`,
  )
  process.exit(1)
}

/** Reports that a file of the program cannot be read, for example during an upgrade. Other errors are reported by the loaded program. */
function reportUnloaded(error) {
  if (!['MODULE_NOT_FOUND', 'EMFILE', 'ENFILE'].includes(error?.code)) throw error
  process.stderr.on('error', () => undefined)
  process.stderr.write(`error: facescan cannot load its files (${error.code})\n`)
  process.exitCode = 13
}
