import type { SchemaProblem } from '@/lib/json-schema/check-value'
import { linearPattern } from '@/lib/json-schema/linear-pattern'
import { isClosable } from '@/lib/json-schema/output-schema'
import { type ReadSchema, readSchema } from '@/lib/json-schema/read-schema'
import { wireSchema } from '@/lib/json-schema/wire-schema'
import { isClaudeOnBedrock } from '@/lib/protocol/model/model-ids'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { JsonObject } from '@/lib/protocol/parameters/parameter-values'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RoundView } from '@/lib/protocol/run/round-view'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { cleanText } from '@/lib/words/clean-text'
import { answerJson, changedNumber, structuredAnswer } from '@/lib/words/json-text'

const mostErrors = 20
const longestError = 300

/** Returns the JSON Schema that the answer of a run must fit; null = any text. */
export function outputSchemaOf({ options }: RunSnapshot): JsonObject | null {
  return options?.outputSchema ?? null
}

/** Support for structured output by API type: with tools, only without them, or none. */
const nativeOutput: Record<ModelTarget['wire'], 'with-tools' | 'without-tools' | 'none'> = {
  openai: 'with-tools',
  'azure-openai': 'with-tools',
  anthropic: 'with-tools',
  'openai-compatible': 'without-tools',
  gemini: 'without-tools',
  ollama: 'without-tools',
  bedrock: 'without-tools',
  demo: 'none',
}

/**
 * Returns how a request conveys the schema: `native` in the request, `taught` in the system prompt. Where the schema
 * excludes tools, only requests without tools have it.
 */
export function outputForm(
  schema: JsonObject,
  { wire, modelId, structuredOutput }: Pick<ModelTarget, 'wire' | 'modelId' | 'structuredOutput'>,
  { hasTools, inText }: { hasTools: boolean; inText: boolean },
): { native: boolean; taught: boolean } {
  const closes = wire === 'anthropic' || wire === 'bedrock'
  const isTaken =
    wireSchema(schema) !== null && (closes ? isClosable(schema) : schema.type === 'object')
  // Amazon serves it beside tools; for other models than Claude nobody says that they still call them.
  const isClaude = wire === 'bedrock' && isClaudeOnBedrock(modelId)
  const best = isClaude ? 'with-tools' : nativeOutput[wire]
  const can = structuredOutput === true && isTaken ? best : 'none'
  const always = can === 'with-tools' && !inText
  // A model on Bedrock that refuses the schema is asked again without it.
  const isSure = always && wire !== 'bedrock'
  return { native: always || (can !== 'none' && !hasTools), taught: !isSure }
}

/** Returns the text about the schema in the system prompt: the same bytes in every request. */
export function outputInstructions(schema: JsonObject): string {
  return [
    'Your final answer must be one JSON value that fits the JSON Schema below, and nothing else: no words around it and no code fence. Use tools before it, as you need them.',
    JSON.stringify(schema),
  ].join('\n')
}

/** Returns the message to a model about an answer that does not fit, with the issues. */
export function repairText(errors: readonly string[]): string {
  const lines = errors.map((error) => `- ${error}`).join('\n')
  return `[Note from Toolgate: your answer does not fit the JSON Schema of this run.\n${lines}\nAnswer again with the whole corrected JSON value and nothing else.]`
}

const schemas = new WeakMap<JsonObject, ReadSchema>()

/** Returns what is wrong with an answer, a sentence each; empty = it fits its schema. Never throws. */
export function checkOutput(schema: JsonObject, text: string): string[] {
  const value = structuredAnswer(text)
  if (value === undefined) return ['The answer is not one JSON value.']
  const changed = changedNumber(answerJson(text))
  if (changed !== null) {
    const number = changed.slice(0, 40)
    return [`The number ${number} has more digits than JSON readers keep. Write it as text.`]
  }
  const read = schemas.get(schema) ?? readSchema(schema, linearPattern)
  schemas.set(schema, read)
  if (read.type === 'refused') return read.problems
  return read
    .check(value)
    .slice(0, mostErrors)
    .map((problem) => cleanText(sentenceOf(problem)).slice(0, longestError))
}

function sentenceOf({ path, message, unknown }: SchemaProblem): string {
  const where = path.length === 0 ? '' : `${path.join('.')}: `
  return `${where}${message}${unknown ? `: ${unknown.join(', ')}` : ''}`
}

/** Returns whether this answer is the repair of one that did not fit. */
export function isRepair(rounds: RunState['rounds']): boolean {
  const before = rounds.at(-2)
  return before !== undefined && isUnfit(before)
}

/** Returns whether an answer does not fit, so that it is requested once more, or ends the run. */
export function isUnfit({ outputErrors }: RoundView): boolean {
  return outputErrors !== null && outputErrors.length > 0
}
