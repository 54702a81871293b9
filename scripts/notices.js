// Writes the licenses of the bundled packages, and a bill of materials in CycloneDX format.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const chunks = JSON.parse(readFileSync('dist/meta.json', 'utf8'))
const { name: packageName, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Folders of the packages with at least one module in the bundle. */
function bundledFolders() {
  const paths = Object.values(chunks).flat()
  const folders = paths.map((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0])
  return [...new Set(folders.filter(Boolean))].sort()
}

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (!license) throw new Error(`${name} is bundled and has no license`)
  return { name, version, license, text: texts.join('\n\n') || `License: ${license}` }
}

function billOfMaterials(packages) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const whole = JSON.parse(
    execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  const bundled = new Set(packages.map(({ name, version }) => `${name}@${version}`))
  const components = whole.components
    .filter(({ name, version }) => bundled.has(`${name}@${version}`) || name in optionalDependencies)
    .map((component) => (component.name in optionalDependencies ? component : asRequired(component)))
  whole.metadata.component.name = packageName
  const shipped = new Set([whole.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])])
  const dependencies = whole.dependencies
    .filter(({ ref }) => shipped.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((target) => shipped.has(target)) }))
  return { ...whole, components, dependencies }
}

/** Lists a bundled package as a required component, although npm lists it as a development dependency. */
function asRequired({ properties: _, ...component }) {
  return { ...component, scope: 'required' }
}

const packages = bundledFolders().map(describe)
const notices = packages.map(({ name, version, text }) => `${name} ${version}\n\n${text}\n`)
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', notices.join(`\n${'-'.repeat(80)}\n\n`))
writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(billOfMaterials(packages), null, 2)}\n`)
