import { emptyUsage } from '@/lib/protocol/cost/cost'
import { foldRun } from '@/lib/protocol/run/fold-run'
import {
  answerAfter,
  growAnswer,
  type OpenAnswer,
  type RunPiece,
  type RunUpdate,
} from '@/lib/protocol/run/run-delta'
import type { RunEventBody, RunEventOf } from '@/lib/protocol/run/run-event'
import type { Outcome } from '@/lib/protocol/tool'
import { utf8Bytes } from '@/lib/words/format'
import { modelTarget, runSnapshot } from './run-fixture'

export const runId = '019a0000-0000-7000-8000-000000000001'

export const start: RunEventOf<'run-start'> = {
  type: 'run-start',
  data: {
    prompt: 'Look at the logs',
    actor: { userId: 'u1', email: 'ana@example.org', role: 'admin' },
    snapshot: runSnapshot({
      targets: [modelTarget({ modelId: 'model-1', connectionName: 'Loopback' })],
    }),
    accepted: [
      {
        name: 'fetch_logs',
        description: 'Logs.',
        group: 'system',
        effect: 'read',
        dataClass: 'diagnostics',
      },
    ],
    rejected: [{ name: 'get_env_raw', gate: 'enabled', reason: 'It is off by default.' }],
    nonce: 'n0nce',
    canary: 'canary-0',
  },
}

export function roundStart(round: number, target = 0): RunEventBody {
  return {
    type: 'round-start',
    data: { round, closing: false, target, offered: ['fetch_logs'], contextTokens: 100 },
  }
}

export function message(round: number, part: Partial<RunEventOf<'message'>['data']>): RunEventBody {
  return {
    type: 'message',
    data: {
      round,
      target: 0,
      text: '',
      reasoning: [],
      toolCalls: [],
      finishReason: 'stop',
      usage: { ...emptyUsage, inputTokens: 1200, outputTokens: 30 },
      costMicroUsd: 312,
      latencyMs: 1240,
      firstTokenMs: 300,
      retries: 0,
      ...part,
    },
  }
}

export function call(name: string, argumentsText = '{}') {
  return { callId: `call-${name}`, providerCallId: 'p', name, argumentsText }
}

export function callEnd(name: string, outcome: Outcome, round = 1): RunEventBody {
  const verdict =
    outcome.type === 'denied'
      ? ({ allowed: false, gate: outcome.gate, reason: outcome.reason } as const)
      : ({ allowed: true } as const)
  return {
    type: 'call-end',
    data: { round, callId: `call-${name}`, name, verdict, outcome, durationMs: 12 },
  }
}

export function ok(content: string, part: Partial<Extract<Outcome, { type: 'ok' }>> = {}): Outcome {
  return {
    type: 'ok',
    content,
    truncated: false,
    originalBytes: utf8Bytes(content),
    artifacts: [],
    flags: [],
    ...part,
  }
}

export const end: Extract<RunEventBody, { type: 'run-end' }> = {
  type: 'run-end',
  data: {
    reason: 'max-rounds',
    truncated: true,
    message: 'The last round was used up.',
    failure: null,
    usage: { ...emptyUsage, inputTokens: 1200, outputTokens: 30 },
    costMicroUsd: null,
    wallTimeMs: 2_500,
  },
}

type Body = RunEventBody | RunPiece

function isPiece(body: Body): body is RunPiece {
  return body.type.endsWith('-delta')
}

/** Returns events with their numbers, and between them pieces of answers with their places. */
export function updatesOf(...bodies: Body[]): RunUpdate[] {
  let seq = 0
  let answer: OpenAnswer | null = null
  const updates: RunUpdate[] = []
  for (const body of bodies) {
    if (!isPiece(body)) {
      const event = { ...body, runId, seq: ++seq, at: 1_000 }
      answer = answerAfter(answer, event)
      updates.push(event)
    } else if (answer) {
      updates.push({ ...body, runId, start: answer.start, offset: answer.length })
      growAnswer(answer, body)
    }
  }
  return updates
}

export function stateOf(...bodies: Body[]) {
  return foldRun(updatesOf(...bodies))
}
