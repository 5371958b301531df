import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Role } from '@/lib/protocol/tool'
import { NoConfiguration } from './start-here'

const show = (role: Role, closed = 0) => render(<NoConfiguration role={role} closed={closed} />)

describe('nothing to run with', () => {
  it('tells a member whom to ask', () => {
    show('member')
    expect(screen.getByText('You may not use any configuration yet.')).toBeDefined()
    expect(screen.getByText(/^Ask an admin to add you to a group that may use one/)).toBeDefined()
  })

  it('tells an admin how to add one', () => {
    show('admin')
    expect(screen.getByRole('link', { name: 'Connect a model' })).toBeDefined()
  })

  it('tells an admin that those that exist cannot be used', () => {
    show('admin', 2)
    expect(screen.getByText(/^2 configurations exist, but each is switched off/)).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Connect a model' })).toBeNull()
  })
})
