import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { NoConfiguration } from './no-configuration'

describe('nothing to run with', () => {
  it('tells a member whom to ask', () => {
    render(<NoConfiguration role="member" />)
    expect(screen.getByText('No configuration is open to you yet.')).toBeDefined()
    expect(screen.getByText(/^Ask an admin to add you to a group that may use one/)).toBeDefined()
  })

  it('tells an admin how to add one', () => {
    render(<NoConfiguration role="admin" />)
    expect(screen.getByText(/npx toolgate configuration add/)).toBeDefined()
  })
})
