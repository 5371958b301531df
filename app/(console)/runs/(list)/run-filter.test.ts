import { describe, expect, it } from 'vitest'
import { isNarrowed, readRunFilter, runsAddress } from './run-filter'

describe('the filter in the address of the runs list', () => {
  it('reads what makes sense and forgets the rest', () => {
    expect(
      readRunFilter({ search: ' log ', reason: 'loop', page: '3', sort: 'cost' }),
    ).toMatchObject({ search: 'log', reason: 'loop', page: 3, sort: 'cost' })
    const nonsense = {
      search: '',
      status: 'asleep',
      reason: ['loop'],
      configuration: '../etc',
      page: '-1',
      sort: 'colour',
    }
    expect(readRunFilter({ search: 'a\0' })).toEqual(readRunFilter({}))
    expect(readRunFilter({ search: '\ud800' })).toEqual(readRunFilter({}))
    expect(readRunFilter(nonsense)).toEqual({ page: 1, pageSize: 50, sort: 'newest' })
    expect(isNarrowed(readRunFilter(nonsense))).toBe(false)
  })

  it('goes there and back', () => {
    const address = '/runs?search=a+%26+b&status=running&sort=oldest&page=2'
    const params = Object.fromEntries(new URL(address, 'http://localhost').searchParams)
    expect(runsAddress(readRunFilter(params))).toBe(address)
    expect(runsAddress(readRunFilter({}))).toBe('/runs')
    expect(isNarrowed(readRunFilter(params))).toBe(true)
  })
})
