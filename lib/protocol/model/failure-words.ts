import type { RunState } from '@/lib/protocol/run/fold-run'
import type { EndReason, RunEventOf } from '@/lib/protocol/run/run-event'
import { formatCount, formatTokens } from '@/lib/words/format'
import type { FailedCall } from './failed-call'
import type { FailureCategory, ProviderFailure } from './failure'
import type { ModelTarget } from './model-target'

/** Place where a failure can be fixed. Pages link to it, the terminal names its command. */
export type FixPlace = 'key' | 'connection' | 'model' | 'configuration' | 'budgets' | 'price'

type FailureFacts = {
  /** Two or three words, for lists and for the health of a connection. */
  name: string
  place: FixPlace | null
}

const failures: Record<FailureCategory, FailureFacts> = {
  auth: { name: 'Key refused', place: 'key' },
  forbidden: { name: 'Not allowed', place: 'connection' },
  'no-credit': { name: 'No credit left', place: 'key' },
  'not-found': { name: 'Unknown model', place: 'model' },
  'rate-limited': { name: 'Rate limited', place: 'connection' },
  overloaded: { name: 'Overloaded', place: 'configuration' },
  server: { name: 'Provider error', place: 'connection' },
  connection: { name: 'Not reached', place: 'connection' },
  timeout: { name: 'Timed out', place: 'connection' },
  'bad-request': { name: 'Request refused', place: 'configuration' },
  'context-length': { name: 'Context full', place: 'configuration' },
  'invalid-response': { name: 'Unreadable answer', place: 'connection' },
  cancelled: { name: 'Cancelled', place: null },
  egress: { name: 'Address blocked', place: 'connection' },
  'circuit-open': { name: 'Paused', place: 'connection' },
  'connection-changed': { name: 'Connection changed', place: 'connection' },
  files: { name: 'Files not sent', place: 'configuration' },
}

const places: Partial<Record<EndReason, FixPlace>> = {
  budget: 'budgets',
  'no-price': 'price',
  context: 'configuration',
  'invalid-output': 'configuration',
  length: 'configuration',
  'max-rounds': 'configuration',
  revoked: 'configuration',
  'time-limit': 'configuration',
}

/** Returns "Key refused". */
export function failureName(category: FailureCategory): string {
  return failures[category].name
}

/** Returns where a failure of a provider can be fixed; null = nowhere here. */
export function fixOfFailure(category: FailureCategory): FixPlace | null {
  return failures[category].place
}

/** Returns where the cause of a run's end can be fixed; null = nowhere here. */
export function fixOfEnd({
  reason,
  failure,
  notStarted = false,
  target,
}: {
  reason: EndReason
  failure: Pick<ProviderFailure, 'category'> | null
  notStarted?: boolean
  /** The model that was refused, whose price some options of a configuration make unknown. */
  target?: Pick<ModelTarget, 'unpricedTier' | 'unpricedField'> | null
}): FixPlace | null {
  // When a budget refuses to send the request again, the failure is only the reason for sending it again.
  if (failure && reason !== 'budget') return fixOfFailure(failure.category)
  // A cost cap refuses a first request only where the model has no price.
  const place = reason === 'cost-cap' && notStarted ? 'price' : (places[reason] ?? null)
  const isOfOptions = target?.unpricedTier !== undefined || target?.unpricedField !== undefined
  return place === 'price' && isOfOptions ? 'configuration' : place
}

/** Returns the model that was asked last, or that would have been asked next. */
export function lastTarget({ start, rounds, notes }: RunState): ModelTarget | null {
  const last = rounds.at(-1)
  // A model that is too small is skipped before its round begins.
  const skipped = notes.findLast(
    (note) => note.type === 'fallback' && note.data.round > (last?.round ?? 0),
  )
  const index = skipped?.type === 'fallback' ? skipped.data.to : (last?.target ?? 0)
  return start?.snapshot.targets[index] ?? null
}

/** Journals from before hold commands in their advice, which pages do not show. */
export function withoutCommands(advice: string): string {
  return advice
    .replaceAll(/ \(or with `npx toolgate [^`]*`\)/g, '')
    .replaceAll(
      '`npx toolgate connection test NAME` and its page under Connections say more.',
      'test the connection.',
    )
    .replaceAll(
      '`npx toolgate key set --connection NAME` stores a new one, and so does its page under Connections.',
      'Store a new key for this connection.',
    )
}

type Health =
  | { type: 'ready' | 'off' }
  | { type: 'limited'; until: string }
  | { type: 'paused'; until: string; category: FailureCategory | null }

/** Returns the state of a key in two or three words. */
export function keyHealthWord(health: Health): string {
  switch (health.type) {
    case 'ready':
      return 'Ready'
    case 'off':
      return 'Off'
    case 'limited':
      return 'Limit reached'
    case 'paused':
      return health.category === null ? 'Paused' : failureName(health.category)
    default:
      return health satisfies never
  }
}

/** Returns "10 requests, 1,000 tokens a minute". */
export function keyLimitWords({
  requestsPerMinute,
  tokensPerMinute,
}: {
  requestsPerMinute: number | null
  tokensPerMinute: number | null
}): string {
  const parts = [
    requestsPerMinute !== null && `${formatCount(requestsPerMinute)} requests`,
    tokensPerMinute !== null && `${formatCount(tokensPerMinute)} tokens`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'no limit' : `${parts.join(', ')} a minute`
}

/** Returns which key of a connection replaced which in a run. The failure's advice says why. */
export function keyChangeWords({ from, to }: RunEventOf<'key-change'>['data']): string {
  return `Changed from the key “${from}” to the key “${to}”.`
}

/** Returns what happened to a request that has no answer and no failure of its own. */
export function lostWords({ usage }: RunEventOf<'request-lost'>['data']): string {
  if (!usage.estimated)
    return 'The request was not tried again, because the run was stopped or moved to another server before that.'
  const sent = formatTokens(usage.inputTokens)
  const shown = formatTokens(usage.outputTokens)
  return `The server stopped during a model request. The provider may still charge for the request, so it is counted with estimates: ${sent} in, ${shown} out.`
}

/** Returns what the provider may charge for a failed request, as a further sentence; empty = nothing. */
export function usedWords({ failedCall }: { failedCall?: FailedCall | undefined }): string {
  const usage = failedCall?.used?.usage
  if (!usage || usage.inputTokens + usage.outputTokens === 0) return ''
  const counts = `${formatTokens(usage.inputTokens)} in, ${formatTokens(usage.outputTokens)} out`
  return ` The provider may still charge for it, so it is counted${usage.estimated ? ' with estimates' : ''}: ${counts}.`
}
