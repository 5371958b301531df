import { describe, expect, it } from 'vitest'
import { lenientQuery } from '@/lib/edge/lenient-query'
import { RunQuery, toAddress, toRunFilter } from './run-filter'

const filterOf = (params: Record<string, string | string[] | undefined>) =>
  toRunFilter(lenientQuery(RunQuery, params))
const usual = { page: 1, pageSize: 20, sort: '-started' }

describe('the filter in the address of the runs list', () => {
  it('reads valid values and ignores the rest', () => {
    expect(filterOf({ search: ' log ', page: '3', sort: '-cost' })).toEqual({
      ...usual,
      search: 'log',
      page: 3,
      sort: '-cost',
    })
    const nonsense = {
      search: '',
      state: 'asleep',
      configuration: '../etc',
      user: ['a', 'b'],
      page: '-1',
      sort: 'colour',
    }
    for (const params of [{}, nonsense, { search: 'a\0' }, { search: '\ud800' }]) {
      expect(filterOf(params)).toEqual(usual)
    }
  })

  it('filters by the state and by the end of a run with one field', () => {
    expect(filterOf({ state: 'waiting' })).toEqual({ ...usual, status: 'waiting' })
    expect(filterOf({ state: 'loop' })).toEqual({ ...usual, reason: 'loop' })
    expect(filterOf({ state: 'ended' })).toEqual({ ...usual, status: 'ended' })
    for (const state of ['waiting', 'loop', 'ended']) {
      expect(toAddress(filterOf({ state, minCost: '0.5' }))).toEqual({ state, minCost: '0.5' })
    }
  })
})
