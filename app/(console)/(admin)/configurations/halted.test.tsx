import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FaultNotice, Halted, haltedWord } from './halted'

const link = { connectionName: 'C', trustZone: 'local', wire: 'ollama', modelId: 'm' } as const
const running = { enabled: true, chain: [{ ...link, modelName: 'M', enabled: true }], fault: null }
const fault = 'Its extra body fields contain n, which Toolgate sets itself for M.'

test('says in two words why no run can start, and nothing where one can', () => {
  expect(haltedWord(running)).toBeNull()
  expect(haltedWord({ ...running, fault })).toBe('Cannot run')
  expect(haltedWord({ ...running, fault, enabled: false })).toBeNull()
  const off = { ...running, chain: [{ ...link, modelName: 'M', enabled: false }] }
  expect(haltedWord(off)).toBe('Model off')
})

test('the page says what to edit', () => {
  const { rerender } = render(
    <>
      <Halted configuration={{ ...running, fault }} />
      <FaultNotice fault={fault} />
    </>,
  )
  expect(screen.getByText('Cannot run')).toBeVisible()
  expect(screen.getByText(/contain n, which Toolgate sets itself/)).toBeVisible()
  rerender(<FaultNotice fault={null} />)
  expect(screen.queryByText(/cannot run/i)).toBeNull()
})
