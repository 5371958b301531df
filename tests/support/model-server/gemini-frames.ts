import { createHash } from 'node:crypto'
import type { ServedAnswer } from './scripted-turn'

const finishReasons = {
  stop: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
} as const

/** Returns the signature of the first call of an answer. Whoever changes the call cannot make one. */
export function signatureOf(name: string, args: object): string {
  return createHash('sha256')
    .update(JSON.stringify([name, args]))
    .digest('base64')
}

/** Returns a stream of `streamGenerateContent`, one string per event. A call is one piece; the first one is signed. */
export function geminiFrames(answer: ServedAnswer): string[] {
  const part = (content: object) => event(answer, [content])
  const calls = answer.calls.map(({ id, name, argumentsText }, index) => {
    const args: object = JSON.parse(argumentsText)
    return {
      functionCall: { ...(id === null ? {} : { id }), name, args },
      ...(index === 0 && { thoughtSignature: signatureOf(name, args) }),
    }
  })
  return [
    ...answer.reasoning.map((text) => part({ text, thought: true })),
    ...answer.text.map((text) => part({ text })),
    ...(calls.length > 0 ? [event(answer, calls)] : []),
    event(answer, [{ text: '' }], { finishReason: finishReasons[answer.finish] }),
  ]
}

function event(answer: ServedAnswer, parts: object[], more: object = {}): string {
  const { usage } = answer
  const candidates = [{ content: { role: 'model', parts }, index: 0, ...more }]
  const body = {
    candidates,
    ...(usage && {
      usageMetadata: {
        promptTokenCount: usage.inputTokens,
        cachedContentTokenCount: usage.cachedInputTokens,
        candidatesTokenCount: usage.outputTokens - usage.reasoningTokens,
        thoughtsTokenCount: usage.reasoningTokens,
        totalTokenCount: usage.inputTokens + usage.outputTokens,
      },
    }),
    modelVersion: answer.model,
    responseId: answer.id,
  }
  return `data: ${JSON.stringify(body)}\n\n`
}
