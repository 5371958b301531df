import { expect, test } from 'vitest'
import { dryRunExitCode } from './print-dry-run'

const refused = (code: string) => dryRunExitCode({ refusal: { code, message: 'No.', fields: {} } })

test('a dry run exits as the refused run would, and with 0 when nothing refuses it', () => {
  expect(dryRunExitCode({ refusal: null })).toBe(0)
  expect(refused('budget')).toBe(11)
  expect(refused('context')).toBe(15)
  expect(refused('forbidden')).toBe(1)
})
