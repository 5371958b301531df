import { expect, test, vi } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryResources } from '@/tests/support/memory-resources'
import { memoryContext } from '@/tests/support/tool-context'
import { bindTool } from '../bind-tool'
import type { RunAnswer } from '../tool-resources'
import spawnRun from './spawn-run'

const answer: RunAnswer = {
  runId: 'r-2',
  configuration: 'demo',
  answer: '42',
  unfinished: null,
  dataClass: null,
}
const input = { configuration: 'demo', prompt: ' What is 6 x 7?\u0000 ' }

function runsWith(found: Partial<RunAnswer> = {}) {
  const ask = vi.fn(async () => ({ ...answer, ...found }))
  return { ask, shown: vi.fn(async () => 'Configuration: demo') }
}

test('the model gets the answer, with the run that gave it', async () => {
  const runs = runsWith()
  const result = await callToolDirectly(spawnRun, input, { runs })
  expect(result).toEqual({
    content: { run: 'r-2', configuration: 'demo', answer: '42' },
    leftOut: [],
  })
  expect(runs.ask).toHaveBeenCalledWith(
    { configuration: 'demo', prompt: 'What is 6 x 7?', tools: null },
    expect.objectContaining({ callId: 'call' }),
  )
})

test('an answer that is not whole says why, and its class is that of what was read', async () => {
  const runs = runsWith({ unfinished: 'It was cut.', dataClass: 'diagnostics' })
  expect(await callToolDirectly(spawnRun, { ...input, tools: [] }, { runs })).toMatchObject({
    content: { unfinished: 'It was cut.' },
    dataClass: 'diagnostics',
    leftOut: [{ what: 'the rest of the answer', why: 'It was cut.' }],
  })
  expect(runs.ask).toHaveBeenCalledWith(expect.objectContaining({ tools: [] }), expect.anything())
})

test('its approver sees exactly what will be started', async () => {
  const runs = runsWith()
  const tool = bindTool(spawnRun, () => memoryResources({ runs }))
  expect(tool).toMatchObject({ startsRuns: true, effect: 'write', enabledByDefault: false })
  expect(tool.look?.isAct).toBe(true)
  const parsed = tool.parse(input)
  if (!parsed.ok) throw new Error(parsed.issues.join())
  expect(await tool.look?.read(parsed.args, memoryContext())).toBe('Configuration: demo')
  expect(runs.ask).not.toHaveBeenCalled()
})
