import { isDeepStrictEqual } from 'node:util'
import { type Json, listOf } from './strict-provider'

/** Taken instead of a signature on a call that another provider's model made. */
const foreignCall = 'skip_thought_signature_validator'

const partsOf = (content: Json) => listOf(content.parts)
const callsOf = (content: Json) => partsOf(content).filter((part) => part.functionCall)
const resultsOf = (content: Json | undefined) =>
  partsOf(content ?? {}).flatMap((part) =>
    part.functionResponse ? [part.functionResponse as Json] : [],
  )

/**
 * Returns why the Gemini API refuses a request; null = it does not. By
 * https://ai.google.dev/gemini-api/docs/thought-signatures and https://ai.google.dev/gemini-api/docs/function-calling
 * (2026-11-23). `signs` tells whether a signature fits a call; `given` = the parts of each answer so far, which must be
 * sent back unchanged.
 */
export function geminiRefusal(
  body: Json,
  given: readonly Json[][],
  signs: (signature: unknown, call: Json) => boolean,
): string | null {
  const contents = listOf(body.contents)
  let answered = 0
  for (const [at, content] of contents.entries()) {
    const place = `contents[${at}]`
    if (content.role === contents[at - 1]?.role) return `${place}: roles must alternate`
    if (partsOf(content).length === 0) return `${place}.parts must not be empty`
    if (partsOf(content).some((part) => part.text === '')) return `${place}: text must not be empty`
    if (content.role !== 'model') continue
    const calls = callsOf(content)
    const results = resultsOf(contents[at + 1])
    if (calls.length !== results.length) {
      return `${place}: the number of function response parts must be equal to the number of function call parts of the function call turn`
    }
    if (calls.length > 0 && partsOf(contents[at + 1] ?? {}).some((part) => part.inlineData)) {
      return `${place}: media of function responses belongs into their parts`
    }
    const [first] = calls
    const names = (entries: unknown[]) => entries.map((entry) => (entry as Json).name)
    if (!isDeepStrictEqual(names(calls.map((part) => part.functionCall)), names(results))) {
      return `${place}: function responses do not match their calls`
    }
    if (first && first.thoughtSignature !== foreignCall && !signs(first.thoughtSignature, first)) {
      return `Function call is missing a thought_signature in functionCall parts. (${place})`
    }
    const own = given[answered++]
    if (own && !isDeepStrictEqual(partsOf(content), own)) return `${place}: the answer was changed`
  }
  if (listOf(body.tools).length > 0 && (body.generationConfig as Json)?.responseMimeType) {
    return "Function calling with a response mime type: 'application/json' is unsupported"
  }
  return null
}

const levels: unknown[] = [undefined, 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH']

/**
 * Returns why Vertex AI refuses it in addition; null = it does not: fields of the Gemini API that its own types do not
 * have, and ids of calls that it did not give (github.com/googleapis/python-genai/issues/2847 and
 * github.com/pydantic/pydantic-ai/issues/5081, 2026-11-23).
 */
export function vertexRefusal(body: Json): string | null {
  if (body.serviceTier !== undefined) return "Invalid value at 'service_tier'"
  const config = (body.generationConfig ?? {}) as Json
  const { thinkingLevel } = (config.thinkingConfig ?? {}) as Json
  if (!levels.includes(thinkingLevel)) return "Invalid value at 'thinking_config.thinking_level'"
  const contents = listOf(body.contents)
  for (const [at, content] of contents.entries()) {
    if (content.role !== 'user' && content.role !== 'model') return 'Please use a valid role'
    const ids = callsOf(content).map((part) => {
      const { id } = part.functionCall as Json
      return part.thoughtSignature === foreignCall && id !== undefined ? 'foreign' : id
    })
    const isAnswered = isDeepStrictEqual(
      ids,
      resultsOf(contents[at + 1]).map(({ id }) => id),
    )
    if (ids.includes('foreign') || (ids.length > 0 && !isAnswered)) {
      return `Invalid JSON payload received. Unknown name "id" at 'contents[${at}].parts'`
    }
  }
  return null
}
