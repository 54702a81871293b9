import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls, type PeerCertificate } from 'node:tls'
import { openTunnel } from './proxy.ts'

const timeoutMs = 5_000

/** Describes the certificate of a host over a second connection. Undefined if the certificate cannot be read. */
export async function describeCertificate(
  url: URL,
  proxy: URL | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const address = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 443) }
    const socket = proxy ? await openTunnel(url, proxy, { signal: limit }) : connectTcp(address)
    return describe(await readCertificate(url, socket, limit))
  } catch {
    return undefined
  }
}

async function readCertificate(url: URL, socket: Socket, signal: AbortSignal): Promise<PeerCertificate> {
  // No data is sent over this connection, so an untrusted certificate is safe.
  const options = { socket, servername: isName(url) ? url.hostname : '', rejectUnauthorized: false }
  const secured = connectTls(options).on('error', () => undefined)
  socket.on('error', (error) => secured.destroy(error))
  try {
    await once(secured, 'secureConnect', { signal })
    return secured.getPeerCertificate()
  } finally {
    secured.destroy()
    socket.destroy()
  }
}

/** Whether the host is a name. TLS does not allow an IP address as a server name. */
function isName(url: URL): boolean {
  return !url.hostname.startsWith('[') && !/^[\d.]+$/.test(url.hostname)
}

function describe({ subject, issuer, valid_to, subjectaltname }: PeerCertificate): string | undefined {
  if (!subject || !issuer) return undefined
  const names = subjectaltname?.replaceAll('DNS:', '').replaceAll('IP Address:', '') ?? nameOf(subject)
  return `The certificate is for ${names}, issued by ${nameOf(issuer)}, valid until ${valid_to}.`
}

function nameOf({ CN, O }: PeerCertificate['subject']): string {
  return [CN, O].flat().filter(Boolean).join(', ') || '(no name)'
}
