import { z } from 'zod'

const mostHeaders = 20

/** Headers of the transport or of the request itself. Setting them would break the request or send it elsewhere. */
const reserved = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'origin',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
])

/** In small letters, as they are compared: header names have no case (RFC 9110). */
const HeaderName = z
  .string()
  .trim()
  .max(100, 'The name of a header has at most 100 characters.')
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'The name of a header has letters, digits and hyphens.')
  .transform((name) => name.toLowerCase())
  .refine(
    (name) => !reserved.has(name) && !name.startsWith('sec-'),
    'This header is reserved and cannot be set.',
  )

const HeaderValue = z
  .string()
  .trim()
  .min(1, 'Enter the value of the header.')
  .max(4_096, 'The value of a header has at most 4,096 characters.')
  .regex(/^[\x20-\x7e]+$/, 'The value of a header must be one line of ASCII characters.')

/** Headers to set and to remove (null). Headers that are not named stay unchanged. */
export const HeaderChanges = z
  .record(HeaderName, HeaderValue.nullable())
  .refine(
    (headers) => Object.keys(headers).length <= mostHeaders,
    `At most ${mostHeaders} headers.`,
  )
export type HeaderChanges = z.output<typeof HeaderChanges>

/** Returns the headers after a change. Throws nothing; the caller refuses too many. */
export function changedHeaders(
  stored: Record<string, string>,
  changes: HeaderChanges,
): Record<string, string> {
  const kept = Object.entries(stored).filter(([name]) => !Object.hasOwn(changes, name))
  const set = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  )
  return Object.fromEntries([...kept, ...set].toSorted(([a], [b]) => a.localeCompare(b, 'en')))
}

export const tooManyHeaders = (headers: Record<string, string>): boolean =>
  Object.keys(headers).length > mostHeaders
