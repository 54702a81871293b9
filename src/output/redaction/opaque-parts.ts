/** URLs, and paths of the service without a host. Punctuation after a URL is not part of it. */
const urlPattern =
  /(?:\bhttps?:\/\/|(?<![\w/.-])\/v\d+\/)[^\s"'`<>\\\x00-\x1f\x7f]*[^\s"'`<>\\\x00-\x1f\x7f.,:;!?)\]}]/gi
const hostPattern = /^(https?:\/\/)([^/?#]*)/i
/** A parameter with its value, or a path segment. */
const partPattern = /([?&#;][^=&#;]*)=([^&#;]*)|([/?&#;])([^/?&#;]+)/g
/** Names of parameters whose value is always replaced. */
const secretName = /(?:id|token|jwt|sig|signature|key|code|secret|password|credential|auth|session|ticket)$/i
const pseudonymPattern = /^(?:id|external|customer|token)-[0-9a-f]{8}$/
const datePattern = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/

type Rename = (kind: 'id' | 'token', name: string) => string

/**
 * Replaces the parts of URLs that look random: host labels, path segments, parameter values. Signed URLs and unknown paths
 * contain tokens and IDs that no field name identifies.
 */
export function renameOpaqueParts(text: string, rename: Rename): string {
  return text.replace(urlPattern, (url) => {
    const [start = '', scheme = '', host = ''] = hostPattern.exec(url) ?? []
    return scheme + renameHost(host, rename) + renameParts(url.slice(start.length), rename)
  })
}

function renameHost(host: string, rename: Rename): string {
  const isAddress = /^\[|^[\d.]+(?::\d+)?$/.test(host)
  return isAddress
    ? host
    : host.replace(/[^.:@]+/g, (label) => (isOpaque(label) ? rename('token', label) : label))
}

function renameParts(rest: string, rename: Rename): string {
  return rest.replace(partPattern, (whole, name?: string, value = '', lead = '', segment = '') => {
    if (name === undefined) return lead + renameSegment(segment, rename)
    if (value === '' || pseudonymPattern.test(value)) return whole
    const isSecret = secretName.test(name) || isOpaque(value) || /^\d{8,}$/.test(value)
    return isSecret ? `${name}=${rename('token', value)}` : whole
  })
}

function renameSegment(segment: string, rename: Rename): string {
  if (/^\d+$/.test(segment)) return rename('id', segment)
  return isOpaque(segment) ? rename('token', segment) : segment
}

function isOpaque(part: string): boolean {
  const text = decode(part)
  if (pseudonymPattern.test(text) || datePattern.test(text)) return false
  return text.split(/[^A-Za-z0-9]+/).some(isRandomWord)
}

/** A long word, mixed letters and digits, mixed case, or no vowels. A version such as `v2` is not random. */
function isRandomWord(word: string): boolean {
  if (word.length < 6 || /^\d+$/.test(word)) return false
  if (/\d/.test(word)) return /\d{3}|\d[A-Za-z]|[A-Za-z]{16}/.test(word)
  const changesOfCase = word.match(/[a-z](?=[A-Z])/g)?.length ?? 0
  return word.length >= 20 || changesOfCase >= 2 || /^[^aeiouy]{7,}$/i.test(word)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
