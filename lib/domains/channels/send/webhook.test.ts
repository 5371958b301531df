import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { signature } from './webhook'

test('a signature covers the moment and the body', () => {
  const hex = createHmac('sha256', 'a secret').update('1700000000.{"a":1}').digest('hex')
  expect(signature('a secret', '{"a":1}', 1_700_000_000)).toBe(`t=1700000000,v1=${hex}`)
  expect(signature('a secret', '{"a":1}', 1_700_000_001)).not.toContain(hex)
})
