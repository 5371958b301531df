import { z } from 'zod'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { type LeftOut, ToolError } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'
import { defineTool } from '../define-tool'
import { hidePlaces } from '../hide-places'
import { redactedParts } from '../left-out'

const mostCharacters = 2_000
const mostLines = 40
const mostStackCharacters = 6_000

export default defineTool({
  name: 'get_last_exception',
  description:
    "Tells the newest error of this Toolgate server's own log: when, its incident id, source, message, stack, and how often the " +
    'same came in the last 24 hours. Give the incident id that an error message names to get that one. Paths are shown from ' +
    "the server's own folder on; addresses, client data and secrets are left out.",
  group: 'system',
  parameters: z.object({
    incident: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('The incident id of an error message. Omit it to get the newest error.'),
  }),
  enabledByDefault: true,
  requiresAdmin: true,
  effect: 'read',
  dataClass: 'diagnostics',
  timeoutMs: 10_000,
  limits: [
    'one error a call',
    `${mostCharacters.toLocaleString('en')} characters of a message`,
    `${mostLines} lines of a stack`,
  ],
  example: {},
  execute: async ({ incident }, { resources }) => {
    const found = await resources.installation.lastException(incident ?? null)
    if (found === null && incident === undefined)
      return { content: 'The log has no error.', leftOut: [] }
    if (found === null) throw new ToolError('not-found', 'The log has no error of this incident.')
    const { at, source, incidentId, error, sameIn24Hours, folder } = found
    const shown = (text: string) => hidePlaces(redactText(text), folder)
    const message = shown(found.message)
    const thrown = error && {
      type: shown(error.type),
      message: shown(error.message),
      stack: shown(error.stack),
    }
    const content = {
      at,
      incidentId,
      source: shown(source).slice(0, 100),
      message: cut(message),
      error: thrown && {
        type: cut(thrown.type),
        message: cut(thrown.message),
        stack: stackLines(thrown.stack),
      },
      sameInLast24Hours: `${sameIn24Hours} ${sameIn24Hours === 1 ? 'time' : 'times'}`,
    }
    const given = { source, error, message: found.message }
    return {
      content,
      leftOut: [
        ...redactedParts(given, content),
        ...hiddenPlaces(given, content),
        ...cutParts([message, thrown?.type, thrown?.message], thrown?.stack),
      ],
    }
  },
})

function hiddenPlaces(given: unknown, shown: unknown): LeftOut[] {
  const marks = (value: unknown) =>
    JSON.stringify(value).match(/\[(?:path|address)\]/g)?.length ?? 0
  const count = marks(shown) - marks(given)
  const what = countOf(count, 'path or address', 'paths and addresses')
  return count > 0 ? [{ what, why: 'they tell where the server and its clients are' }] : []
}

function cutParts(texts: readonly (string | undefined)[], stack = ''): LeftOut[] {
  const most = `a call shows at most ${mostCharacters.toLocaleString('en')} characters of it`
  const isLong = texts.some((text) => text !== undefined && text.length > mostCharacters)
  const isStackLong = stack.length > mostStackCharacters || stack.split('\n').length > mostLines
  return [
    ...(isLong ? [{ what: 'the end of the message', why: most }] : []),
    ...(isStackLong
      ? [{ what: 'the end of the stack', why: `a call shows at most ${mostLines} lines of it` }]
      : []),
  ]
}

function cut(text: string): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters).toWellFormed()}…`
}

function stackLines(stack: string): string[] {
  if (stack === '') return []
  const text = stack.slice(0, mostStackCharacters).toWellFormed()
  return text.split('\n', mostLines).map((line) => line.trim())
}
