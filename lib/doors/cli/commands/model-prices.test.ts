import { expect, test } from 'vitest'
import { toolWords } from '@/lib/domains/models/shape'
import { toolsOf } from './model-prices'

test('tool calling that an admin set is confirmed, and says where that is from', () => {
  expect(toolsOf({ toolCalling: 'confirmed', toolCallingSource: 'assumed' })).toBe(
    'confirmed (as entered or in the catalogue, not tested)',
  )
  expect(toolsOf({ toolCalling: 'unconfirmed', toolCallingSource: null })).toBe('unconfirmed')
  expect(toolWords.confirmed).toBe('Supports tools')
})
