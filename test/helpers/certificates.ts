import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

x509.cryptoProvider.set(webcrypto as never)

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 86_400_000

export interface Issued {
  cert: string
  key: string
}

export interface Authority {
  /** Certificate of the authority, in PEM format. */
  cert: string
  /** Issues a server certificate that is valid from yesterday until `days` from now. */
  issue(names: readonly string[], days?: number): Promise<Issued>
}

export async function createAuthority(name: string): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 30 * dayMs),
    notAfter: new Date(Date.now() + 30 * dayMs),
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  })
  return {
    cert: own.toString('pem'),
    async issue(names, days = 10) {
      const subject = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
      const certificate = await x509.X509CertificateGenerator.create({
        subject: `CN=${names[0]}`,
        issuer: own.subject,
        publicKey: subject.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        notBefore: new Date(Date.now() - 20 * dayMs),
        notAfter: new Date(Date.now() + days * dayMs),
        extensions: [
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: /^[\d.]+$/.test(value) ? 'ip' : 'dns', value })),
          ),
        ],
      })
      const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', subject.privateKey)).toString(
        'base64',
      )
      return {
        cert: certificate.toString('pem'),
        key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`,
      }
    },
  }
}
