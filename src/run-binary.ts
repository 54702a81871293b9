import { run } from './run.ts'

/** Entry of the single executable. */
void run(process.argv.slice(2))
