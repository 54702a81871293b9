// Where the single executable begins; the package begins in bin/facescan.js.
import { run } from '../src/run.ts'

run(process.argv.slice(2))
