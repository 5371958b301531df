import { createHash } from 'node:crypto'
import {
  authorityAddress,
  type ConnectionAddress,
} from '@/lib/domains/connections/shared/wire-address'
import { rootOf } from '@/lib/engines/providers/failures/classify-failure'
import { HttpFailure, WireFailure } from '@/lib/engines/providers/failures/provider-error'
import type { ProviderOptions } from '@/lib/engines/providers/provider'
import { objectAt, parseObject, textAt } from '@/lib/engines/providers/request/json-value'
import { pooledFetch } from './pooled-fetch'
import { readJson } from './read-json'
import { type TokenExchange, tokenExchange } from './token-exchange'
import { unlessAborted } from './unless-aborted'
import { wireFetch } from './wire-fetch'

type Token = { text: string; usableUntil: number }

/** By what a token is asked for with; a process keeps a token as long as it is good. */
const known = new Map<string, Promise<Token>>()
const mostKnown = 500

/** A token is exchanged for a new one this long before it ends, so that none ends on its way. */
const marginMs = 5 * 60_000
const longestLifeMs = 24 * 60 * 60_000

type Fetch = ReturnType<typeof wireFetch>

/** Credentials with which requests of a connection identify their sender. */
export type Access = {
  options: ProviderOptions
  /** `more` = further headers of this request. */
  fetch: (...given: [...Parameters<Fetch>, more?: Record<string, string>]) => Promise<Response>
  /** Asks, and once more with a new token when the first was refused. */
  withFreshToken: <T>(ask: () => Promise<T>, mayResend?: () => Promise<boolean>) => Promise<T>
}

/**
 * Returns the key as a header of that name or, if the settings say so, a token that is issued in exchange for the key.
 */
export function accessOf(
  wire: ConnectionAddress['wire'],
  options: ProviderOptions,
  keyHeader: string,
): Access {
  const { apiKey, settings } = options
  const keyless = { ...options, apiKey: null }
  if (authorityAddress({ wire, settings }) === null) {
    const own: Record<string, string> = apiKey === null ? {} : { [keyHeader]: apiKey }
    const plain = wireFetch(keyless, own)
    return {
      options,
      fetch: (input, init, more) =>
        (more ? wireFetch(keyless, { ...own, ...more }) : plain)(input, init),
      withFreshToken: (ask) => ask(),
    }
  }
  const tokens = options.insteadOfSending ? noTokens(options) : bearerTokens(wire, options)
  return {
    options: { ...options, issuedSecrets: tokens.issued },
    fetch: async (input, init = {}, more = {}) => {
      const signal = init.signal ?? new AbortController().signal
      const authorization = `Bearer ${await tokens.get(signal)}`
      return wireFetch(keyless, { authorization, ...more })(input, init)
    },
    withFreshToken: async (ask, mayResend) => {
      try {
        return await ask()
      } catch (error) {
        if (!isRefused(error)) throw error
        tokens.forget()
        if (mayResend && !(await mayResend())) throw error
        return ask()
      }
    },
  }
}

/** Gives the key in the place of a token, for a request that is not sent. */
function noTokens({ apiKey }: ProviderOptions): ReturnType<typeof bearerTokens> {
  return { issued: () => [], get: async () => apiKey ?? '', forget: () => undefined }
}

/** Returns whether the token was refused. The official clients wrap what our `fetch` threw. */
function isRefused(error: unknown): boolean {
  const root = rootOf(error)
  return root instanceof HttpFailure && root.status === 401
}

/** Returns the bearer tokens of one connection whose key is exchanged for them. */
function bearerTokens(wire: ConnectionAddress['wire'], options: ProviderOptions) {
  const { settings, apiKey, privateAddressAllowed } = options
  const key = createHash('sha256')
    .update(JSON.stringify([wire, settings, apiKey, privateAddressAllowed]))
    .digest('base64url')
  const issued: string[] = []

  return {
    /** Everything that was given out here, for who removes secrets from logs. */
    issued: (): readonly string[] => issued,
    /**
     * A token that is still good, asked for once for all who need it. Throws what `pooledFetch` throws, or WireFailure.
     */
    get: async (signal: AbortSignal): Promise<string> => {
      const { text } = await unlessAborted(currentToken(key, wire, options), signal)
      if (!issued.includes(text)) issued.push(text)
      return text
    },
    /** After the provider refused it: the next one is a new one. */
    forget: (): void => void known.delete(key),
  }
}

async function currentToken(
  key: string,
  wire: ConnectionAddress['wire'],
  options: ProviderOptions,
): Promise<Token> {
  const kept = known.get(key)
  if (kept) {
    const token = await kept
    if (token.usableUntil > Date.now()) return token
    if (known.get(key) === kept) known.delete(key)
  }
  const token = known.get(key) ?? requestToken(wire, options)
  if (known.size >= mostKnown) known.clear()
  known.set(key, token)
  // A failed exchange is forgotten, so the next request tries it again.
  token.catch(() => known.get(key) === token && known.delete(key))
  return token
}

/**
 * Requests a token. It does not stop with one run, because others may wait for the same token; the transport's time
 * limits end it.
 */
async function requestToken(
  wire: ConnectionAddress['wire'],
  options: ProviderOptions,
): Promise<Token> {
  const exchange = tokenExchange(wire, options)
  // Headers and limits of the connection are for the provider alone.
  const { onHeaders: _, ...others } = options
  // A trust zone is about what a model is sent; the issuer gets nothing of that.
  const send = pooledFetch({ ...others, headers: {}, publicAddressRefused: false })
  const askedAt = Date.now()
  try {
    const answer = await send(exchange.url, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'Toolgate',
      },
      body: new URLSearchParams(exchange.form).toString(),
    })
    return readToken(await readJson(answer), askedAt)
  } catch (error) {
    if (error instanceof HttpFailure && [400, 401, 403, 404].includes(error.status)) {
      throw refused(error, exchange)
    }
    throw error
  }
}

function readToken(answer: unknown, askedAt: number): Token {
  const body = objectAt({ answer }, 'answer')
  const text = textAt(body, 'access_token')
  const seconds = Number(body.expires_in)
  if (!/^[\x21-\x7e]+$/.test(text) || !(seconds > 0)) throw noToken()
  const lifeMs = Math.min(seconds * 1000, longestLifeMs)
  return { text, usableUntil: askedAt + lifeMs - Math.min(marginMs, lifeMs / 2) }
}

/**
 * Returns the failure. The issuer's own words (AADSTS…, invalid_grant) go to the log; the sentence says what an admin
 * can change.
 */
function refused({ status, body }: HttpFailure, { issuer, advice }: TokenExchange): WireFailure {
  const error = textAt(parseObject(body) ?? {}, 'error').slice(0, 100)
  return new WireFailure(
    'auth',
    `${issuer} refused to issue a token (HTTP ${status}). ${advice}`,
    { error, body },
    status,
  )
}

function noToken(): WireFailure {
  return new WireFailure(
    'invalid-response',
    'The sign-in address answered without a token. Check the sign-in address of the connection.',
    null,
  )
}
