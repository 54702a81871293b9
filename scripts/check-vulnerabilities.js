// Checks the packages in the lock file against the security advisories of the registry.
//   exit code 0: no known vulnerability; 1: at least one; 75: the registry did not answer, so nothing was checked
import { spawnSync } from 'node:child_process'

// .npmrc turns audits off for installations, so the check turns them on.
const { stdout, stderr } = spawnSync('npm', ['audit', '--audit=true', '--json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
const { vulnerabilities, metadata, message = stderr.trim() } = parse(stdout)
const total = metadata?.vulnerabilities?.total
if (total === 0) console.log('No known vulnerabilities.')
else if (total > 0) {
  for (const { name, severity, range } of Object.values(vulnerabilities))
    console.log(`${severity}: ${name} ${range}`)
  console.log(`${total} vulnerable packages. Details: npm audit --audit=true`)
  process.exitCode = 1
} else {
  console.log(`The registry did not answer, so nothing was checked: ${message}`)
  process.exitCode = 75
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
