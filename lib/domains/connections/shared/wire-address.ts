import { z } from 'zod'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import {
  awsRegion,
  type ConnectionSettings,
  defaultAuthority,
  googleAuthority,
  settingValue,
  vertexLocation,
} from './connection-settings'

/** The fields that say where a connection leads. */
export type ConnectionAddress = {
  wire: ModelTarget['wire']
  baseUrl: string | null
  settings: ConnectionSettings
}

/**
 * Returns the address of an API type whose connection has none; null = it has no default address, or (the demo) needs
 * none.
 */
export function wireAddress({
  wire,
  settings,
}: Pick<ConnectionAddress, 'wire' | 'settings'>): string | null {
  switch (wire) {
    case 'openai':
      return 'https://api.openai.com/v1'
    case 'anthropic':
      return 'https://api.anthropic.com'
    case 'gemini':
      return settings.authentication === 'service-account'
        ? vertexAddress(settings.location ?? '')
        : 'https://generativelanguage.googleapis.com'
    case 'ollama':
      return 'http://127.0.0.1:11434'
    case 'bedrock':
      return bedrockAddress(settings.region ?? '')
    case 'openai-compatible':
    case 'azure-openai':
    case 'demo':
      return null
    default:
      return wire satisfies never
  }
}

/** Returns the address of a region; none for a region that is not complete. */
function bedrockAddress(region: string): string | null {
  if (!awsRegion.test(region)) return null
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return `https://bedrock-runtime.${region}.${suffix}`
}

function vertexAddress(location: string): string | null {
  if (!vertexLocation.test(location)) return null
  if (location === 'global') return 'https://aiplatform.googleapis.com'
  const isContinent = location === 'eu' || location === 'us'
  return isContinent
    ? `https://aiplatform.${location}.rep.googleapis.com`
    : `https://${location}-aiplatform.googleapis.com`
}

const authorities: Partial<
  Record<ModelTarget['wire'], { authentication: string; byDefault: string }>
> = {
  'azure-openai': { authentication: 'entra', byDefault: defaultAuthority },
  gemini: { authentication: 'service-account', byDefault: googleAuthority },
}

/** Returns where the key of a connection is exchanged for a token; null = it is sent to the provider itself. */
export function authorityAddress({
  wire,
  settings,
}: Pick<ConnectionAddress, 'wire' | 'settings'>): string | null {
  const known = authorities[wire]
  if (!known || settingValue(wire, settings, 'authentication') !== known.authentication) return null
  return settingValue(wire, settings, 'authority') ?? known.byDefault
}

const pem =
  /^-----BEGIN (RSA )?PRIVATE KEY-----\n[A-Za-z0-9+/=\r\n]+-----END \1?PRIVATE KEY-----\n?$/

/** Used parts of the JSON key file of a Google service account. Its addresses are ignored: a file may name any. */
const KeyFile = z.object({
  type: z.literal('service_account'),
  // The last field is the one whose end is shown, so never the key itself.
  private_key: z.string().max(8_192).regex(pem),
  client_email: z
    .string()
    .max(320)
    .regex(/^[\w.+-]+@[\w.-]+$/),
  private_key_id: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .optional(),
})
export type ServiceAccountKey = z.output<typeof KeyFile>

/** Reads the key file of a service account; null when the text is none. */
export function readServiceAccountKey(text: string): ServiceAccountKey | null {
  if (!looksLikeKeyFile(text)) return null
  try {
    return KeyFile.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Returns whether somebody pasted JSON instead of a key of one line. */
export function looksLikeKeyFile(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/** Returns whether the key of a connection only signs, and is never sent itself. */
export function signsWithKeyFile(wire: ModelTarget['wire'], settings: ConnectionSettings): boolean {
  return wire === 'gemini' && settingValue(wire, settings, 'authentication') === 'service-account'
}

/**
 * Returns where the secrets of a connection may be sent: scheme, host and port of its address, or its API type's own,
 * and of the place where its key becomes a token. Null = nowhere (the demo). Secrets that were entered for one are
 * never sent to another.
 */
export function secretsHost(address: ConnectionAddress): string | null {
  const origin = urlOf(address)?.origin ?? null
  // A key that only signs must never be sent itself, not even to the same host.
  if (origin !== null && sendsBearer(address)) return `${origin} (as a bearer token)`
  const authority = authorityAddress(address)
  if (origin === null || authority === null || !URL.canParse(authority)) return origin
  const both = `${origin} and ${new URL(authority).origin}`
  return signsWithKeyFile(address.wire, address.settings) ? `${both} (as a signature)` : both
}

function sendsBearer({ wire, settings }: ConnectionAddress): boolean {
  return wire === 'bedrock' && settings.authentication === 'bearer'
}

/** Returns the host alone in lower case, which a trust zone applies to; null = nothing is sent anywhere. */
export function connectionHost(address: ConnectionAddress): string | null {
  return urlOf(address)?.hostname ?? null
}

function urlOf(address: ConnectionAddress): URL | null {
  const url = address.wire === 'demo' ? null : (address.baseUrl ?? wireAddress(address))
  return url === null ? null : new URL(url)
}
