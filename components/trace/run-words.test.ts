import { describe, expect, it } from 'vitest'
import type { RunPiece } from '@/lib/protocol/run/run-delta'
import type { RunEventBody } from '@/lib/protocol/run/run-event'
import {
  call,
  callEnd,
  end,
  message,
  ok,
  roundStart,
  start,
  stateOf,
} from '@/tests/support/trace-events'
import { announce, runPill } from './run-words'

describe('announce', () => {
  it('announces steps, not tokens', () => {
    const text = (part: string): RunPiece => ({
      type: 'text-delta',
      data: { round: 2, text: part },
    })
    const first = [start, roundStart(1)]
    const requested = [...first, message(1, { toolCalls: [call('fetch_logs')] })]
    const running: RunEventBody = {
      type: 'call-start',
      data: { round: 1, callId: 'call-fetch_logs', name: 'fetch_logs', effect: 'read', attempt: 1 },
    }
    const second = [...requested, running, callEnd('fetch_logs', ok('')), roundStart(2)]
    expect(announce(stateOf(...first))).toBe('Round 1, waiting for the model.')
    expect(announce(stateOf(...requested))).toBe('Round 1, 1 call requested.')
    expect(announce(stateOf(...requested, running))).toBe('Round 1, calling fetch_logs.')
    expect(announce(stateOf(...second, text('a')))).toBe('Round 2, answering.')
    expect(announce(stateOf(...second, text('a'), text('b')))).toBe('Round 2, answering.')
    expect(announce(stateOf(...second, end))).toBe('Run ended: Round limit.')
  })

  it('says that a run waits for a person, and for what', () => {
    const request = (name: string): RunEventBody => ({
      type: 'approval-request',
      data: {
        round: 1,
        callId: `call-${name}`,
        approvalId: `approval-${name}`,
        name,
        argumentsHash: '',
        ruleId: null,
        ruleName: 'Writes',
        expiresAt: 2_000,
      },
    })
    const decided: RunEventBody = {
      type: 'approval-decision',
      data: { round: 1, callId: 'call-a', decision: { type: 'expired' } },
    }
    const requested = [
      start,
      roundStart(1),
      message(1, { toolCalls: [call('a'), call('b')] }),
      request('a'),
      request('b'),
    ]
    expect(announce(stateOf(...requested))).toBe('Round 1, 2 calls wait for approval.')
    expect(runPill(stateOf(...requested))).toEqual({ pill: 'waiting', word: 'Waiting' })
    expect(announce(stateOf(...requested, decided))).toBe('Round 1, b waits for approval.')
  })
})

describe('a run that was refused before its first request', () => {
  const refused: RunEventBody = {
    type: 'run-end',
    data: { ...end.data, reason: 'budget', truncated: false, notStarted: true },
  }

  it('is not started, and says why', () => {
    const state = stateOf(start, refused)
    expect(runPill(state)).toEqual({ pill: 'error', word: 'Not started: budget' })
    expect(announce(state)).toBe('Not started: budget.')
  })
})
