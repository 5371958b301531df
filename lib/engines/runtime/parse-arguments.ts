import { cleanText } from '@/lib/protocol/clean-text'
import { changedNumber } from '@/lib/protocol/exact-json'
import { mostLevels, nestedTooDeeply } from '@/lib/protocol/nested-too-deeply'
import type { ExecutableTool } from '@/lib/protocol/tool'

export type ParsedArguments = { ok: true; args: unknown } | { ok: false; issues: string[] }

/**
 * Parses arguments: strict JSON, an object, then the schema of the tool. Nothing is repaired (SPEC R11), and a number
 * that JavaScript would change is refused, because it may be an id. Throws when `tool.parse` does.
 */
export function parseArguments(tool: Pick<ExecutableTool, 'parse'>, text: string): ParsedArguments {
  if (nestedTooDeeply(text)) {
    const issue = `The arguments are nested too deeply: at most ${mostLevels} lists and objects may stand inside each other.`
    return { ok: false, issues: [issue] }
  }
  const json = parseJson(text)
  if (!json.ok)
    return {
      ok: false,
      issues: ['The arguments are not valid JSON. Send one complete JSON object.'],
    }
  const { value } = json
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, issues: ['The arguments must be one JSON object.'] }
  }
  const changed = changedNumber(text)
  if (changed !== null) {
    const issue = `The number ${changed.slice(0, 40)} has more digits than a tool can be given. Send it as text, if the tool takes text.`
    return { ok: false, issues: [issue] }
  }
  const parsed = tool.parse(value)
  if (parsed.ok) return parsed
  return {
    ok: false,
    issues: parsed.issues.slice(0, 20).map((issue) => cleanText(issue).slice(0, 500)),
  }
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}
