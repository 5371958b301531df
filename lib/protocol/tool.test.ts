import { expect, test } from 'vitest'
import { ToolError } from './tool'

test('an error of a tool is recognised from another copy of this module, and look-alikes are not', async () => {
  // A built server has this module more than once.
  const copy: typeof import('./tool') = await import(`./tool?${'copy'}`)
  expect(copy.ToolError).not.toBe(ToolError)
  expect(new copy.ToolError('gone', 'It is gone.') instanceof ToolError).toBe(true)
  expect(new ToolError('gone', 'It is gone.') instanceof copy.ToolError).toBe(true)
  const other = Object.assign(new Error('secret'), { name: 'ToolError', code: 'gone' })
  expect(other instanceof ToolError).toBe(false)
  expect(Object({ name: 'ToolError' }) instanceof ToolError).toBe(false)
})
