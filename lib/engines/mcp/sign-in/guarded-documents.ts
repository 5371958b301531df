import type { FetchLike } from '@modelcontextprotocol/client'
import { Agent, fetch } from 'undici'
import {
  EgressError,
  egressConnector,
  type ResolveHost,
} from '@/lib/engines/egress/egress-connector'
import { SignInError } from './sign-in-error'

const mostBytes = 64 * 1024
const mostRedirects = 3
const defaultMs = 15_000

type Guard = {
  /** Addresses in a private network, and http on this machine, are allowed. */
  privateAllowed: boolean
  /** Time for one document or answer, redirects included. */
  timeMs?: number
  resolve?: ResolveHost
}

type Answer = Awaited<ReturnType<typeof fetch>>

/**
 * Returns the `fetch` for everything that a sign-in asks for: metadata, tokens, registration and revocation. It goes only to
 * https and to checked addresses, also after a redirect, of which a POST follows none. Answers are JSON of at most 64 KiB. A
 * page where a document was expected counts as 404, because web apps answer every address with one. Rejects with SignInError.
 */
export function guardedDocuments({
  privateAllowed,
  timeMs = defaultMs,
  resolve,
}: Guard): FetchLike {
  return async (input, init = {}) => {
    const signal = AbortSignal.timeout(timeMs)
    const connect = egressConnector({ privateAllowed }, timeMs, resolve)
    // One agent a document: nothing of a sign-in stays open.
    const agent = new Agent({ connect })
    try {
      let url = new URL(input)
      for (let followed = 0; ; followed++) {
        requireAllowedScheme(url, privateAllowed)
        const answer = await fetch(url, {
          method: init.method ?? 'GET',
          headers: { ...Object.fromEntries(new Headers(init.headers)), 'user-agent': 'Toolgate' },
          body: bodyText(init.body),
          redirect: 'manual',
          dispatcher: agent,
          signal,
        })
        const target = redirectTarget(url, answer)
        if (target === null) return await documentOf(answer, init.method ?? 'GET')
        await answer.body?.cancel()
        if (init.method === 'POST' || followed === mostRedirects) throw redirected()
        url = target
      }
    } catch (error) {
      throw reachError(error, timeMs)
    } finally {
      await agent.destroy().catch(() => undefined)
    }
  }
}

function bodyText(body: unknown): string | null {
  if (body === null || body === undefined) return null
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  throw new TypeError('A request of a sign-in is text.')
}

/** Throws SignInError unless an address is https, or http on this machine where private addresses are allowed. */
export function requireAllowedScheme(url: URL, privateAllowed: boolean): void {
  if (url.username !== '' || url.password !== '') {
    const words =
      'An address of the sign-in has a user name or a password in it, so it was not opened. The operator of the server has to correct that.'
    throw new SignInError('blocked', words, url.host)
  }
  if (url.protocol === 'https:') return
  if (url.protocol === 'http:' && privateAllowed && isLoopback(url.hostname)) return
  const words =
    'An address of the sign-in does not start with https, so it was not opened. The operator of the server has to correct that.'
  throw new SignInError('blocked', words, `${url.protocol}//${url.host}`)
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    /^127(\.\d+){3}$/.test(host)
  )
}

function redirectTarget(from: URL, { status, headers }: Answer): URL | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null
  const location = headers.get('location')
  if (location === null || !URL.canParse(location, from.href)) return null
  return new URL(location, from)
}

/** Reads an answer as a whole. `null` for a member means that the member is absent. */
async function documentOf(answer: Answer, method: string): Promise<Response> {
  const bytes = await boundedBytes(answer)
  const { ok, status, statusText, headers } = answer
  const type = headers.get('content-type') ?? ''
  if (!ok || bytes.length === 0) {
    // An answer without a body may have no bytes at all.
    const body = status === 204 || status === 304 ? null : bytes
    return new Response(body, { status, statusText, headers: { 'content-type': type } })
  }
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    if (method === 'GET') return new Response(null, { status: 404 })
    throw new SignInError('unreadable', notJson, `${status} ${type.slice(0, 100)}`)
  }
  return Response.json(withoutNulls(bytes), { status })
}

async function boundedBytes({ body }: Answer): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.byteLength
    if (length > mostBytes) {
      const words =
        'The authorization server answered with more than 64 KiB, which was not read. Ask its operator, or use a token as a header.'
      throw new SignInError('unreadable', words)
    }
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

function withoutNulls(bytes: Uint8Array): unknown {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new SignInError('unreadable', notJson)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SignInError('unreadable', notJson)
  }
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null))
}

const notJson =
  'The authorization server answered with something that is no JSON document. Check the address of the server, or ask the operator.'

function redirected(): SignInError {
  const words =
    'The authorization server leads elsewhere more often than is followed. Ask its operator.'
  return new SignInError('blocked', words)
}

function reachError(error: unknown, timeMs: number): SignInError {
  if (error instanceof SignInError) return error
  const cause = error instanceof Error && error.cause ? error.cause : error
  const log = cause instanceof Error ? `${cause.name}: ${cause.message}`.slice(0, 300) : ''
  if (cause instanceof EgressError) return new SignInError('blocked', egressWords(cause), log)
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    const words = `The authorization server did not answer within ${Math.ceil(timeMs / 1000)} seconds. Try again later.`
    return new SignInError('unreachable', words, log)
  }
  const words =
    'The authorization server could not be reached. Check the network of this machine, or try again later.'
  return new SignInError('unreachable', words, log)
}

function egressWords({ refused }: EgressError): string {
  if (refused === 'private' || refused === 'loopback') {
    const place = refused === 'private' ? 'in a private network' : 'on this machine'
    return `An address of the sign-in is ${place}, so it was not opened. If that is intended, an admin can allow private addresses for this server.`
  }
  return 'An address of the sign-in is reserved or a cloud metadata service, so it was not opened. The operator of the server has to correct that.'
}
