import type { ModelTarget, TrustZone } from './model-target'

type Keyed = {
  wire: ModelTarget['wire']
  trustZone: TrustZone
  /** Whether a key, or headers that may stand in for one, are stored, or the server itself has a role. */
  hasSecret: boolean
}

/**
 * Returns whether a provider will most likely refuse requests because no key is stored for it. Servers of one's own, the
 * demo and Ollama answer without one.
 */
export function lacksKey({ wire, trustZone, hasSecret }: Keyed): boolean {
  if (hasSecret) return false
  switch (wire) {
    case 'openai':
    case 'anthropic':
    case 'azure-openai':
    case 'bedrock':
    case 'gemini':
      return true
    case 'openai-compatible':
      return trustZone === 'external-eu' || trustZone === 'external-global'
    case 'ollama':
    case 'demo':
      return false
    default:
      return wire satisfies never
  }
}
