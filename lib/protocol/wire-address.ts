import {
  awsRegion,
  type ConnectionSettings,
  defaultAuthority,
  settingValue,
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
      return 'https://generativelanguage.googleapis.com'
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

/** Where the key of a connection is exchanged for a token; null = it is sent to the provider itself. */
export function authorityAddress({
  wire,
  settings,
}: Pick<ConnectionAddress, 'wire' | 'settings'>): string | null {
  if (wire !== 'azure-openai') return null
  if (settingValue(wire, settings, 'authentication') !== 'entra') return null
  return settingValue(wire, settings, 'authority') ?? defaultAuthority
}
