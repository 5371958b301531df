import { expect, it } from 'vitest'
import { checkNode } from './examine'

it.each(['v20.19.0', 'v20.20.2', 'v22.3.0', 'v100.0.0'])('takes %s', (version) => {
  expect(checkNode(version).status).toBe('ok')
})

it.each(['v20.9.0', 'v18.20.8', 'v9.99.99'])('refuses %s', (version) => {
  expect(checkNode(version)).toMatchObject({
    status: 'fail',
    advice: 'Install Node 20.19.0 or newer.',
  })
})
