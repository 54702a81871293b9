// Builds build/facescan_VERSION_ARCH.deb from the executable, the manual, the completions, and the licenses.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const { version, description } = JSON.parse(readFileSync('package.json', 'utf8'))
const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch]
const root = 'build/deb'

// Building the executable takes half a minute, so an existing executable is used.
execFileSync(process.execPath, ['scripts/bundle/build.js'], { stdio: 'inherit' })
execFileSync(process.execPath, ['scripts/notices.js'], { stdio: 'inherit' })
if (!existsSync('build/facescan')) {
  execFileSync(process.execPath, ['scripts/build-binary.js'], { stdio: 'inherit' })
}

rmSync(root, { recursive: true, force: true })
put('build/facescan', 'usr/bin/facescan', 0o755)
put('completions/facescan.bash', 'usr/share/bash-completion/completions/facescan')
put('completions/_facescan', 'usr/share/zsh/vendor-completions/_facescan')
put('completions/facescan.fish', 'usr/share/fish/vendor_completions.d/facescan.fish')
put('LICENSE', 'usr/share/doc/facescan/copyright')
put('dist/THIRD-PARTY-LICENSES.txt', 'usr/share/doc/facescan/THIRD-PARTY-LICENSES.txt')
for (const page of readdirSync('dist/man')) {
  write(`usr/share/man/man1/${page}.gz`, gzipSync(readFileSync(join('dist/man', page)), { level: 9 }))
}
write(
  'DEBIAN/control',
  `Package: facescan
Version: ${version}
Architecture: ${architecture}
Maintainer: The facescan-cli contributors <facescan@localhost>
Section: utils
Priority: optional
Depends: libc6 (>= 2.28), libstdc++6
Suggests: gnome-keyring
Description: ${description}
 One executable that needs no Node.js; "facescan demo" is a tour without network.
`,
)
const file = `build/facescan_${version}_${architecture}.deb`
execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Zgzip', '-z6', root, file], {
  stdio: ['ignore', 2, 2],
})
rmSync(root, { recursive: true })

function put(from, to, mode) {
  write(to, readFileSync(from), mode)
}

function write(to, content, mode = 0o644) {
  const path = join(root, to)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  // The umask changes the mode of new files, so the mode is set here.
  chmodSync(path, mode)
}
