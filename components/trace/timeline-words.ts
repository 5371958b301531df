import type { Bar, CallLine, RoundLine, Timeline } from '@/lib/protocol/run/run-timeline'
import { extremesOf } from '@/lib/protocol/run/run-timeline'
import { visibleText } from '@/lib/words/clean-text'
import { formatCostMicroUsd, formatDuration } from '@/lib/words/format'
import { callWords } from './call-words'

export function roundTitle({ round: { round, closing } }: Pick<RoundLine, 'round'>): string {
  return closing ? `Final answer (round ${round})` : `Round ${round}`
}

/** Returns how a screen reader names the bar of a round: "Round 2, 3.40 s, from 5.10 s, first token after 800 ms". */
export function roundName({ round, bars }: RoundLine, ended: boolean): string {
  const { response, notes } = round
  const retries = notes.filter(({ type }) => type === 'retry').length
  const parts = [
    roundTitle({ round }),
    response ? formatDuration(response.latencyMs) : ended ? 'no answer' : 'in progress',
    ...fromWords(bars),
    ...(response?.firstTokenMs == null
      ? []
      : [`first token after ${formatDuration(response.firstTokenMs)}`]),
    ...(retries === 0 ? [] : [retries === 1 ? '1 retry' : `${retries} retries`]),
    ...(notes.some(({ type }) => type === 'fallback') ? ['changed to another model'] : []),
  ]
  return parts.join(', ')
}

/** Returns how a screen reader names the bar of a call: "fetch_url, done, 1.24 s, from 3.10 s". */
export function callName({ call, bars }: CallLine, ended: boolean): string {
  const { state } = call
  const waited = bars.find(({ kind }) => kind === 'waiting')
  const parts = [
    visibleText(call.name),
    callWords(call, ended).word.toLowerCase(),
    ...(state.type === 'ended' ? [formatDuration(state.durationMs)] : []),
    ...fromWords(bars),
    ...(waited && waited.to !== null
      ? [`waited ${formatDuration(waited.to - waited.from)} for approval`]
      : []),
  ]
  return parts.join(', ')
}

function fromWords([first]: readonly Bar[]): string[] {
  return first ? [`from ${formatDuration(first.from)}`] : []
}

/** Returns what took longest and what cost most, in words; empty where there is nothing to compare. */
export function extremeWords(timeline: Timeline): string[] {
  const { slowest, dearest } = extremesOf(timeline)
  const nameOf = ({ round, callId }: { round: number; callId: string | null }): string => {
    const line = timeline.lines.find((each) => each.round.round === round)
    const call = line?.calls.find((each) => each.call.callId === callId)
    return call ? visibleText(call.call.name) : `round ${round}`
  }
  return [
    ...(slowest ? [`Slowest: ${nameOf(slowest)}, ${formatDuration(slowest.figure)}`] : []),
    ...(dearest ? [`Dearest: ${nameOf(dearest)}, ${formatCostMicroUsd(dearest.figure)}`] : []),
  ]
}
