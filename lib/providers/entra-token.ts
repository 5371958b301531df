import { createHash } from 'node:crypto'
import { type ConnectionSettings, defaultScope } from '@/lib/protocol/connection-settings'
import { authorityAddress } from '@/lib/protocol/wire-address'
import { objectAt, parseObject, textAt } from './json-value'
import { pooledFetch } from './pooled-fetch'
import type { ProviderOptions } from './provider'
import { HttpFailure, WireFailure } from './provider-error'
import { readJson } from './read-json'
import { unlessAborted } from './unless-aborted'

type Token = { text: string; usableUntil: number }

/** By tenant, app, scope and secret; a process keeps a token as long as it is good. */
const known = new Map<string, Promise<Token>>()
const mostKnown = 500

/** A token is exchanged for a new one this long before it ends, so that none ends on its way. */
const marginMs = 5 * 60_000
const longestLifeMs = 24 * 60 * 60_000

const storeSecret =
  'Check the tenant id and the client id, and store a new client secret as the key.'

/** The bearer tokens of one connection that signs in with a client secret (Microsoft Entra ID). */
export function entraTokens(options: ProviderOptions) {
  const { settings, apiKey } = options
  const key = createHash('sha256')
    .update(JSON.stringify([settings, apiKey, options.privateAddressAllowed]))
    .digest('base64url')
  const issued: string[] = []

  return {
    /** Everything that was given out here, for who removes secrets from logs. */
    issued: (): readonly string[] => issued,
    /** A token that is still good, asked for once for all who need it. Throws what `pooledFetch` throws, or WireFailure. */
    get: async (signal: AbortSignal): Promise<string> => {
      const { text } = await unlessAborted(currentToken(key, options), signal)
      if (!issued.includes(text)) issued.push(text)
      return text
    },
    /** After the provider refused it: the next one is a new one. */
    forget: (): void => void known.delete(key),
  }
}

async function currentToken(key: string, options: ProviderOptions): Promise<Token> {
  const kept = known.get(key)
  if (kept) {
    const token = await kept
    if (token.usableUntil > Date.now()) return token
    if (known.get(key) === kept) known.delete(key)
  }
  const asked = known.get(key) ?? requestToken(options)
  if (known.size >= mostKnown) known.clear()
  known.set(key, asked)
  // What failed is asked again by whoever needs it next.
  asked.catch(() => known.get(key) === asked && known.delete(key))
  return asked
}

/** Not bound to one run's signal: others may wait for the same token. The time limits of the transport end it. */
async function requestToken(options: ProviderOptions): Promise<Token> {
  const { settings, apiKey } = options
  const authority = authorityAddress({ wire: 'azure-openai', baseUrl: null, settings })
  const { tenantId, clientId } = settings
  if (!authority || !tenantId || !clientId || apiKey === null) throw incomplete()
  const send = pooledFetch({ ...options, headers: {} })
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: apiKey,
    scope: settings.scope ?? defaultScope,
  })
  const askedAt = Date.now()
  try {
    const answer = await send(`${authority}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'Toolgate',
      },
      body: body.toString(),
    })
    return readToken(await readJson(answer), askedAt)
  } catch (error) {
    if (error instanceof HttpFailure && [400, 401, 403, 404].includes(error.status)) {
      throw refused(error)
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

function incomplete(): WireFailure {
  return new WireFailure(
    'auth',
    `This connection has no client secret, so it cannot sign in with Microsoft Entra ID. ${storeSecret}`,
    null,
  )
}

/** The codes of Entra (AADSTS…) are for the log; the sentence says what an admin can change. */
function refused({ status, body }: HttpFailure): WireFailure {
  const error = textAt(parseObject(body) ?? {}, 'error').slice(0, 100)
  return new WireFailure(
    'auth',
    `Microsoft Entra ID refused to issue a token (HTTP ${status}). ${storeSecret}`,
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

/** Returns whether a connection signs in with Microsoft Entra ID. */
export function usesEntra(settings: ConnectionSettings): boolean {
  return authorityAddress({ wire: 'azure-openai', baseUrl: null, settings }) !== null
}
