import { expect, it } from 'vitest'
import { missingSandbox } from './place'

it('runs no git without a sandbox under the suggested name, whatever an admin accepted', async () => {
  // bubblewrap is found nowhere.
  process.env.PATH = '/nonexistent'
  const accepted = 'This machine has nothing else on it.'
  expect(await missingSandbox({ name: 'git', accepted })).toMatch(
    /^bubblewrap \(bwrap\) is not installed .* git is not run without one\. .* under another name\.$/,
  )
  expect(await missingSandbox({ name: 'git', accepted: null })).toMatch(/not installed/)
  expect(await missingSandbox({ name: 'ls', accepted })).toBe(null)
  expect(await missingSandbox({ name: 'git-of-ours', accepted })).toBe(null)
})
