import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Role } from '@/lib/protocol/tool'
import { ConfigurationPicker } from './configuration-picker'

function show(role: Role): void {
  render(
    <ConfigurationPicker
      role={role}
      configurations={[]}
      chosen={null}
      onChoose={() => undefined}
    />,
  )
}

describe('a picker without configurations', () => {
  it('tells a member whom to ask', () => {
    show('member')
    expect(screen.getByText('No configuration is open to you yet.')).toBeDefined()
    expect(screen.getByText(/^Ask an admin to add you to a group that may use one/)).toBeDefined()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('tells an admin how to add one', () => {
    show('admin')
    expect(screen.getByText(/npx toolgate configuration add/)).toBeDefined()
  })
})
