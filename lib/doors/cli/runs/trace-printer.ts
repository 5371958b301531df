import { styleText } from 'node:util'
import { fixCommand } from '@/lib/doors/cli/fix-command'
import { printCheck, printPreview } from '@/lib/doors/cli/print-check'
import { terminal } from '@/lib/doors/cli/terminal'
import type { ApprovalDecision } from '@/lib/protocol/approval'
import {
  addCost,
  boundedCost,
  cacheSavedMicroUsd,
  cacheWords,
  runCostBound,
} from '@/lib/protocol/cost/cost'
import type { CostBound, Usage } from '@/lib/protocol/cost/money'
import { gateTitle } from '@/lib/protocol/gate-answers'
import { fixOfEnd, keyChangeWords, lostWords, usedWords } from '@/lib/protocol/model/failure-words'
import { missingParts } from '@/lib/protocol/model/result-images'
import { type CapView, ownCapView } from '@/lib/protocol/panel/panel'
import { memoryWords } from '@/lib/protocol/prompt-memory'
import { applyRunEvent, initialRunState } from '@/lib/protocol/run/fold-run'
import { overrideWords } from '@/lib/protocol/run/override-names'
import { unusedRecordings } from '@/lib/protocol/run/recordings'
import { isDelta, type RunUpdate } from '@/lib/protocol/run/run-delta'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { Outcome } from '@/lib/protocol/tool'
import { visibleText } from '@/lib/words/clean-text'
import {
  countOf,
  formatCostMicroUsd,
  formatCount,
  formatDuration,
  inSentence,
  reportedCostText,
  resultSize,
} from '@/lib/words/format'

const previewCharacters = 160
type Style = Parameters<typeof styleText>[0]

/**
 * Writes a run's events, and its answers as they stream, for people. Text of models and tools is shown as plain text
 * (SPEC J5).
 */
export function createTracePrinter(): (update: RunUpdate) => void {
  const page = openPage()
  let state = initialRunState
  let input: Asked = { snapshot: null, target: 0, savedMicroUsd: 0 }

  return (event) => {
    // The printed text of the open round, because its message repeats it.
    const { text = '', reasoningText = '' } = state.rounds.at(-1) ?? {}
    state = applyRunEvent(state, event)
    if (isDelta(event)) {
      const open = state.rounds.at(-1)
      page.text(open?.reasoningText.slice(reasoningText.length) ?? '', 'dim')
      return page.text(open?.text.slice(text.length) ?? '')
    }
    switch (event.type) {
      case 'run-start':
        input = { snapshot: event.data.snapshot, target: 0, savedMicroUsd: 0 }
        return printStart(page, event.data)
      case 'copied':
        return page.line(copiedWords(event.data), 'dim')
      case 'round-start':
        input = { ...input, target: event.data.target }
        return page.line(
          `── Round ${event.data.round}${event.data.closing ? ', final answer' : ''} ──`,
          'bold',
        )
      case 'message':
        page.text(restOf(reasoningOf(event.data), reasoningText), 'dim')
        page.text(restOf(event.data.text, text))
        printAsk(page, event.data)
        printReported(page, event.data)
        return printCache(page, event.data.usage, countSaved(input, event.data))
      case 'model-retry':
        return page.line(
          `! ${event.data.failure.advice} Retrying.${usedWords(event.data)}`,
          'yellow',
        )
      case 'model-fallback':
        input = { ...input, target: event.data.to }
        return page.line(`! ${hopWords(event.data, input.snapshot)}`, 'yellow')
      case 'key-change':
        return page.line(`! ${event.data.failure.advice} ${keyChangeWords(event.data)}`, 'yellow')
      case 'request-lost':
        return page.line(`! ${lostWords(event.data)}`, 'yellow')
      case 'request-start':
        return undefined
      case 'approval-request':
        return printRequest(page, event.data)
      case 'approval-decision':
        return printDecision(page, event.data.decision)
      case 'call-start':
        return page.line(`→ ${event.data.name}`, 'cyan')
      case 'call-end':
        return printCallEnd(page, event.data)
      case 'warning':
        return page.line(`! ${event.data.message}`, 'yellow')
      case 'cost-cap-decision':
        return page.line(`Cost cap: ${event.data.by} chose "${event.data.choice}".`, 'yellow')
      case 'cancel-requested':
        return page.line(`Stop requested by ${event.data.by}.`, 'yellow')
      case 'run-end':
        return printEnd(page, event.data, {
          requested: input,
          bound: runCostBound(state),
          cap: ownCapView(state),
          unused: unusedRecordings(state),
        })
      case 'child-start':
        return page.line(`  It started the run ${event.data.runId}.`, 'dim')
      case 'child-cost':
      case 'repriced':
      case 'panel-cost':
        return undefined
      default:
        return event satisfies never
    }
  }
}

type Page = ReturnType<typeof openPage>

/**
 * Returns a writer to standard output that tracks whether a line is open, so that streamed text and lines do not mix.
 */
function openPage() {
  const { coloured, write } = terminal()
  const paint = (text: string, style?: Style) =>
    coloured && style ? styleText(style, text, { validateStream: false }) : text
  let open = false
  let openStyle: Style | undefined
  return {
    text: (text: string, style?: Style) => {
      if (text === '') return
      const gap = open && style !== openStyle ? '\n' : ''
      write(gap + paint(visibleText(text), style))
      open = !text.endsWith('\n')
      openStyle = style
    },
    line: (text: string, style?: Style) => {
      write(`${open ? '\n' : ''}${paint(visibleText(text), style)}\n`)
      open = false
    },
  }
}

function reasoningOf({ reasoning }: RunEventOf<'message'>['data']): string {
  return reasoning.map((block) => block.text).join('\n')
}

function restOf(text: string, streamed: string): string {
  return text.startsWith(streamed) ? text.slice(streamed.length) : ''
}

function printStart(
  page: Page,
  { snapshot, memory, ...start }: RunEventOf<'run-start'>['data'],
): void {
  const { parent, accepted, rejected, overridden = [] } = start
  const model = snapshot.targets[0]?.modelId ?? 'unknown model'
  page.line(
    `${snapshot.configurationName} · ${model} · ${countOf(accepted.length, 'tool')} offered`,
    'bold',
  )
  if (parent) page.line(`  started by a call of the run ${parent.runId}`, 'dim')
  if (overridden.length > 0) {
    const names = overridden.map((name) => inSentence(overrideWords[name]))
    page.line(`  changed for this run: ${names.join(', ')}`, 'dim')
  }
  if (memory) {
    const why = memory.type === 'denied' ? ` (${gateTitle(memory)}). ${memory.reason}` : ''
    page.line(`  ${memoryWords(memory)}${why}`, 'dim')
  }
  for (const tool of rejected)
    page.line(`  not offered: ${tool.name} (${gateTitle(tool)}). ${tool.reason}`, 'dim')
}

function printAsk(page: Page, { inText, toolCalls }: RunEventOf<'message'>['data']): void {
  if (inText) page.line(`  ${toolCalls.map(({ name }) => name).join(', ')}: asked in text`, 'dim')
}

function printRequest(page: Page, request: RunEventOf<'approval-request'>['data']): void {
  const { name, ruleName, once, fourEyesRule, approvalId, expiresAt, preview } = request
  const rule = `rule: ${ruleName}${once ? ', once a run' : ''}`
  page.line(`? ${name} is waiting for approval (${rule}).`, 'yellow')
  if (fourEyesRule !== undefined) {
    const words = `Another person than whoever started the run must decide because of the rule ${fourEyesRule}.`
    page.line(`  ${words}`, 'yellow')
  }
  page.line(
    `  In another terminal: toolgate approval approve ${approvalId} (or deny, or edit)`,
    'dim',
  )
  printPreview(page, preview)
  page.line(`  It expires at ${new Date(expiresAt).toISOString()}`, 'dim')
}

function printDecision(page: Page, decision: ApprovalDecision): void {
  if (decision.type === 'expired') {
    page.line('  Nobody decided in time.', 'yellow')
    return
  }
  const words = { approved: 'approved', edited: 'approved with other arguments', denied: 'denied' }
  const remark = decision.message === '' ? '' : `: ${decision.message}`
  page.line(
    `  ${decision.by} ${words[decision.type]}${remark}`,
    decision.type === 'denied' ? 'red' : 'green',
  )
}

function printCallEnd(
  page: Page,
  { name, outcome, durationMs, check }: RunEventOf<'call-end'>['data'],
): void {
  const words = describeOutcome(outcome)
  const good = outcome.type === 'ok'
  page.line(
    `${good ? '✓' : '✗'} ${name} · ${formatDuration(durationMs)} · ${words}`,
    good ? 'green' : 'red',
  )
  printCheck(page, check)
  if (outcome.type !== 'ok') return
  const line = outcome.content.replace(/\s+/g, ' ').trim()
  const cut =
    line.length > previewCharacters ? `${line.slice(0, previewCharacters).toWellFormed()}…` : line
  page.line(`  ${cut}`, 'dim')
  const { leftOut, imagesLeftOut = [] } = outcome
  for (const sentence of [...missingParts(leftOut), ...imagesLeftOut])
    page.line(`  ! ${sentence}`, 'yellow')
}

function describeOutcome(outcome: Outcome): string {
  switch (outcome.type) {
    case 'ok':
      return [
        resultSize(outcome.originalBytes),
        ...(outcome.truncated ? ['truncated'] : []),
        ...(outcome.leftOut?.length === 0 ? ['complete'] : []),
        ...(outcome.images ? [countOf(outcome.images.length, 'image')] : []),
      ].join(', ')
    case 'denied':
      return `denied (${gateTitle(outcome)}): ${outcome.reason}`
    case 'invalid-arguments':
      return `invalid arguments: ${outcome.issues.join(' ')}`
    case 'failed':
      return `failed: ${outcome.message}`
    case 'timed-out':
      return `no result within ${formatDuration(outcome.timeoutMs)}`
    case 'cancelled':
      return `cancelled: ${outcome.reason}`
    case 'unknown':
      return `unknown outcome: ${outcome.reason}`
    default:
      return outcome satisfies never
  }
}

/** `savedMicroUsd`: by the provider's cache, in all rounds so far; null = a price is unknown. */
type Asked = { snapshot: RunSnapshot | null; target: number; savedMicroUsd: number | null }

/** Adds what the cache saved in this round to what it saved before. */
function countSaved(input: Asked, { target, usage }: RunEventOf<'message'>['data']): number | null {
  const prices = input.snapshot?.targets[target]?.prices
  const saved = prices ? cacheSavedMicroUsd(usage, prices) : null
  input.savedMicroUsd = addCost(input.savedMicroUsd, saved)
  return saved
}

function printReported(page: Page, { usage, costMicroUsd }: RunEventOf<'message'>['data']): void {
  const words = reportedCostText(usage, costMicroUsd)
  if (words !== '')
    page.line(`  ${words}, ${formatCostMicroUsd(costMicroUsd)} by the stored prices`, 'dim')
}

function printCache(page: Page, usage: Usage, savedMicroUsd: number | null): void {
  const words = cacheWords(usage, savedMicroUsd)
  if (words !== '') page.line(`  ${words}`, 'dim')
}

function copiedWords({ runId, round, edits }: RunEventOf<'copied'>['data']): string {
  if (round === 0) return `Its tools return what run ${runId} recorded.`
  const edited = edits.map(
    ({ what, round: place, by }) => `, ${what} of round ${place} edited by ${by}`,
  )
  return `It goes on from run ${runId} after round ${round}${edited.join('')}.`
}

function hopWords(hop: RunEventOf<'model-fallback'>['data'], snapshot: RunSnapshot | null): string {
  const next = snapshot?.targets[hop.to]
  const name = next ? `${next.modelId} (${next.connectionName})` : 'the next model'
  return `${hop.failure.advice} Trying ${name}.${usedWords(hop)}`
}

type Ended = {
  requested: Asked
  bound: CostBound
  cap: CapView | null
  unused: ReadonlyMap<string, number>
}

function printEnd(
  page: Page,
  end: RunEventOf<'run-end'>['data'],
  { requested, bound, cap, unused }: Ended,
): void {
  const { inputTokens, outputTokens } = end.usage
  const facts = [
    `── ${end.notStarted ? 'not started: ' : ''}${end.reason}${end.truncated ? ', truncated' : ''}`,
    `${formatCount(inputTokens)} tokens in, ${formatCount(outputTokens)} out`,
    boundedCost(end.costMicroUsd, bound),
    `${formatDuration(end.wallTimeMs)} ──`,
  ]
  page.line(facts.join(' · '), 'bold')
  printCache(page, end.usage, requested.savedMicroUsd)
  if (end.message !== '' && end.reason !== 'completed') page.line(end.message)
  const left = [...unused].map(([name, count]) => (count === 1 ? name : `${name} (${count})`))
  if (left.length > 0) page.line(`Recorded results that were not used: ${left.join(', ')}.`)
  if (cap?.exceeded)
    page.line(
      `The cap of ${formatCostMicroUsd(cap.limitMicroUsd)} was reached${cap.blocked ? ' and ended the run' : ''}.`,
    )
  if (end.structured !== undefined) page.line(`structured: ${JSON.stringify(end.structured)}`)
  const { snapshot, target } = requested
  const place = fixOfEnd({ ...end, target: snapshot?.targets[target] ?? null })
  const command =
    place &&
    fixCommand(place, {
      target: snapshot?.targets[target] ?? null,
      configurationIdentifier: snapshot?.configurationIdentifier || null,
    })
  if (command) page.line(`  ${command}`, 'dim')
}
