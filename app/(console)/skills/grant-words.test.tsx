import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { GrantWords } from './grant-words'

const held = (names: string[], limits: boolean) => ({ names, limits })

function wordsOf(granted: string[] | null, idle: string[], heldBack = held([], false)) {
  const { container } = render(
    <GrantWords
      whose="It grants"
      grant={{ granted, unknown: [] }}
      idle={idle}
      heldBack={heldBack}
    />,
  )
  return container.textContent
}

test('says that nothing is listed only when nothing is', () => {
  expect(wordsOf(null, [])).toBe(
    'It grants whatever the other gates allow: nothing is listed under allowed-tools.',
  )
  expect(wordsOf(null, ['read-logs'])).toBe(
    'It grants whatever the other gates allow.read-logs lists tools but is switched off, so its limit is gone.',
  )
  expect(wordsOf(null, ['a', 'b'])).toContain(
    'a, b list tools but are switched off, so their limit is gone.',
  )
  expect(wordsOf(['get_env'], ['read-logs'])).toBe(
    'It grants get_env, and only where the other gates allow it.read-logs lists tools too but is switched off.',
  )
})

test('says what skills whose file changed still do', () => {
  expect(wordsOf(['get_env'], [], held(['read-logs'], true))).toBe(
    'It grants get_env, and only where the other gates allow it.The file of read-logs changed or is gone, so it is not sent. What it listed last still limits, until you accept what changed or switch it off.',
  )
  expect(wordsOf(['get_env'], [], held(['a', 'b'], false))).toContain(
    'The files of a, b changed or are gone, so they are not sent. What they list adds nothing until you accept what changed.',
  )
})
