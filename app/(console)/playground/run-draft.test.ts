import { describe, expect, it, test } from 'vitest'
import type { ConfigurationListing } from '@/lib/domains/configurations/schemas'
import type { RunnableTask } from '@/lib/domains/tasks/schemas'
import { TaskVariable } from '@/lib/domains/tasks/shared/task-form'
import { TaskPanel } from '@/lib/domains/tasks/shared/task-panel'
import type { OfferedTool } from '@/lib/protocol/offered-tool'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import { admin, runSnapshot } from '@/tests/support/run-fixture'
import {
  capError,
  capInput,
  capOf,
  checkRunDraft,
  mostRounds,
  noCap,
  noFiles,
  noTask,
  type RunDraft,
  runDraftOf,
  toInput,
} from './run-draft'
import type { PickableTool } from './tool-selection'

const draft: RunDraft = {
  configurationId: 'c',
  picked: null,
  maxRounds: '',
  prompt: 'Look.',
  ...noTask,
  ...noCap,
  ...noFiles,
}

const task: RunnableTask = {
  id: 't',
  identifier: 'greet',
  name: 'Greet',
  description: '',
  configurationId: null,
  prompt: 'Greet {{who}}.',
  variables: [TaskVariable.parse({ name: 'who' })],
  outputSchema: null,
  panel: null,
}

function tool(name: string): PickableTool {
  return {
    name,
    group: 'g',
    description: '',
    schemaTokens: 1,
    verdict: { allowed: true },
    waits: false,
  }
}

function offered(name: string): OfferedTool {
  return { name, description: '', group: 'g', effect: 'read', dataClass: 'public' }
}

function start(accepted: string[], rejected: string[]): RunEventOf<'run-start'>['data'] {
  return {
    prompt: 'Look.',
    actor: admin,
    snapshot: runSnapshot({ configurationId: 'c', maxRounds: 7 }),
    accepted: accepted.map(offered),
    rejected: rejected.map((name) => ({ name, gate: 'enabled', reason: 'Off.' })),
    nonce: '',
    canary: '',
  }
}

describe('what a run is asked to do', () => {
  it('fields that a task with a panel sets itself are not checked', () => {
    const configurations = ['fast', 'careful']
    const panel = TaskPanel.parse({ kind: 'confer', configurations })
    const values = { who: 'Max' }
    const wrong = { ...draft, task, values, maxRounds: 'many', costCap: 'much' }
    expect(Object.keys(checkRunDraft(wrong, 50))).toEqual(['maxRounds', 'costCap'])
    const compared = { ...wrong, task: { ...task, panel }, configurationId: null }
    expect(checkRunDraft(compared, 50)).toEqual({})
    const roles = { proposer: {}, critics: [{}], synthesizer: {} }
    const coordination = TaskPanel.parse({ kind: 'coordinate', ...roles })
    expect(checkRunDraft({ ...compared, task: { ...task, panel: coordination } }, 50)).toEqual({
      configuration: 'Pick a configuration.',
    })
  })

  it('is checked before it is sent', () => {
    expect(checkRunDraft(draft, 50)).toEqual({})
    const empty = checkRunDraft({ ...draft, configurationId: null, prompt: ' ' }, 50)
    expect(Object.keys(empty)).toEqual(['configuration', 'prompt'])
    for (const maxRounds of ['0', '51', '1.5', '1e1', 'x']) {
      expect(checkRunDraft({ ...draft, maxRounds }, 50).maxRounds).toBe(
        'Enter a whole number from 1 to 50.',
      )
    }
  })

  it('keeps members within the configuration', () => {
    const configuration = { maxRounds: 5 } as ConfigurationListing
    expect(mostRounds('admin', configuration, 120)).toBe(120)
    expect(mostRounds('member', configuration, 120)).toBe(5)
    expect(mostRounds('member', configuration, 3)).toBe(3)
  })

  it('says all, some or no tools', () => {
    const tools = [tool('a'), tool('b')]
    expect(toInput(draft, tools)).toMatchObject({ tools: null, maxRounds: null })
    expect(toInput({ ...draft, picked: ['b', 'gone'], maxRounds: '3' }, tools)).toMatchObject({
      tools: ['b'],
      maxRounds: 3,
    })
    expect(toInput({ ...draft, picked: [] }, tools).tools).toEqual([])
  })

  it('takes a schema of its own for the answer', () => {
    const typed = { ...draft, outputSchema: '{"type":"object"}' }
    expect(toInput(typed, []).outputSchema).toEqual({ type: 'object' })
    expect(checkRunDraft(typed, 50)).toEqual({})
    expect(toInput(draft, []).outputSchema).toBeNull()
    for (const outputSchema of ['{', '[]', '{"type":"objekt"}']) {
      expect(checkRunDraft({ ...draft, outputSchema }, 50).outputSchema).toBeTruthy()
    }
  })

  it('sends a task with its values instead of a prompt', () => {
    const filled = { ...draft, task, values: { who: 'Ada' } }
    expect(toInput(filled, [])).toMatchObject({ task: 't', variables: { who: 'Ada' } })
    expect(toInput(filled, [])).not.toHaveProperty('prompt')
    expect(checkRunDraft({ ...filled, prompt: '' }, 50)).toEqual({})
    const unfilled = checkRunDraft({ ...filled, values: {} }, 50)
    expect(unfilled.variables).toEqual({ who: 'Enter a value.' })
    const again = runDraftOf(start([], []), [], { task, values: { who: 'Ada' } })
    expect(again).toMatchObject({ task, values: { who: 'Ada' }, prompt: '' })
  })

  it('keeps the data class of each file when a run is started again', () => {
    const file = { id: 'f1', name: 'a.png', type: 'image/png', bytes: 1, sha256: '' } as const
    const first = { ...file, dataClass: 'diagnostics' } as const
    const second = { ...file, id: 'f2', dataClass: 'content' } as const
    const again = runDraftOf({ ...start([], []), files: [first, second] }, [], noTask)
    const added = { ...file, id: 'f3', dataClass: null }
    expect(toInput({ ...again, files: [first, second, added] }, []).files).toEqual([
      { id: 'f1', dataClass: 'diagnostics' },
      { id: 'f2', dataClass: 'content' },
      { id: 'f3' },
    ])
    const raised = { ...again, dataClass: 'source-code' } as const
    expect(toInput(raised, []).files).toEqual([
      { id: 'f1', dataClass: 'source-code' },
      { id: 'f2', dataClass: 'source-code' },
    ])
    const one = runDraftOf({ ...start([], []), files: [second] }, [], noTask)
    expect(one.dataClass).toBe('content')
  })

  it('can be read back from the run', () => {
    const tools = [tool('a'), tool('b')]
    expect(runDraftOf(start(['a'], ['b']), tools, noTask)).toMatchObject({
      configurationId: 'c',
      picked: null,
      maxRounds: '7',
      prompt: 'Look.',
    })
    expect(runDraftOf(start(['a'], []), tools, noTask).picked).toEqual(['a'])
    expect(runDraftOf(start([], []), tools, noTask).picked).toEqual([])
  })
})

test('a cap warns unless somebody says otherwise (SPEC M4)', () => {
  expect(capInput({ ...noCap, costCap: '1' })).toEqual({ mode: 'warn', limitMicroUsd: 1_000_000 })
})

test('no figure is no cap', () => {
  expect(capInput(noCap)).toBeNull()
  expect(capError({ ...noCap, costCap: ' ' })).toBeNull()
})

test('a figure is in dollars, and is read back unchanged from the run', () => {
  const cap = capInput({ costCap: '$0.5', costCapMode: 'warn' })
  expect(cap).toEqual({ mode: 'warn', limitMicroUsd: 500_000 })
  const costCaps = cap ? [{ scope: 'run' as const, ...cap }] : []
  expect(capOf(runSnapshot({ costCaps }))).toEqual({ costCap: '0.50', costCapMode: 'warn' })
})

test.each(['0', 'lots', '-1', '1e9'])('%s is an error', (costCap) => {
  expect(capError({ ...noCap, costCap })).toContain('US dollars')
})
