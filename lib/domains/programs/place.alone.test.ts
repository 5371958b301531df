import { expect, it } from 'vitest'
import { missingSandbox } from './place'

it('runs no git without a sandbox under the suggested name, whatever an admin accepted', async () => {
  Object.defineProperty(process, 'platform', { value: 'darwin' })
  const accepted = 'This machine has nothing else on it.'
  expect(await missingSandbox({ name: 'git', accepted })).toMatch(
    /^A sandbox for programs needs a server on Linux\. .* git is not run without one\. .* under another name\.$/,
  )
  expect(await missingSandbox({ name: 'git', accepted: null })).toMatch(/on Linux\.$/)
  expect(await missingSandbox({ name: 'ls', accepted })).toBe(null)
  expect(await missingSandbox({ name: 'git-of-ours', accepted })).toBe(null)
})
