import { expect, test } from 'vitest'
import { toolWords } from '@/lib/domains/models/shape'
import { toolsOf } from './model-prices'

test('tool calling that an admin set is confirmed, and says where that is from', () => {
  expect(toolsOf({ toolCalling: 'confirmed', toolCallingSource: 'assumed' })).toBe(
    'confirmed (entered by an admin or from the catalogue)',
  )
  expect(toolsOf({ toolCalling: 'unconfirmed', toolCallingSource: null })).toBe('unconfirmed')
  expect(toolWords.confirmed).toBe('Tools confirmed')
})
