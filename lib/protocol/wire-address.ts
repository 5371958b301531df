import {
  awsRegion,
  type ConnectionSettings,
  defaultAuthority,
  googleAuthority,
  settingValue,
  vertexLocation,
} from './connection-settings'
import type { ModelTarget } from './model-target'

/** What says where a connection leads. */
export type ConnectionAddress = {
  wire: ModelTarget['wire']
  baseUrl: string | null
  settings: ConnectionSettings
}

/** Where a wire is asked when its connection names no address; null = it has none, or (the demo) needs none. */
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

/** A region that is half typed leads nowhere. */
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

const authorities: Partial<Record<ModelTarget['wire'], { authentication: string; usual: string }>> =
  {
    'azure-openai': { authentication: 'entra', usual: defaultAuthority },
    gemini: { authentication: 'service-account', usual: googleAuthority },
  }

/** Where the key of a connection is exchanged for a token; null = it is sent to the provider itself. */
export function authorityAddress({
  wire,
  settings,
}: Pick<ConnectionAddress, 'wire' | 'settings'>): string | null {
  const known = authorities[wire]
  if (!known || settingValue(wire, settings, 'authentication') !== known.authentication) return null
  return settingValue(wire, settings, 'authority') ?? known.usual
}
