import { createHash, createHmac } from 'node:crypto'

type Signed = {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string
}

const header =
  /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/(\w+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/

const mostSkewMs = 5 * 60_000

/**
 * Returns what is wrong with the Signature Version 4 of a request; null = nothing. Computes it from Amazon's
 * description (Signature Version 4 signing process, read on 2026-11-23) with the secret that both sides know.
 */
export function signatureProblem({ method, path, headers, body }: Signed, secret: string) {
  const [, , day, region, service, names, given] = header.exec(headers.authorization ?? '') ?? []
  if (!day || !region || !service || !names || !given) return 'MissingAuthenticationToken'
  const time = headers['x-amz-date'] ?? ''
  const at = Date.parse(
    time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
  if (!(Math.abs(Date.now() - at) < mostSkewMs) || !time.startsWith(day)) return 'InvalidSignature'
  const signed = names.split(';')
  const needed = ['host', 'x-amz-date', ...(headers['content-type'] ? ['content-type'] : [])]
  if (needed.some((name) => !signed.includes(name))) return 'IncompleteSignature'
  const [place = '', search = ''] = path.split('?')
  const query = [...new URLSearchParams(search)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const request = [
    method,
    place.split('/').map(encode).join('/'),
    query,
    ...signed.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    names,
    hash(body),
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, hash(request)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<Buffer | string>(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    `AWS4${secret}`,
  )
  const expected = createHmac('sha256', key).update(text).digest('hex')
  return expected === given ? null : 'SignatureDoesNotMatch'
}

/** Encodes a path, which is signed with one more encoding than it is sent with. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
