import { afterEach, expect, test, vi } from 'vitest'
import { dryRunExitCode, printDryRun } from './print-dry-run'

afterEach(() => {
  vi.restoreAllMocks()
})

const refusal = (code: string) => ({ code, message: 'No.', fields: {} })

test('a dry run exits as the refused run would, and with 0 when nothing refuses it', () => {
  expect(dryRunExitCode({ refusal: null })).toBe(0)
  expect(dryRunExitCode({ refusal: refusal('budget') })).toBe(11)
  expect(dryRunExitCode({ refusal: refusal('context') })).toBe(15)
  expect(dryRunExitCode({ refusal: refusal('forbidden') })).toBe(1)
})

test('of a run that a budget refuses, the first model that is not passed over is the model', () => {
  let written = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += text
    return true
  })
  const unused = { connection: 'Near', isUsed: false, skipped: null }
  printDryRun({
    refusal: refusal('budget'),
    models: [
      { ...unused, modelId: 'far', skipped: 'It takes no files.' },
      { ...unused, modelId: 'near' },
      { ...unused, modelId: 'spare' },
    ],
    offered: [],
    inputTokens: null,
    cost: null,
    costCaps: [],
    tools: [],
    warnings: [],
    request: null,
  })
  expect(written.trimEnd().split('\n')).toEqual([
    'Refused: No.',
    'Passed over: far at Near (It takes no files.)',
    'Model: near at Near',
    'Fallback: spare at Near',
  ])
})
