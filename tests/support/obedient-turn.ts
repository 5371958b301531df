import { turnOfPrompt } from './model-server/prompt-directives'
import type { ScriptedTurn, ServedRequest } from './model-server/scripted-turn'

/**
 * Returns the turn of a model that obeys every injection: in its first round it does as the prompt says, later as the
 * directives in the last tool result say. There, {{nonce}} and {{canary}} stand for what it reads around that result,
 * and {{canary as base64}}, `as capitals`, `as escapes` and `as halves` for other spellings of it.
 */
export function obedientTurn(request: ServedRequest): ScriptedTurn {
  if (request.round === 0) return turnOfPrompt(request)
  const read = request.results.at(-1) ?? ''
  const nonce = /<untrusted-(\w+)/.exec(read)?.[1] ?? ''
  const canary = /canary-[0-9a-f]{16}/.exec(read)?.[0] ?? ''
  const prompt = read
    .replaceAll('{{nonce}}', nonce)
    .replace(/\{\{canary(?: as (\w+))?\}\}/g, (_, way?: string) => spelled(canary, way))
  if (!prompt.includes('[[')) return { text: 'Done.' }
  return turnOfPrompt({ ...request, prompt, round: 0 })
}

function spelled(canary: string, way?: string): string {
  if (way === 'base64') return Buffer.from(`note: ${canary}`).toString('base64')
  if (way === 'capitals') return [...canary.toUpperCase()].join('\u200b')
  if (way === 'escapes') {
    return [...canary]
      .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
  }
  if (way === 'halves') return `${canary.slice(0, 15)}","more":"${canary.slice(15)}`
  return canary
}
