import { envelopes } from '@/lib/protocol/panel/coordination'
import type { PanelRole } from '@/lib/protocol/panel/panel-role'
import { panelRoles } from '@/lib/protocol/panel/role-words'
import type { Billing } from '../real-tokenizers'
import type { ScriptedCall, ScriptedTurn, ServedRequest } from './scripted-turn'

/**
 * Lets a prompt say how the served model behaves. Turns are separated by `[[then]]`; in a turn:
 *   [[call NAME {"json":1}]]  [[call#ID NAME …]]  [[call#none NAME …]]   one tool call (several = parallel)
 *   [[say: text]]  [[say slowly 50ms: text]]      words, optionally that far apart
 *   [[reason: text]]  [[finish length]]  [[wait 200ms]]  [[slow 20ms]]
 *   [[cut 3]]  [[hang 3]]                          destroy or freeze the connection after 3 frames
 *   [[until NAME]]                                 hold the second half until a test opens this gate (`POST /__open`)
 *   [[status 429 retry-after=1]]                   fail with this status and these headers
 *   [[usage 100 20]]  [[no usage]]  [[bill o200k 20]]   with o200k, cl100k or bytes as the tokenizer
 *   [[always]]                                     this turn is repeated for ever
 * In `say`, {{results}} is what the tools returned, {{offer}} the names of the tools offered, {{envelope}} what the role of
 * a coordination that is asked answers with, and {{now}} the moment its own frame is sent (ns, monotonic). A prompt without
 * directives is echoed. A turn with calls in a request without tools says the script's last words instead. A system prompt
 * with directives goes before the prompt, such as the instructions of one role.
 */
export function turnOfPrompt(request: ServedRequest): ScriptedTurn {
  const script = /\[\[/.test(request.system) ? request.system : request.prompt
  const segments = script.split(/\[\[then\]\]/)
  if (!/\[\[/.test(script)) return { text: `You said: ${request.prompt.slice(0, 200)}` }
  const turns = segments.map(parseTurn)
  const always = segments.findIndex((segment) => segment.includes('[[always]]'))
  const place = always !== -1 && request.round > always ? always : request.round
  const turn = turns[place] ?? { text: 'Done.' }
  if (turn.calls && request.offered.length === 0) {
    const words = turns.findLast((other) => other.text !== undefined && !other.calls)
    return fill({ ...words, text: words?.text ?? 'Done.' }, request)
  }
  return fill(turn, request)
}

function fill(turn: ScriptedTurn, request: ServedRequest): ScriptedTurn {
  if (typeof turn.text !== 'string') return turn
  const text = turn.text
    .replaceAll('{{results}}', () =>
      request.results.map((result) => result.slice(0, 2_000)).join('\n'),
    )
    .replaceAll('{{offer}}', () => request.offered.join(', ') || 'no tools')
    .replaceAll('{{envelope}}', () => envelopeFor(request))
  return { ...turn, text }
}

const answered: Readonly<Record<PanelRole, object>> = {
  proposer: { answer: 'Go ahead.', reasons: ['It fits.'], evidence: [], confidence: 0.5 },
  critic: { verdict: 'revise', issues: [{ severity: 'low', quote: 'Go', issue: 'By when?' }] },
  synthesizer: { answer: 'Go ahead on Monday.', taken: ['A day'], not_taken: [], open_points: [] },
}

/** Returns the envelope of the role whose form the request asks for; "" = it asks for none. */
function envelopeFor({ system }: ServedRequest): string {
  const requested = panelRoles.find((role) => system.includes(JSON.stringify(envelopes[role])))
  return requested ? JSON.stringify(answered[requested]) : ''
}

function parseTurn(segment: string): ScriptedTurn {
  const turn: ScriptedTurn = {}
  let at = segment.indexOf('[[')
  while (at !== -1) {
    const end = endOf(segment, at + 2)
    readDirective(turn, segment.slice(at + 2, end).trim())
    at = segment.indexOf('[[', end + 2)
  }
  return turn
}

/** Arguments may hold `]]` themselves: a call ends at the first one that leaves its JSON whole. */
function endOf(segment: string, from: number): number {
  const first = segment.indexOf(']]', from)
  if (first === -1) return segment.length
  if (!segment.startsWith('call', from)) return first
  for (let end = first; end !== -1; end = segment.indexOf(']]', end + 1)) {
    const brace = segment.slice(from, end).indexOf('{')
    if (brace === -1 || isJson(segment.slice(from + brace, end))) return end
  }
  return first
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function readDirective(turn: ScriptedTurn, text: string): void {
  const [, word = '', rest = ''] = /^([a-z]+)([\s\S]*)$/.exec(text) ?? []
  const numbers = (rest.match(/\d+/g) ?? []).map(Number)
  if (word === 'call') turn.calls = [...(turn.calls ?? []), parseCall(rest)]
  else if (word === 'say') readWords(turn, rest)
  else if (word === 'reason') turn.reasoning = afterColon(rest)
  else if (word === 'finish') turn.finish = rest.trim() === 'length' ? 'length' : 'content-filter'
  else if (word === 'wait') turn.beforeMs = numbers[0] ?? 100
  else if (word === 'slow') turn.chunkDelayMs = numbers[0] ?? 20
  else if (word === 'cut') turn.cutAfter = numbers[0] ?? 3
  else if (word === 'hang') turn.hangAfter = numbers[0] ?? 3
  else if (word === 'until') turn.until = rest.trim()
  else if (word === 'status') readStatus(turn, rest)
  else if (word === 'usage')
    turn.usage = { inputTokens: numbers[0] ?? 0, outputTokens: numbers[1] ?? 0 }
  else if (word === 'bill') readBill(turn, rest)
  else if (text === 'no usage') turn.usage = null
}

function parseCall(rest: string): ScriptedCall {
  const [, id, name = '', text = ''] = /^(?:#(\S+))?\s*(\S+)\s*([\s\S]*)$/.exec(rest) ?? []
  const call: ScriptedCall = { name, arguments: text }
  if (id !== undefined) call.id = id === 'none' ? null : id
  return call
}

function readWords(turn: ScriptedTurn, rest: string): void {
  const slowly = /^\s*slowly\s+(\d+)\s*ms/.exec(rest)
  if (slowly) turn.chunkDelayMs = Number(slowly[1])
  turn.text = afterColon(rest)
}

function readBill(turn: ScriptedTurn, rest: string): void {
  const [name, outputTokens] = rest.trim().split(/\s+/)
  const by = (['o200k', 'cl100k', 'bytes'] satisfies Billing[]).find((billing) => billing === name)
  if (by) turn.bill = { by, outputTokens: Number(outputTokens ?? 0) }
}

function readStatus(turn: ScriptedTurn, rest: string): void {
  turn.status = Number(/\d+/.exec(rest)?.[0] ?? 500)
  turn.headers = Object.fromEntries(
    [...rest.matchAll(/([\w-]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

function afterColon(text: string): string {
  return text.slice(text.indexOf(':') + 1).trim()
}
